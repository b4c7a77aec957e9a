import { describe, expect, it } from 'vitest';
import {
  type Access,
  authorize,
  requireAccess,
  requireAnyPermission,
  requirePermission,
} from '../../../src/domain/agents/authorize.ts';
import type { AgentPolicy } from '../../../src/domain/agents/events.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { counted, policyOf, rates, usageOf } from '../../support/builders/agents.ts';
import { accountId, externalAccountId, payeeAccountId } from '../../support/builders/identities.ts';
import { eur, money, usd } from '../../support/builders/money.ts';
import { thrownBy } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

type Limits = Partial<AgentPolicy['spendingLimits']>;
const access: Access = { permissions: ['CREATE_TRANSFERS'], accountIds: [accountId] };
const subjectWith = (policy: AgentPolicy, more = {}) => ({
  isPaused: false,
  policy,
  usage: usageOf(),
  ...more,
});

const ask = (
  subject: Parameters<typeof authorize>[0],
  amount = usd(100_00n),
  asked = access,
  at = testStart,
) => authorize(subject, asked, amount, { rates, at });
const limited = (spendingLimits: Limits, usage = usageOf(), amount = usd(100_00n)) =>
  ask(subjectWith(policyOf({ spendingLimits }), { usage }), amount);

const refusal = (run: () => unknown) => {
  const error = thrownBy(run);
  if (!(error instanceof Rejected)) throw error;
  expect(error.code).toBe('FORBIDDEN');
  return error.details?.reason;
};

describe('what a policy allows', () => {
  it('goes by itself at what it costs', () =>
    expect(ask(subjectWith(policyOf()))).toEqual({ mode: 'AUTO', spend: usd(100_00n) }));

  it.each<[string, Limits, bigint]>([
    ['the limit per transaction', { perTransactionLimit: 100_00n }, 0n],
    ['the daily limit', { dailyLimit: 300_00n }, 200_00n],
    ['the monthly limit', { monthlyLimit: 300_00n }, 200_00n],
    ['no limit', {}, 10n ** 30n],
  ])('reaches up to %s', (_what, limits, spent) => {
    expect(limited(limits, counted(spent)).spend).toEqual(usd(100_00n));
  });

  it('reaches up to the daily number', () =>
    expect(limited({ dailyTransactionLimit: 2 }, counted(1n)).mode).toBe('AUTO'));

  it('starts anew with the day', () => {
    const spent = subjectWith(
      policyOf({ spendingLimits: { dailyLimit: 100_00n, dailyTransactionLimit: 1 } }),
      {
        usage: counted(100_00n),
      },
    );
    expect(refusal(() => ask(spent))).toBe('DAILY_LIMIT');
    expect(ask(spent, usd(100_00n), access, msLater(15 * 3_600_000)).mode).toBe('AUTO');
  });

  it('starts anew with the month', () => {
    const spent = subjectWith(policyOf({ spendingLimits: { monthlyLimit: 100_00n } }), {
      usage: counted(100_00n, { day: '2026-10-31' }),
    });
    expect(ask(spent).mode).toBe('AUTO');
  });
});

