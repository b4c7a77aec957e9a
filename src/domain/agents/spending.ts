/**
 * Which policies let an agent pay without anybody's approval, and which changes let it pay more: for these, whoever
 * decides has to be allowed to pay.
 */
import { isId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { countingRule, type RuleOf } from './authorize.ts';
import type { AgentPermission, AgentPolicy } from './events.ts';

const paying: readonly AgentPermission[] = ['CREATE_TRANSFERS', 'EXECUTE_QUOTES'];

/** Whether an agent with this policy can pay from some account by itself. */
export const paysByItself = (policy: AgentPolicy): boolean =>
  policy.permissions.some((permission) => paying.includes(permission)) &&
  singleWays(policy).some(isMore(mostByItself(policy), () => 0n));

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

/**
 * Whether an agent can pay more, in any respect, once another account is in the place of this one: no rule is for it, and it
 * is on no list.
 */
export function widensWithout(policy: AgentPolicy, accountId: string): boolean {
  const { allowedAccountIds, accountRules } = policy.accountRestrictions ?? {};
  if (allowedAccountIds !== undefined) return false;
  const others = accountRules?.filter((rule) => rule.accountId !== accountId) ?? [];
  return widens(policy, { ...policy, accountRestrictions: { accountRules: others } });
}

/** Throws `Rejected` (FORBIDDEN) for whoever lets an agent pay and may not pay. */
export function requireMayPay(mayPay: boolean): void {
  if (mayPay) return;
  const message =
    'Who lets an agent pay without approval, or pay more, needs the permission TRANSACT as well.';
  throw new Rejected('FORBIDDEN', message, { requiredPermission: 'TRANSACT' });
}

/** The account that pays and, where money is pulled in from outside, the one that is paid. */
type Way = readonly string[];

/** From an account with a rule; any other stands for all that have none. */
const singleWays = (...policies: readonly AgentPolicy[]): readonly Way[] => [
  [],
  ...policies.flatMap(({ accountRestrictions }) =>
    (accountRestrictions?.accountRules ?? []).map(({ accountId }) => [accountId]),
  ),
];

/**
 * From accounts outside into those of the customer's whose rule counts where the one outside has none: into the one that
 * least goes to by itself before, and the one that most goes to after. What is more into any other is more into these.
 */
function pullingWays(ways: readonly Way[], before: Most, after: Most): readonly Way[] {
  const isOutside = ([payer]: Way) => isId('ExternalAccount', payer ?? '');
  const inside = ways.filter((way) => !isOutside(way));
  const least = inside.reduce((one, other) => (before(other) < before(one) ? other : one));
  const most = inside.reduce((one, other) => (after(other) > after(one) ? other : one));
  return ways.filter(isOutside).flatMap((way) => [way.concat(least), way.concat(most)]);
}

/** The largest payment of a way that nobody has to approve, thresholds aside. */
type Most = (way: Way) => bigint;

function mostByItself({ accountRestrictions, defaultExecutionMode, spendingLimits }: AgentPolicy): Most {
  // Of several for one account the first counts.
  const rules = new Map(
    accountRestrictions?.accountRules?.toReversed().map((rule) => [rule.accountId, rule]),
  );
  const ruleOf: RuleOf = (accountId = '') => rules.get(accountId);
  return (way) => {
    const rule = countingRule(ruleOf, way);
    const mode = rule?.executionMode ?? defaultExecutionMode;
    return mode === 'AUTO' ? (rule?.perTransactionLimit ?? spendingLimits.perTransactionLimit) : 0n;
  };
}

/** Whether there is a way to pay more without approval than before. */
function widensRules(before: AgentPolicy, after: AgentPolicy): boolean {
  const [was, is] = [mostByItself(before), mostByItself(after)];
  const ways = singleWays(before, after);
  return [...ways, ...pullingWays(ways, was, is)].some(isMore(is, was));
}

const isMore = (one: Most, other: Most) => (way: Way) => one(way) > other(way);

/** Limits of two currencies cannot be compared for good, since rates change. */
function widensLimits(before: AgentPolicy, after: AgentPolicy): boolean {
  const [was, is] = [before.spendingLimits, after.spendingLimits];
  return (
    was.currency !== is.currency ||
    isRaised(was.dailyLimit, is.dailyLimit) ||
    isRaised(was.dailyTransactionLimit, is.dailyTransactionLimit) ||
    isRaised(was.monthlyLimit, is.monthlyLimit) ||
    widensRules(before, after)
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
