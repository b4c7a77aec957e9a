/**
 * Which policies let an agent pay without anybody's approval, and which changes let it pay more: for these, whoever
 * decides has to be allowed to pay.
 */
import { Rejected } from '../../kernel/rejected.ts';
import { ruleOf } from './authorize.ts';
import type { AgentPermission, AgentPolicy } from './events.ts';

const paying: readonly AgentPermission[] = ['CREATE_TRANSFERS', 'EXECUTE_QUOTES'];

/** Whether an agent with this policy can pay from some account by itself. */
export const paysByItself = (policy: AgentPolicy): boolean =>
  policy.permissions.some((permission) => paying.includes(permission)) &&
  accountsOf(policy).some((accountId) => mostByItself(policy, accountId) > 0n);

/** Whether an agent that pays by itself can do, see or pay more after the change than before it, in any respect. */
export function widens(before: AgentPolicy, after: AgentPolicy): boolean {
  if (!paysByItself(after)) return false;
  return (
    !paysByItself(before) ||
    after.permissions.some((permission) => !before.permissions.includes(permission)) ||
    widensLimits(before, after) ||
    widensAccounts(before, after) ||
    widensThreshold(before.approvalThresholds, after.approvalThresholds)
  );
}

/** Throws `Rejected` (FORBIDDEN) for whoever lets an agent pay and may not pay. */
export function requireMayPay(mayPay: boolean): void {
  if (mayPay) return;
  const message =
    'Who lets an agent pay without approval, or pay more, needs the permission TRANSACT as well.';
  throw new Rejected('FORBIDDEN', message, { requiredPermission: 'TRANSACT' });
}

/** Accounts with a rule of their own, and one that stands for all others. */
const accountsOf = ({ accountRestrictions }: AgentPolicy): readonly (string | undefined)[] => [
  undefined,
  ...(accountRestrictions?.accountRules ?? []).map(({ accountId }) => accountId),
];

/** The largest payment from the account that nobody has to approve, thresholds aside. */
function mostByItself(policy: AgentPolicy, accountId: string | undefined): bigint {
  const rule = ruleOf(policy, accountId);
  const mode = rule?.executionMode ?? policy.defaultExecutionMode;
  return mode === 'AUTO' ? (rule?.perTransactionLimit ?? policy.spendingLimits.perTransactionLimit) : 0n;
}

/** Limits of two currencies cannot be compared for good, since rates change. */
function widensLimits(before: AgentPolicy, after: AgentPolicy): boolean {
  const [was, is] = [before.spendingLimits, after.spendingLimits];
  const accounts = [...accountsOf(before), ...accountsOf(after)];
  return (
    was.currency !== is.currency ||
    isRaised(was.dailyLimit, is.dailyLimit) ||
    isRaised(was.dailyTransactionLimit, is.dailyTransactionLimit) ||
    isRaised(was.monthlyLimit, is.monthlyLimit) ||
    accounts.some((accountId) => mostByItself(after, accountId) > mostByItself(before, accountId))
  );
}

function widensAccounts(before: AgentPolicy, after: AgentPolicy): boolean {
  const was = before.accountRestrictions?.allowedAccountIds;
  const is = after.accountRestrictions?.allowedAccountIds;
  return was !== undefined && (is === undefined || is.some((accountId) => !was.includes(accountId)));
}

type Threshold = AgentPolicy['approvalThresholds'];

function widensThreshold(before: Threshold, after: Threshold): boolean {
  if (before?.amount === undefined) return false;
  return isRaised(before.amount, after?.amount) || before.currency !== after?.currency;
}

/** What is absent does not limit. */
const isRaised = <T extends bigint | number>(before: T | undefined, after: T | undefined): boolean =>
  before !== undefined && (after === undefined || after > before);