describe('what a policy forbids', () => {
  it.each<[string, Limits, ReturnType<typeof counted>, string]>([
    ['above the limit per transaction', { perTransactionLimit: 99_99n }, usageOf(), 'PER_TRANSACTION_LIMIT'],
    ['above the daily limit', { dailyLimit: 300_00n }, counted(200_01n), 'DAILY_LIMIT'],
    ['beyond the daily number', { dailyTransactionLimit: 1 }, counted(1n), 'DAILY_TRANSACTION_LIMIT'],
    ['above the monthly limit', { monthlyLimit: 300_00n }, counted(200_01n), 'MONTHLY_LIMIT'],
    ['of a limit of nothing', { perTransactionLimit: 0n }, usageOf(), 'PER_TRANSACTION_LIMIT'],
    ['of a daily number of none', { dailyTransactionLimit: 0 }, usageOf(), 'DAILY_TRANSACTION_LIMIT'],
  ])('is what is %s', (_what, limits, usage, reason) => {
    expect(refusal(() => limited(limits, usage))).toBe(reason);
  });

  it('is anything while the agent is paused', () =>
    expect(refusal(() => ask(subjectWith(policyOf(), { isPaused: true })))).toBe('PAUSED'));

  it('is what it gives no permission for', () =>
    expect(refusal(() => ask(subjectWith(policyOf({ permissions: ['CREATE_QUOTES'] }))))).toBe('PERMISSION'));

  it('is an account that it does not name', () => {
    const allowed = policyOf({ allowedAccountIds: [payeeAccountId] });
    expect(refusal(() => ask(subjectWith(allowed)))).toBe('ACCOUNT_NOT_ALLOWED');
    const both = { ...access, accountIds: [payeeAccountId, accountId] };
    expect(refusal(() => ask(subjectWith(allowed), usd(1n), both))).toBe('ACCOUNT_NOT_ALLOWED');
    expect(ask(subjectWith(allowed), usd(1n), { ...access, accountIds: [payeeAccountId] }).mode).toBe('AUTO');
  });

  it('is every account where it names none', () => {
    const none = subjectWith(policyOf({ allowedAccountIds: [] }));
    expect(refusal(() => ask(none))).toBe('ACCOUNT_NOT_ALLOWED');
    expect(ask(none, usd(1n), { ...access, accountIds: [] }).mode).toBe('AUTO');
  });

  it('says the first of several reasons', () => {
    const limits = { perTransactionLimit: 1n, dailyLimit: 1n, dailyTransactionLimit: 0, monthlyLimit: 1n };
    const nothing = { permissions: [], allowedAccountIds: [], spendingLimits: limits };
    const lifted = [
      ['PAUSED', {}, {}],
      ['PERMISSION', { isPaused: false }, {}],
      ['ACCOUNT_NOT_ALLOWED', { isPaused: false }, { permissions: ['CREATE_TRANSFERS'] as const }],
    ] as const;
    for (const [reason, more, policy] of lifted) {
      const changed = {
        ...nothing,
        ...policy,
        permissions: 'permissions' in policy ? [...policy.permissions] : [],
      };
      expect(refusal(() => ask(subjectWith(policyOf(changed), { isPaused: true, ...more })))).toBe(reason);
    }
    const large = 10n ** 9n;
    const steps: readonly [string, Limits][] = [
      ['PER_TRANSACTION_LIMIT', {}],
      ['DAILY_LIMIT', { perTransactionLimit: large }],
      ['DAILY_TRANSACTION_LIMIT', { perTransactionLimit: large, dailyLimit: large }],
      ['MONTHLY_LIMIT', { perTransactionLimit: large, dailyLimit: large, dailyTransactionLimit: 9 }],
    ];
    for (const [reason, raised] of steps)
      expect(refusal(() => limited({ ...limits, ...raised }))).toBe(reason);
  });
});

describe('a rule for an account', () => {
  const ruled = (rule: object, more = {}) =>
    subjectWith(policyOf({ accountRules: [{ accountId, ...rule }], ...more }));

  it('replaces the limit per transaction, downwards or upwards', () => {
    expect(refusal(() => ask(ruled({ perTransactionLimit: 99_99n })))).toBe('PER_TRANSACTION_LIMIT');
    const raised = ruled({ perTransactionLimit: 2_000_00n });
    expect(ask(raised, usd(2_000_00n)).mode).toBe('AUTO');
  });

  it('of an account outside that is pulled from comes before that of the account that is paid', () => {
    const pull = { ...access, accountIds: [externalAccountId, accountId] };
    const rules = (...accountRules: { accountId: string; perTransactionLimit: bigint }[]) =>
      subjectWith(policyOf({ accountRules }));
    const [outside, inside] = [
      { accountId: externalAccountId, perTransactionLimit: 99_99n },
      { accountId, perTransactionLimit: 2_000_00n },
    ];
    expect(refusal(() => ask(rules(inside, outside), usd(100_00n), pull))).toBe('PER_TRANSACTION_LIMIT');
    expect(ask(rules(inside), usd(2_000_00n), pull).mode).toBe('AUTO');
  });

  it('of an account that is paid from another one inside does not count', () => {
    const own = { ...access, accountIds: [payeeAccountId, accountId] };
    expect(refusal(() => ask(ruled({ perTransactionLimit: 2_000_00n }), usd(1_000_01n), own))).toBe(
      'PER_TRANSACTION_LIMIT',
    );
  });

  it('inherits the limit where it has none', () =>
    expect(refusal(() => ask(ruled({}), usd(1_000_01n)))).toBe('PER_TRANSACTION_LIMIT'));

  it('replaces the mode', () => {
    expect(ask(ruled({ executionMode: 'APPROVAL_REQUIRED' })).mode).toBe('APPROVAL_REQUIRED');
    const auto = ruled({ executionMode: 'AUTO' }, { defaultExecutionMode: 'APPROVAL_REQUIRED' });
    expect(ask(auto).mode).toBe('AUTO');
  });

  it('says nothing of other accounts', () => {
    const other = { ...access, accountIds: [payeeAccountId, accountId] };
    expect(ask(ruled({ perTransactionLimit: 1n }), usd(100n), other).mode).toBe('AUTO');
  });
});

