/**
 * An internal account: the only place that changes its balance, and the balance stays between zero and what the
 * interface carries. Every entry is booked once, however often its command is repeated.
 */

import type { Decider } from '../../kernel/decider.ts';
import { invariant } from '../../kernel/invariant.ts';
import { KeyedHistory } from '../../kernel/keyed-history.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { book, debitForAction, depositOrRefuse, isFinalIfRefused, refusalOf } from './booking.ts';
import type { AccountEvent } from './events.ts';
import { changeHalt } from './halt.ts';
import { hold, letGo, noneHeld, refusedAs, releaseHeld, without } from './held-credits.ts';
import { counted, noOutflow } from './outflow.ts';
import type { Account, AccountCommand, OpenAccount } from './state.ts';
import { changeStatus } from './status.ts';

export const account: Decider<Account, AccountCommand, AccountEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    if (command.type === 'OpenAccount') {
      if (state.status !== 'none') return [];
      const { platformId, accountId, customerId, accountType, currency, status, at } = command;
      const opened = { platformId, accountId, customerId, accountType, currency, status, at };
      return [{ type: 'AccountOpened', data: opened }];
    }
    if (state.status === 'none') {
      if (command.type === 'LiftHalt') return [];
      throw internalAccountNotFound();
    }
    if (command.type === 'ReleaseHeldCredits') return releaseHeld(state, command.at);
    if ('deletion' in command) return changeHalt(command, state);
    if (!('entryId' in command)) return changeStatus(command, state);
    if (command.type === 'DebitAccount' && command.agentAction)
      return debitForAction(command, command.agentAction, state);
    if (state.entries.get(command.entryId) !== undefined) return [];
    return isFinalIfRefused(command) ? depositOrRefuse(command, state) : book(command, state);
  },

  evolve(state, event) {
    if (event.type === 'AccountOpened') {
      const { platformId, accountId, customerId, accountType, currency, status, at } = event.data;
      const common = { platformId, accountId, customerId, accountType, currency, status };
      const entries: OpenAccount['entries'] = KeyedHistory.empty();
      const empty = { balance: 0n, entries, held: noneHeld, outflow: noOutflow };
      return { ...common, ...empty, openedAt: at, updatedAt: at };
    }
    invariant(state.status !== 'none', `${event.type} before the account was opened`);
    if (event.type === 'AccountStatusChanged') {
      const { status, at } = event.data;
      return { ...state, status, updatedAt: at };
    }
    if (event.type === 'AccountHalted' || event.type === 'HaltLifted') {
      const { deletion } = event.data;
      return { ...state, halt: { deletion, isLifted: event.type === 'HaltLifted' } };
    }
    if (event.type === 'DebitRefused') {
      const { agentAction } = event.data;
      return { ...state, entries: state.entries.with(refusalOf(agentAction), agentAction.actionId) };
    }
    if (event.type === 'DepositRefused') {
      const { entryId, code } = event.data;
      return { ...state, entries: state.entries.with(refusedAs(entryId), code) };
    }
    if (event.type === 'CreditRefused') {
      const { entryId, code, held, amount } = event.data;
      const entries = state.entries.with(refusedAs(entryId), code);
      return { ...state, entries, held: without(state, held, amount) };
    }
    if (event.type === 'CreditHeld') {
      const { entryId, transactionId, requestedBy, amount, purpose, from } = event.data;
      return hold(state, { entryId, transactionId, requestedBy, amount, purpose, from });
    }
    const { entryId, requestedBy, amount, balanceAfter, at } = event.data;
    invariant(balanceAfter >= 0n, 'a balance below zero');
    return {
      ...state,
      balance: balanceAfter,
      entries: state.entries.with(entryId, requestedBy),
      held: event.type === 'AccountCredited' ? letGo(state, event.data) : state.held,
      outflow: event.type === 'AccountDebited' ? counted(state.outflow, amount.minor, at) : state.outflow,
      updatedAt: at,
    };
  },
};

export const internalAccountNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such internal account.', { resource: 'InternalAccount' });
