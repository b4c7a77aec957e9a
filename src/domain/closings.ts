/**
 * How the books of streams are closed that have something by key. `version` changes with the fold, or with what a state
 * has: then the books are closed anew.
 */
import type { ClosingRules } from '../kernel/aggregate.ts';
import { refusalOf } from './accounts/booking.ts';
import type { AccountEvent } from './accounts/events.ts';
import { heldAs } from './accounts/held-credits.ts';
import type { Account, AccountCommand } from './accounts/state.ts';
import type { AgentCommand } from './agents/agent.ts';
import type { AgentEvent } from './agents/events.ts';
import type { Agent, AgentAction } from './agents/state.ts';

export const closingOfAccount: ClosingRules<Account, AccountCommand | AccountEvent> = {
  version: 1,
  history: {
    of: (state) => (state.status === 'none' ? undefined : state.entries),
    put: (state, entries) => (state.status === 'none' ? state : { ...state, entries: entries as never }),
    stays: () => false,
    keysOf: (message) => ('entryId' in message ? entriesAskedFor(message) : []),
  },
};

type EntryCommand = Extract<AccountCommand, { readonly entryId: string }>;

/** An entry may have been booked, held, or refused to an agent for good. */
function entriesAskedFor(command: EntryCommand): readonly string[] {
  const { entryId } = command;
  if (command.type === 'CreditAccount')
    return command.purpose === 'deposit' ? [entryId] : [entryId, heldAs(entryId)];
  return command.agentAction ? [entryId, refusalOf(command.agentAction)] : [entryId];
}

export const closingOfAgent: ClosingRules<Agent, AgentCommand | AgentEvent> = {
  version: 1,
  history: {
    of: (state) => (state.status === 'NONE' ? undefined : state.actions),
    put: (state, actions) => (state.status === 'NONE' ? state : { ...state, actions: actions as never }),
    stays: (action) => (action as AgentAction).status === 'PENDING_APPROVAL',
    keysOf: (message) => actionsAskedFor('data' in message ? message.data : message),
  },
};

const actionsAskedFor = (asking: object): readonly string[] =>
  'actionId' in asking && typeof asking.actionId === 'string' ? [asking.actionId] : [];
