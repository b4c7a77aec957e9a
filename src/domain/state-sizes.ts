/** About how many bytes of memory the parts of a state take whose number grows with use. */
import type { Account } from './accounts/state.ts';
import type { Agent } from './agents/state.ts';
import type { PartyInformation } from './payments/ends.ts';
import type { Payment, Transaction } from './payments/life/progress.ts';
import { incomingOf } from './payments/terms.ts';
import type { Wallet } from './wallets/state.ts';

export const entryBytes = 200;
export const actionBytes = 4_096;
const credentialBytes = 2_048;
const sessionBytes = 500;
const accountIdBytes = 100;
const accountRuleBytes = 300;
/** A character that is not Latin takes two. */
const characterBytes = 2;

export const bytesOfAccount = (state: Account): number =>
  state.status === 'none' ? 0 : state.entries.bytes(entryBytes);

export function bytesOfAgent(state: Agent): number {
  if (state.status === 'NONE') return 0;
  const { allowedAccountIds, accountRules } = state.policy.accountRestrictions ?? {};
  const lists =
    (allowedAccountIds?.length ?? 0) * accountIdBytes + (accountRules?.length ?? 0) * accountRuleBytes;
  return lists + state.actions.bytes(actionBytes);
}

export const bytesOfWallet = ({ usedChallenges, credentials, sessions }: Wallet): number =>
  usedChallenges.bytes(entryBytes) + credentials.size * credentialBytes + sessions.size * sessionBytes;

/** What either side is told of the other; nothing for most payments. */
export function bytesOfTransaction(state: Transaction): number {
  if (state.stage === 'none') return 0;
  const characters = [...toldOf(state), state.described].reduce((sum, told) => sum + charactersOf(told), 0);
  return characters * characterBytes;
}

function toldOf({ terms }: Payment): readonly (PartyInformation | undefined)[] {
  if (terms.kind === 'quote') return [terms.quote.senderCustomerInfo, terms.quote.payerInformation];
  const incoming = incomingOf(terms);
  return [incoming?.counterpartyInformation, incoming?.heldReceiverInformation];
}

const charactersOf = (told: PartyInformation = {}): number =>
  Object.entries(told).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
