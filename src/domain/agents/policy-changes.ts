/** How a policy changes: lists are replaced whole, limits one by one, and `null` takes a rule away. */
import { badField } from '../../kernel/rejected.ts';
import type { AgentPermission, AgentPolicy, ExecutionMode } from './events.ts';

type Cap<T> = T | null | undefined;

/** What is left out stays as it is. */
export type PolicyChanges = {
  readonly permissions?: readonly AgentPermission[] | undefined;
  readonly defaultExecutionMode?: ExecutionMode | undefined;
  readonly spendingLimits?:
    | {
        readonly currency?: string | undefined;
        readonly perTransactionLimit?: bigint | undefined;
        readonly dailyLimit?: Cap<bigint>;
        readonly dailyTransactionLimit?: Cap<number>;
        readonly monthlyLimit?: Cap<bigint>;
      }
    | undefined;
  readonly accountRestrictions?:
    | {
        readonly allowedAccountIds?: Cap<readonly string[]>;
        readonly accountRules?: Cap<readonly RuleChanges[]>;
      }
    | null
    | undefined;
  readonly approvalThresholds?:
    | { readonly currency?: string | undefined; readonly amount?: Cap<bigint> }
    | null
    | undefined;
};

type RuleChanges = {
  readonly accountId: string;
  readonly executionMode?: ExecutionMode | undefined;
  readonly perTransactionLimit?: Cap<bigint>;
};

/** What a new agent may do: nothing that its policy does not say. */
export const newPolicy = (
  policy: PolicyChanges & { readonly spendingLimits: { currency: string; perTransactionLimit: bigint } },
): AgentPolicy =>
  changedPolicy(
    {
      permissions: [],
      defaultExecutionMode: 'AUTO',
      spendingLimits: { currency: policy.spendingLimits.currency, perTransactionLimit: 0n },
    },
    policy,
  );

/** Throws `Rejected` where a threshold would have no currency. */
export function changedPolicy(policy: AgentPolicy, changes: PolicyChanges): AgentPolicy {
  const { permissions, defaultExecutionMode, spendingLimits = {} } = changes;
  const { currency, perTransactionLimit, dailyLimit, dailyTransactionLimit, monthlyLimit } = spendingLimits;
  const before = policy.spendingLimits;
  return {
    permissions: permissions ? [...new Set(permissions)] : policy.permissions,
    defaultExecutionMode: defaultExecutionMode ?? policy.defaultExecutionMode,
    spendingLimits: {
      currency: currency ?? before.currency,
      perTransactionLimit: perTransactionLimit ?? before.perTransactionLimit,
      dailyLimit: changed(before.dailyLimit, dailyLimit),
      dailyTransactionLimit: changed(before.dailyTransactionLimit, dailyTransactionLimit),
      monthlyLimit: changed(before.monthlyLimit, monthlyLimit),
    },
    accountRestrictions: changedRestrictions(policy.accountRestrictions, changes.accountRestrictions),
    approvalThresholds: changedThresholds(policy.approvalThresholds, changes.approvalThresholds),
  };
}

const changed = <T>(before: T | undefined, change: Cap<T>): T | undefined =>
  change === undefined ? before : (change ?? undefined);

function changedRestrictions(
  before: AgentPolicy['accountRestrictions'],
  change: PolicyChanges['accountRestrictions'],
): AgentPolicy['accountRestrictions'] {
  if (change === undefined) return before;
  if (change === null) return undefined;
  const allowed = changed<readonly string[]>(before?.allowedAccountIds, change.allowedAccountIds);
  const rules = changed<readonly RuleChanges[]>(before?.accountRules, change.accountRules);
  return {
    ...(allowed && { allowedAccountIds: [...new Set(allowed)] }),
    ...(rules && { accountRules: rules.map(ruleOf) }),
  };
}

const ruleOf = ({ accountId, executionMode, perTransactionLimit }: RuleChanges) => ({
  accountId,
  executionMode,
  perTransactionLimit: perTransactionLimit ?? undefined,
});

function changedThresholds(
  before: AgentPolicy['approvalThresholds'],
  change: PolicyChanges['approvalThresholds'],
): AgentPolicy['approvalThresholds'] {
  if (change === undefined) return before;
  if (change === null) return undefined;
  const amount = changed(before?.amount, change.amount);
  const currency = change.currency ?? before?.currency;
  if (currency !== undefined) return { currency, ...(amount !== undefined && { amount }) };
  if (amount === undefined) return undefined;
  throw badField('approvalThresholds.currency', 'is required with amount');
}
