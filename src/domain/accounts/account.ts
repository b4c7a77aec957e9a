/**
 * An internal account: the only place that changes its balance, and the balance never goes below zero. Every entry is
 * booked once, however often its command is repeated.
 */
import type { Decider } from '../../kernel/decider.ts';
import type { CustomerId, InternalAccountId, PlatformId, TransactionId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { int64Max, type Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { EntryIndex } from '../books/entry-index.ts';
import { move, type SystemAccount } from '../books/postings.ts';
import type { AgentActionRef } from '../payments/events.ts';
import type { AccountEvent, AccountStatus, AccountType, DepositOrigin, OpenedPayment } from './events.ts';

type Entry = {
  readonly entryId: string;
  readonly transactionId: TransactionId;
  readonly requestedBy: string;
  readonly amount: Money;
  readonly at: Date;
};

export type AccountCommand =
  | {
      readonly type: 'OpenAccount';
      readonly platformId: PlatformId;
      readonly accountId: InternalAccountId;
      readonly customerId: CustomerId | null;
      readonly accountType: AccountType;
      readonly currency: string;
      readonly status: AccountStatus;
      readonly at: Date;
    }
  /** Does nothing where the account has gone further already: ACTIVE follows PENDING, and CLOSED is for good. */
  | { readonly type: 'ChangeAccountStatus'; readonly status: 'ACTIVE' | 'CLOSED'; readonly at: Date }
  | (Entry & {
      readonly type: 'DebitAccount';
      readonly purpose: 'payout' | 'transfer';
      readonly to: SystemAccount;
      readonly opens?: OpenedPayment;
      /** For an agent's action a refusal is recorded, and final. */
      readonly agentAction?: AgentActionRef;
    })
  | (Entry & {
      readonly type: 'CreditAccount';
      readonly purpose: 'refund' | 'payment';
      readonly from: SystemAccount;
    })
  | (Entry & {
      readonly type: 'CreditAccount';
      readonly purpose: 'deposit';
      readonly from: SystemAccount;
      readonly deposit: DepositOrigin;
    });

export type OpenAccount = {
  readonly status: AccountStatus;
  readonly platformId: PlatformId;
  readonly accountId: InternalAccountId;
  readonly customerId: CustomerId | null;
  readonly accountType: AccountType;
  readonly currency: string;
  readonly balance: bigint;
  readonly entries: EntryIndex;
  readonly openedAt: Date;
  readonly updatedAt: Date;
};
export type Account = { readonly status: 'none' } | OpenAccount;

type EntryCommand = Exclude<AccountCommand, { type: 'OpenAccount' | 'ChangeAccountStatus' }>;

export const account: Decider<Account, AccountCommand, AccountEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    if (command.type === 'OpenAccount') {
      if (state.status !== 'none') return [];
      const { platformId, accountId, customerId, accountType, currency, status, at } = command;
      const opened = { platformId, accountId, customerId, accountType, currency, status, at };
      return [{ type: 'AccountOpened', data: opened }];
    }
    if (state.status === 'none')
      throw new Rejected('REFERENCE_NOT_FOUND', 'There is no such internal account.');
    if (command.type === 'ChangeAccountStatus') {
      const { status, at } = command;
      const follows = status === 'ACTIVE' ? state.status === 'PENDING' : state.status !== 'CLOSED';
      const { accountId } = state;
      return follows ? [{ type: 'AccountStatusChanged', data: { accountId, status, at } }] : [];
    }
    if (command.type === 'DebitAccount' && command.agentAction)
      return debitForAction(command, command.agentAction, state);
    if (state.entries.bookedBy(command.entryId) !== undefined) return [];
    return [book(command, state)];
  },

  evolve(state, event) {
    if (event.type === 'AccountOpened') {
      const { platformId, accountId, customerId, accountType, currency, status, at } = event.data;
      const common = { platformId, accountId, customerId, accountType, currency, status };
      return { ...common, balance: 0n, entries: EntryIndex.empty, openedAt: at, updatedAt: at };
    }
    invariant(state.status !== 'none', `${event.type} before the account was opened`);
    if (event.type === 'AccountStatusChanged') {
      const { status, at } = event.data;
      return { ...state, status, updatedAt: at };
    }
    if (event.type === 'DebitRefused') {
      const { agentAction } = event.data;
      return { ...state, entries: state.entries.with(refusalOf(agentAction), agentAction.actionId) };
    }
    const { entryId, requestedBy, balanceAfter, at } = event.data;
    invariant(balanceAfter >= 0n, 'a balance below zero');
    return {
      ...state,
      balance: balanceAfter,
      entries: state.entries.with(entryId, requestedBy),
      updatedAt: at,
    };
  },
};

