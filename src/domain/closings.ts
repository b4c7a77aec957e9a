/**
 * How the books of streams are closed that have something by key. `version` changes with the fold, or with what a state
 * has: then the books are closed anew.
 */
import type { ClosingRules } from '../kernel/aggregate.ts';
import { entriesOfFinal, isFinalIfRefused, refusalOf } from './accounts/booking.ts';
import type { AccountEvent } from './accounts/events.ts';
import { heldAs, oldestHeld, refusedAs } from './accounts/held-credits.ts';
import type { Account, AccountCommand } from './accounts/state.ts';
import type { AgentCommand } from './agents/agent.ts';
import type { AgentEvent } from './agents/events.ts';
import type { Agent, AgentAction } from './agents/state.ts';
import type { WalletCommand } from './wallets/commands.ts';
import type { WalletEvent } from './wallets/events.ts';
import type { Wallet } from './wallets/state.ts';

export const closingOfAccount: ClosingRules<Account, AccountCommand | AccountEvent> = {
  version: 2,
  history: {
    of: (state) => (state.status === 'none' ? undefined : state.entries),
    put: (state, entries) => (state.status === 'none' ? state : { ...state, entries: entries as never }),
    stays: () => false,
    keysOf: (message, state) =>
      'data' in message ? entriesOfEvent(message) : [...entriesAskedFor(message), ...heldFor(message, state)],
  },
};

/** A credit that was held has a number, which events of former versions leave out. */
const entriesOfEvent = ({ type, data }: AccountEvent): readonly string[] =>
  type === 'AccountCredited' && data.purpose !== 'deposit' && data.held === undefined
    ? [heldAs(data.entryId)]
    : [];

/** An entry may have been booked, held, or refused for good. */
function entriesAskedFor(command: AccountCommand): readonly string[] {
  if (!('entryId' in command)) return [];
  const { entryId } = command;
  if (isFinalIfRefused(command)) return entriesOfFinal(command);
  if (command.type === 'CreditAccount') {
    const others = { deposit: [], refund: [heldAs], payment: [heldAs, refusedAs] }[command.purpose];
    return [entryId, ...others.map((name) => name(entryId))];
  }
  return command.agentAction ? [entryId, refusalOf(command.agentAction)] : [entryId];
}

/** What is held may be credited with whatever makes room for it; these make none. */
const blind = new Set<AccountCommand['type']>([
  'OpenAccount',
  'CreditAccount',
  'FreezeAccount',
  'HaltAccount',
]);

function heldFor({ type }: AccountCommand, state: Account): readonly string[] {
  return blind.has(type) || state.status === 'none' ? [] : oldestHeld(state);
}

export const closingOfAgent: ClosingRules<Agent, AgentCommand | AgentEvent> = {
  version: 3,
  history: {
    of: (state) => (state.status === 'NONE' ? undefined : state.actions),
    put: (state, actions) => (state.status === 'NONE' ? state : { ...state, actions: actions as never }),
    stays: (action) => (action as AgentAction).status === 'PENDING_APPROVAL',
    keysOf: (message) => actionsAskedFor('data' in message ? message.data : message),
  },
};

export const closingOfWallet: ClosingRules<Wallet, WalletCommand | WalletEvent> = {
  version: 2,
  history: {
    of: (state) => state.usedChallenges,
    put: (state, usedChallenges) => ({ ...state, usedChallenges: usedChallenges as never }),
    stays: () => false,
    keysOf: (message) => ('data' in message ? [] : challengeAskedFor(message)),
  },
};

/** A registration challenge may have been used. */
const challengeAskedFor = (command: WalletCommand): readonly string[] =>
  command.type === 'AddCredential' && command.credential.identity.type === 'PASSKEY'
    ? [command.credential.identity.challenge]
    : [];

const actionsAskedFor = (asking: object): readonly string[] =>
  'actionId' in asking && typeof asking.actionId === 'string' ? [asking.actionId] : [];
