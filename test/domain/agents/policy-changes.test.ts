import { describe, expect, it } from 'vitest';
import type { AgentPolicy } from '../../../src/domain/agents/events.ts';
import { changedPolicy, newPolicy, type PolicyChanges } from '../../../src/domain/agents/policy-changes.ts';
import { policyOf } from '../../support/builders/agents.ts';
import { accountId, payeeAccountId } from '../../support/builders/identities.ts';
import { thrownBy } from '../../support/builders/spec.ts';

const rule = { accountId, executionMode: 'AUTO' as const, perTransactionLimit: 5n };
const before = policyOf({
  spendingLimits: { dailyLimit: 10n, dailyTransactionLimit: 3, monthlyLimit: 30n },
  allowedAccountIds: [accountId],
  accountRules: [rule],
  approvalThresholds: { currency: 'EUR', amount: 7n },
});
const changedBy = (changes: PolicyChanges) => changedPolicy(before, changes);

describe('a new policy', () => {
  it('is executed without approval unless it says otherwise', () => {
    const spendingLimits = { currency: 'USD', perTransactionLimit: 5n };
    expect(newPolicy({ permissions: ['CREATE_QUOTES'], spendingLimits })).toEqual({
      permissions: ['CREATE_QUOTES'],
      defaultExecutionMode: 'AUTO',
      spendingLimits,
    });
  });

  it('takes null for no limit', () => {
    const none = { dailyLimit: null, dailyTransactionLimit: null, monthlyLimit: null };
    const spendingLimits = { currency: 'USD', perTransactionLimit: 5n };
    expect(
      newPolicy({
        spendingLimits: { ...spendingLimits, ...none },
        accountRestrictions: { allowedAccountIds: null, accountRules: null },
        approvalThresholds: { amount: null },
      }),
    ).toEqual({ ...newPolicy({ spendingLimits }), accountRestrictions: {} });
  });
});

describe('a changed policy', () => {
  it('stays as it is where nothing is said', () => expect(changedBy({})).toEqual(before));

  it('has its permissions replaced as a whole, each once', () =>
    expect(changedBy({ permissions: ['CREATE_QUOTES', 'CREATE_QUOTES'] }).permissions).toEqual([
      'CREATE_QUOTES',
    ]));

  it('has another mode', () =>
    expect(changedBy({ defaultExecutionMode: 'APPROVAL_REQUIRED' }).defaultExecutionMode).toBe(
      'APPROVAL_REQUIRED',
    ));

  it.each<[NonNullable<PolicyChanges['spendingLimits']>, object]>([
    [{ currency: 'EUR' }, { currency: 'EUR' }],
    [{ perTransactionLimit: 0n }, { perTransactionLimit: 0n }],
    [{ dailyLimit: 11n }, { dailyLimit: 11n }],
    [{ dailyLimit: null }, { dailyLimit: undefined }],
    [{ dailyTransactionLimit: 0 }, { dailyTransactionLimit: 0 }],
    [
      { dailyTransactionLimit: null, monthlyLimit: null },
      { dailyTransactionLimit: undefined, monthlyLimit: undefined },
    ],
  ])('has its limits changed one by one: %o', (spendingLimits, expected) => {
    expect(changedBy({ spendingLimits })).toEqual({
      ...before,
      spendingLimits: { ...before.spendingLimits, ...expected },
    });
  });

  const allowedAccountIds = [accountId];
  const accountRules = [rule];
  it.each<[PolicyChanges['accountRestrictions'], AgentPolicy['accountRestrictions']]>([
    [
      { allowedAccountIds: [payeeAccountId, payeeAccountId] },
      { allowedAccountIds: [payeeAccountId], accountRules },
    ],
    [{ allowedAccountIds: [] }, { allowedAccountIds: [], accountRules }],
    [{ allowedAccountIds: null }, { accountRules }],
    [
      { accountRules: [{ accountId: payeeAccountId }] },
      { allowedAccountIds, accountRules: [{ accountId: payeeAccountId }] },
    ],
    [
      { accountRules: [{ accountId, perTransactionLimit: null }] },
      { allowedAccountIds, accountRules: [{ accountId }] },
    ],
    [{ accountRules: [] }, { allowedAccountIds, accountRules: [] }],
    [{ accountRules: null }, { allowedAccountIds }],
    [{}, { allowedAccountIds, accountRules }],
    [null, undefined],
  ])('has its lists replaced as a whole: %o', (accountRestrictions, expected) => {
    expect(changedBy({ accountRestrictions })).toEqual({ ...before, accountRestrictions: expected });
  });

  it.each<[PolicyChanges['approvalThresholds'], object | undefined]>([
    [{ amount: 8n }, { currency: 'EUR', amount: 8n }],
    [{ currency: 'USD' }, { currency: 'USD', amount: 7n }],
    [
      { currency: 'USD', amount: 0n },
      { currency: 'USD', amount: 0n },
    ],
    [{ amount: null }, { currency: 'EUR' }],
    [{}, { currency: 'EUR', amount: 7n }],
    [null, undefined],
  ])('has another threshold: %o', (approvalThresholds, expected) => {
    expect(changedBy({ approvalThresholds }).approvalThresholds).toEqual(expected);
  });

  it('needs a currency for its first threshold', () => {
    const refused = thrownBy(() => changedPolicy(policyOf(), { approvalThresholds: { amount: 1n } }));
    expect(refused).toMatchObject({
      code: 'INVALID_INPUT',
      details: { errors: [{ field: 'approvalThresholds.currency' }] },
    });
    const noAmount = { approvalThresholds: { currency: 'USD' } };
    expect(changedPolicy(policyOf(), noAmount).approvalThresholds).toEqual({ currency: 'USD' });
  });
});
