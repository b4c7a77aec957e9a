/**
 * What a policy says to an operation: the one place where permissions, accounts, limits, thresholds
 * and modes are looked at, in the order in which a refusal names its reason.
 */

import { isId } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { converted } from '../money/convert.ts';
import type { RatesTable } from '../money/rates-file.ts';
import type { AgentPermission, AgentPolicy, ExecutionMode, Usage } from './events.ts';
import { usageAt } from './usage.ts';

export type RefusalReason =
  | 'PAUSED'
  | 'PERMISSION'
  | 'ACCOUNT_NOT_ALLOWED'
  | 'PER_TRANSACTION_LIMIT'
  | 'DAILY_LIMIT'
  | 'DAILY_TRANSACTION_LIMIT'
  | 'MONTHLY_LIMIT'
  | 'PENDING_APPROVALS';

export type Subject = {
  readonly isPaused: boolean;
  readonly policy: AgentPolicy;
  readonly usage: Usage;
};

/** What is asked for, apart from how much. */
export type Access = {
  readonly permissions: readonly AgentPermission[];
  /** The customer's accounts that it uses, the one that pays first. */
  readonly accountIds: readonly string[];
};

type Moment = { readonly rates: RatesTable; readonly at: Date };

/** `spend` is in the currency of the spending limits. */
export type Authorized = { readonly mode: ExecutionMode; readonly spend: Money };

/** Throws `Rejected` (FORBIDDEN, with `details.reason`) where the policy forbids it. */
export function authorize(
  subject: Subject,
  access: Access,
  amount: Money,
  { rates, at }: Moment,
): Authorized {
  requireAccess(subject, access);
  const { policy, usage } = subject;
  const { currency } = policy.spendingLimits;
  const spend = converted(rates, amount, currency);
  const rule = countingRule(rulesOf(policy), access.accountIds);
  requireWithinLimits(policy, usageAt(usage, at), rule, spend);
  return { mode: modeOf(policy, rule, amount, rates), spend: { minor: spend, currency } };
}

/** The part of it that needs no amount: pause, permission, accounts. */
export function requireAccess({ isPaused, policy }: Subject, { permissions, accountIds }: Access): void {
  if (isPaused) throw forbidden('PAUSED', 'The agent is paused.');
  requirePermission(policy, permissions);
  const { allowedAccountIds } = policy.accountRestrictions ?? {};
  const refused = accountIds.find((id) => allowedAccountIds && !allowedAccountIds.includes(id));
  if (refused !== undefined)
    throw forbidden('ACCOUNT_NOT_ALLOWED', 'The policy does not allow this account.', { accountId: refused });
}

/** Throws `Rejected` unless the policy gives every one of the permissions. Reading needs no more than this. */
export function requirePermission(policy: AgentPolicy, needed: readonly AgentPermission[]): void {
  const missing = needed.find((permission) => !policy.permissions.includes(permission));
  if (missing === undefined) return;
  throw forbidden('PERMISSION', `The policy does not give the permission ${missing}.`, {
    requiredPermission: missing,
  });
}

/** Throws `Rejected` unless the policy gives one of the permissions. */
export function requireAnyPermission(policy: AgentPolicy, needed: readonly AgentPermission[]): void {
  if (needed.some((permission) => policy.permissions.includes(permission))) return;
  throw forbidden('PERMISSION', `The policy gives none of the permissions ${needed.join(', ')}.`, {
    requiredPermission: needed,
  });
}

type AccountRule = NonNullable<NonNullable<AgentPolicy['accountRestrictions']>['accountRules']>[number];

/** What a policy says of an account. */
export type RuleOf = (accountId: string | undefined) => AccountRule | undefined;

const rulesOf =
  ({ accountRestrictions }: AgentPolicy): RuleOf =>
  (accountId) =>
    accountRestrictions?.accountRules?.find((rule) => rule.accountId === accountId);

/** That of the account that pays; where this one is outside and has none, that of the customer's that is paid. */
export const countingRule = (ruleOf: RuleOf, [payer, paid]: readonly string[]): AccountRule | undefined =>
  ruleOf(payer) ?? (isId('ExternalAccount', payer ?? '') ? ruleOf(paid) : undefined);

function requireWithinLimits(
  policy: AgentPolicy,
  usage: Usage,
  rule: AccountRule | undefined,
  spend: bigint,
): void {
  const { currency, dailyLimit, dailyTransactionLimit, monthlyLimit } = policy.spendingLimits;
  const most = rule?.perTransactionLimit ?? policy.spendingLimits.perTransactionLimit;
  const exceeded = (reason: RefusalReason, what: string, limit: bigint | number, used?: bigint | number) =>
    forbidden(reason, `The ${what} of the policy does not cover the amount.`, {
      currency,
      limit,
      ...(used !== undefined && { used }),
      amount: spend,
    });
  if (spend > most) throw exceeded('PER_TRANSACTION_LIMIT', 'limit per transaction', most);
  const { dailySpend, dailyTransactionCount: count, monthlySpend } = usage;
  if (dailyLimit !== undefined && dailySpend + spend > dailyLimit)
    throw exceeded('DAILY_LIMIT', 'daily limit', dailyLimit, dailySpend);
  if (dailyTransactionLimit !== undefined && count >= dailyTransactionLimit)
    throw exceeded('DAILY_TRANSACTION_LIMIT', 'daily number of transactions', dailyTransactionLimit, count);
  if (monthlyLimit !== undefined && monthlySpend + spend > monthlyLimit)
    throw exceeded('MONTHLY_LIMIT', 'monthly limit', monthlyLimit, monthlySpend);
}

/** Even where payments go by themselves, one strictly above the threshold does not. */
function modeOf(
  policy: AgentPolicy,
  rule: AccountRule | undefined,
  amount: Money,
  rates: RatesTable,
): ExecutionMode {
  const { currency, amount: most } = policy.approvalThresholds ?? {};
  const isBounded = currency !== undefined && most !== undefined;
  if (isBounded && converted(rates, amount, currency) > most) return 'APPROVAL_REQUIRED';
  return rule?.executionMode ?? policy.defaultExecutionMode;
}

export const forbidden = (reason: RefusalReason, message: string, more: object = {}) =>
  new Rejected('FORBIDDEN', message, { reason, ...more });
