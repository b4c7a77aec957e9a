/** About how many bytes of memory the parts of a state take whose number grows with use. */
import type { Account } from './accounts/state.ts';
import type { Agent } from './agents/state.ts';
import type { Transaction } from './payments/life/progress.ts';

export const entryBytes = 200;
const heldCreditBytes = 500;
export const actionBytes = 4_096;
const accountIdBytes = 100;
const accountRuleBytes = 300;
/** A character that is not Latin takes two. */
const characterBytes = 2;

export const bytesOfAccount = (state: Account): number =>
  state.status === 'none' ? 0 : state.entries.size * entryBytes + state.held.length * heldCreditBytes;

export function bytesOfAgent(state: Agent): number {
  if (state.status === 'NONE') return 0;
  const { allowedAccountIds, accountRules } = state.policy.accountRestrictions ?? {};
  const lists =
    (allowedAccountIds?.length ?? 0) * accountIdBytes + (accountRules?.length ?? 0) * accountRuleBytes;
  return lists + state.actions.size * actionBytes;
}

/** What the platform said of the customer; nothing for most payments. */
export function bytesOfTransaction(state: Transaction): number {
  if (state.stage === 'none' || state.terms.kind !== 'quote') return 0;
  const { senderCustomerInfo } = state.terms.quote;
  if (!senderCustomerInfo) return 0;
  const characters = Object.entries(senderCustomerInfo).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    0,
  );
  return characters * characterBytes;
}