const refusalOf = ({ actionId }: AgentActionRef) => `${actionId}:refused`;

/** Either the debit or its refusal is recorded, once: a repeat cannot come to the other result. */
function debitForAction(
  command: Extract<AccountCommand, { type: 'DebitAccount' }>,
  agentAction: AgentActionRef,
  state: OpenAccount,
): readonly AccountEvent[] {
  const by = state.entries.bookedBy(command.entryId);
  if (by === command.requestedBy || state.entries.bookedBy(refusalOf(agentAction)) !== undefined) return [];
  try {
    if (by !== undefined) throw new Rejected('CONFLICT', 'The payment was executed by another request.');
    return [book(command, state)];
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { code, message } = error;
    const { transactionId, amount, at } = command;
    const { accountId } = state;
    return [
      {
        type: 'DebitRefused',
        data: { accountId, transactionId, agentAction, amount, code, message, at },
      },
    ];
  }
}

function book(command: EntryCommand, state: OpenAccount): AccountEvent {
  const { entryId, transactionId, requestedBy, amount, at } = command;
  const { accountId, customerId } = state;
  invariant(amount.minor > 0n, 'an entry of nothing');
  invariant(
    amount.currency === state.currency,
    `${amount.currency} booked on an account in ${state.currency}`,
  );
  const entry = { accountId, entryId, transactionId, requestedBy, amount, at };
  if (command.type === 'DebitAccount') {
    requireActive(state);
    const balanceAfter = state.balance - amount.minor;
    requireCovered(state, amount);
    const postings = [...move(accountId, command.to, amount)];
    const { purpose, opens, agentAction } = command;
    const more = { ...(opens && { opens }), ...(agentAction && { agentAction }) };
    return {
      type: 'AccountDebited',
      data: { ...entry, purpose, balanceAfter, postings, ...more },
    };
  }
  const balanceAfter = state.balance + amount.minor;
  const postings = [...move(command.from, accountId, amount)];
  const credit = { ...entry, customerId, balanceAfter, postings };
  // Money that is on its way always arrives, whatever has become of the account since.
  if (command.purpose !== 'deposit')
    return { type: 'AccountCredited', data: { ...credit, purpose: command.purpose } };
  requireActive(state);
  if (balanceAfter > int64Max)
    throw new Rejected('AMOUNT_OUT_OF_RANGE', 'The balance would exceed what the interface can carry.');
  return { type: 'AccountCredited', data: { ...credit, purpose: 'deposit', deposit: command.deposit } };
}

function requireActive({ status, accountId }: OpenAccount): void {
  if (status === 'ACTIVE') return;
  throw new Rejected(
    'USER_NOT_READY',
    `The internal account is ${status}; only an ACTIVE account sends or receives.`,
    {
      accountId,
      status,
    },
  );
}

/** Throws `Rejected` on a short balance. */
export function requireCovered(state: OpenAccount, amount: Money): void {
  if (state.balance < amount.minor) throw insufficientBalance(state, amount);
}

const insufficientBalance = ({ accountId, balance, currency }: OpenAccount, required: Money) =>
  new Rejected('INSUFFICIENT_BALANCE', 'The balance of the source account does not cover the amount.', {
    accountId,
    currency,
    balance,
    required: required.minor,
  });

export const internalAccountNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such internal account.', { resource: 'InternalAccount' });