describe('approval', () => {
  const above = (amount: bigint, more = {}) =>
    subjectWith(policyOf({ approvalThresholds: { currency: 'USD', amount }, ...more }));

  it('is needed where the policy says so', () =>
    expect(ask(subjectWith(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))).mode).toBe(
      'APPROVAL_REQUIRED',
    ));

  it.each([
    [99_99n, 'APPROVAL_REQUIRED'],
    [100_00n, 'AUTO'],
    [0n, 'APPROVAL_REQUIRED'],
  ])('is strictly above the threshold: of %s it is %s', (threshold, mode) => {
    expect(ask(above(threshold)).mode).toBe(mode);
  });

  it('is not needed for a threshold without an amount', () =>
    expect(ask(subjectWith(policyOf({ approvalThresholds: { currency: 'USD' } }))).mode).toBe('AUTO'));

  it('is needed above the threshold whatever the account says', () => {
    const auto = above(1n, { accountRules: [{ accountId, executionMode: 'AUTO' }] });
    expect(ask(auto).mode).toBe('APPROVAL_REQUIRED');
  });

  it('looks at the threshold in its own currency, rounded up', () => {
    const inEuro = (amount: bigint) =>
      subjectWith(policyOf({ approvalThresholds: { currency: 'EUR', amount } }));
    expect(ask(inEuro(90_91n)).mode).toBe('AUTO');
    expect(ask(inEuro(90_90n)).mode).toBe('APPROVAL_REQUIRED');
  });

  it('comes after the limits', () =>
    expect(refusal(() => ask(above(1n), usd(1_000_01n)))).toBe('PER_TRANSACTION_LIMIT'));
});

describe('an amount in another currency', () => {
  it.each([
    [eur(100_00n), 110_00n],
    [eur(1n), 2n],
    [money(1n, 'GBP'), 2n],
    [money(1n, 'VND'), 1n],
    [money(1_000_000n, 'VND'), 40_00n],
  ])('counts %o as %s cents, rounded up', (amount, cents) => {
    expect(ask(subjectWith(policyOf()), amount).spend).toEqual(usd(cents));
  });

  it('is limited at its worth', () => {
    expect(limited({ perTransactionLimit: 110_00n }, usageOf(), eur(100_00n)).spend).toEqual(usd(110_00n));
    expect(refusal(() => limited({ perTransactionLimit: 110_00n }, usageOf(), eur(100_01n)))).toBe(
      'PER_TRANSACTION_LIMIT',
    );
  });
});

describe('access without an amount', () => {
  it('looks at pause, permission and accounts', () => {
    expect(refusal(() => requireAccess({ ...subjectWith(policyOf()), isPaused: true }, access))).toBe(
      'PAUSED',
    );
    expect(refusal(() => requireAccess(subjectWith(policyOf({ permissions: [] })), access))).toBe(
      'PERMISSION',
    );
    requireAccess(subjectWith(policyOf()), access);
  });

  it('to read needs the permission alone', () => {
    requirePermission(policyOf(), ['VIEW_TRANSACTIONS']);
    expect(
      refusal(() => requirePermission(policyOf(), ['VIEW_TRANSACTIONS', 'MANAGE_EXTERNAL_ACCOUNTS'])),
    ).toBe('PERMISSION');
  });

  it('may need one of several permissions', () => {
    requireAnyPermission(policyOf({ permissions: ['EXECUTE_QUOTES'] }), ['CREATE_QUOTES', 'EXECUTE_QUOTES']);
    const neither = policyOf({ permissions: ['VIEW_TRANSACTIONS'] });
    expect(refusal(() => requireAnyPermission(neither, ['CREATE_QUOTES', 'EXECUTE_QUOTES']))).toBe(
      'PERMISSION',
    );
  });
});
