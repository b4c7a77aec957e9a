import { describe, expect, it } from 'vitest';
import { changedPolicy, type PolicyChanges } from '../../../src/domain/agents/policy-changes.ts';
import { paysByItself, widens, widensWithout } from '../../../src/domain/agents/spending.ts';
import { policyOf } from '../../support/builders/agents.ts';
import { accountId, payeeAccountId } from '../../support/builders/identities.ts';

const auto = { accountId, executionMode: 'AUTO' } as const;

describe('an agent pays by itself', () => {
  it.each([
    ['transfers', policyOf({ permissions: ['CREATE_TRANSFERS'] })],
    ['quotes', policyOf({ permissions: ['EXECUTE_QUOTES'] })],
    ['one account alone', policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED', accountRules: [auto] })],
    [
      'one account that has a limit',
      policyOf({
        spendingLimits: { perTransactionLimit: 0n },
        accountRules: [{ accountId, perTransactionLimit: 1n }],
      }),
    ],
    ['small amounts', policyOf({ approvalThresholds: { currency: 'USD', amount: 1n } })],
  ])('with a policy for %s', (_what, policy) => expect(paysByItself(policy)).toBe(true));

  it.each([
    [
      'permissions that move nothing',
      policyOf({ permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'MANAGE_EXTERNAL_ACCOUNTS'] }),
    ],
    ['approval of everything', policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' })],
    ['a limit of nothing', policyOf({ spendingLimits: { perTransactionLimit: 0n } })],
  ])('but not with a policy of %s', (_what, policy) => expect(paysByItself(policy)).toBe(false));
});

/** Pays by itself, from one account more than from the others. */
const before = policyOf({
  permissions: ['CREATE_TRANSFERS'],
  spendingLimits: {
    perTransactionLimit: 100n,
    dailyLimit: 200n,
    dailyTransactionLimit: 3,
    monthlyLimit: 300n,
  },
  allowedAccountIds: [accountId, payeeAccountId],
  accountRules: [
    { accountId, perTransactionLimit: 150n },
    { accountId: payeeAccountId, executionMode: 'APPROVAL_REQUIRED' },
  ],
  approvalThresholds: { currency: 'USD', amount: 50n },
});
const isWidenedBy = (changes: PolicyChanges) => widens(before, changedPolicy(before, changes));

describe('a policy is widened by', () => {
  it.each<[string, PolicyChanges]>([
    ['a permission more', { permissions: ['CREATE_TRANSFERS', 'VIEW_TRANSACTIONS'] }],
    ['a higher limit per transaction', { spendingLimits: { perTransactionLimit: 101n } }],
    ['a higher daily limit', { spendingLimits: { dailyLimit: 201n } }],
    ['no daily limit', { spendingLimits: { dailyLimit: null } }],
    ['a higher number of transactions', { spendingLimits: { dailyTransactionLimit: 4 } }],
    ['no number of transactions', { spendingLimits: { dailyTransactionLimit: null } }],
    ['a higher monthly limit', { spendingLimits: { monthlyLimit: 301n } }],
    ['no monthly limit', { spendingLimits: { monthlyLimit: null } }],
    ['limits in another currency', { spendingLimits: { currency: 'EUR', perTransactionLimit: 1n } }],
    ['another account', { accountRestrictions: { allowedAccountIds: [accountId, 'InternalAccount:1'] } }],
    ['all accounts', { accountRestrictions: { allowedAccountIds: null } }],
    ['no restrictions of accounts', { accountRestrictions: null }],
    ['no rules of accounts', { accountRestrictions: { accountRules: null } }],
    [
      'a higher limit of one account',
      { accountRestrictions: { accountRules: [{ accountId, perTransactionLimit: 151n }] } },
    ],
    [
      'payments from one account without approval',
      {
        accountRestrictions: {
          accountRules: [
            { accountId, perTransactionLimit: 150n },
            { accountId: payeeAccountId, executionMode: 'AUTO' },
          ],
        },
      },
    ],
    ['a higher threshold', { approvalThresholds: { amount: 51n } }],
    ['no amount of the threshold', { approvalThresholds: { amount: null } }],
    ['a threshold in another currency', { approvalThresholds: { currency: 'EUR' } }],
    ['no threshold', { approvalThresholds: null }],
  ])('%s', (_what, changes) => expect(isWidenedBy(changes)).toBe(true));

  it('payments without approval', () => {
    const asking = policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' });
    expect(widens(asking, changedPolicy(asking, { defaultExecutionMode: 'AUTO' }))).toBe(true);
  });

  it('the permission to pay', () => {
    const reading = policyOf({ permissions: ['VIEW_TRANSACTIONS'] });
    const permissions = ['VIEW_TRANSACTIONS', 'EXECUTE_QUOTES'] as const;
    expect(widens(reading, changedPolicy(reading, { permissions }))).toBe(true);
  });
});

/** What the account is held to, also where it is pulled into from an account without a rule. */
describe('a policy that holds an account to more than others is widened by', () => {
  const bank = 'ExternalAccount:01929a84-0000-7000-8000-00000000000b';
  const policyWith = (accountRules: NonNullable<Parameters<typeof policyOf>[0]>['accountRules']) =>
    policyOf({
      permissions: ['CREATE_TRANSFERS'],
      spendingLimits: { perTransactionLimit: 100n },
      ...(accountRules && { accountRules }),
    });
  const asking = { accountId, executionMode: 'APPROVAL_REQUIRED' } as const;
  const much = { accountId, perTransactionLimit: 1_000n };

  it.each([
    ['a rule of a bank that asks for no approval', [asking], [asking, { accountId: bank }]],
    [
      'a rule of a bank with a higher limit',
      [{ ...much, perTransactionLimit: 10n }],
      [{ ...much, perTransactionLimit: 10n }, { accountId: bank }],
    ],
    ['no rule any more of a bank that had the lower limit', [much, { accountId: bank }], [much]],
  ])('%s', (_what, one, other) => expect(widens(policyWith(one), policyWith(other))).toBe(true));

  it('a rule put before another of the same account', () => {
    const [auto, asks] = [{ accountId, executionMode: 'AUTO' } as const, asking];
    expect(widens(policyWith([asks, auto]), policyWith([auto, asks]))).toBe(true);
    expect(widens(policyWith([auto, asks]), policyWith([asks, auto]))).toBe(false);
  });

  it.each([
    ['a rule of a bank that asks as well', [asking], [asking, { ...asking, accountId: bank }]],
    ['a rule of a bank with a lower limit', [much], [much, { accountId: bank }]],
  ])('but not by %s', (_what, one, other) => expect(widens(policyWith(one), policyWith(other))).toBe(false));
});

describe('a policy is not widened by', () => {
  it.each<[string, PolicyChanges]>([
    ['nothing', {}],
    ['no permissions', { permissions: [] }],
    ['approval of everything', { defaultExecutionMode: 'APPROVAL_REQUIRED' }],
    ['lower limits', { spendingLimits: { perTransactionLimit: 99n, dailyLimit: 0n, monthlyLimit: 299n } }],
    ['fewer transactions', { spendingLimits: { dailyTransactionLimit: 2 } }],
    ['fewer accounts', { accountRestrictions: { allowedAccountIds: [accountId] } }],
    ['no account', { accountRestrictions: { allowedAccountIds: [] } }],
    ['a lower threshold', { approvalThresholds: { amount: 49n } }],
  ])('%s', (_what, changes) => expect(isWidenedBy(changes)).toBe(false));

  it('higher limits for payments that all need approval', () => {
    const asking = policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' });
    const changes = { spendingLimits: { perTransactionLimit: 10n ** 9n } };
    expect(widens(asking, changedPolicy(asking, changes))).toBe(false);
  });
});

describe('with another account in the place of one, an agent', () => {
  const held = [{ accountId, executionMode: 'APPROVAL_REQUIRED' as const }];

  it.each([
    ['pays more where a rule asked for approval', policyOf({ accountRules: held }), true],
    ['pays no more where a rule let it pay', policyOf({ accountRules: [auto] }), false],
    [
      'pays no more where the rule is for a third',
      policyOf({ accountRules: [{ ...held[0], accountId: payeeAccountId }] }),
      false,
    ],
    [
      'pays no more where a list has the accounts',
      policyOf({ accountRules: held, allowedAccountIds: [accountId] }),
      false,
    ],
    ['pays no more where it has no rules', policyOf(), false],
  ])('%s', (_what, policy, isMore) => expect(widensWithout(policy, accountId)).toBe(isMore));
});
