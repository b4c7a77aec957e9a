import type { AccountEvent, OpenedPayment } from '../../../src/domain/accounts/events.ts';
import type { AccountCommand } from '../../../src/domain/accounts/state.ts';
import { move } from '../../../src/domain/books/postings.ts';
import type { AgentActionRef, OutflowLimits } from '../../../src/domain/payments/events.ts';
import { testStart } from '../time/clock.ts';
import type { DataOf } from './events.ts';
import { accountId, customerId, platformId, transactionId } from './identities.ts';
import { usd } from './money.ts';

const opening = {
  platformId,
  accountId,
  customerId,
  accountType: 'INTERNAL_FIAT',
  currency: 'USD',
  status: 'ACTIVE',
  at: testStart,
} as const;

export const bankTransfer = { reference: 'WIRE-1', platformCustomerId: 'user-1' };

const entry = {
  entryId: 'entry-1',
  transactionId,
  requestedBy: 'request-1',
  amount: usd(100_00n),
  at: testStart,
};

type Opening = Omit<Extract<AccountCommand, { type: 'OpenAccount' }>, 'type'>;
type Entry = Pick<Extract<AccountCommand, { type: 'DebitAccount' }>, keyof typeof entry>;

export const openAccount = (overrides: Partial<Opening> = {}) =>
  ({ type: 'OpenAccount', ...opening, ...overrides }) as const;

export const debit = (
  overrides: Partial<
    Entry & { opens: OpenedPayment; agentAction: AgentActionRef; limits: OutflowLimits }
  > = {},
) => ({ type: 'DebitAccount', purpose: 'payout', to: 'in-flight', ...entry, ...overrides }) as const;

export const refund = (overrides: Partial<Entry> = {}) =>
  ({ type: 'CreditAccount', purpose: 'refund', from: 'in-flight', ...entry, ...overrides }) as const;

/** What arrives for the account by way of a payment. */
export const arrival = (overrides: Partial<Entry> = {}) =>
  ({ type: 'CreditAccount', purpose: 'payment', from: 'rail', ...entry, ...overrides }) as const;

export const deposit = (overrides: Partial<Entry> = {}) =>
  ({
    type: 'CreditAccount',
    purpose: 'deposit',
    from: 'rail',
    deposit: bankTransfer,
    ...entry,
    ...overrides,
  }) as const;

type Opened = DataOf<AccountEvent, 'AccountOpened'>;
type Debited = DataOf<AccountEvent, 'AccountDebited'>;
type Refused = DataOf<AccountEvent, 'DebitRefused'>;
type Credited = DataOf<AccountEvent, 'AccountCredited'>;
type NotTaken = DataOf<AccountEvent, 'DepositRefused'>;
type Held = DataOf<AccountEvent, 'CreditHeld'>;

export const changeStatus = (status: 'ACTIVE' | 'CLOSED') =>
  ({ type: 'ChangeAccountStatus', status, at: testStart }) as const;

type Changed = DataOf<AccountEvent, 'AccountStatusChanged'>;

export const statusChanged = (status: Changed['status'], overrides: Partial<Changed> = {}) =>
  ({ type: 'AccountStatusChanged', data: { accountId, status, at: testStart, ...overrides } }) as const;

const reason = 'asked for by the police';

export const freeze = () => ({ type: 'FreezeAccount', reason, at: testStart }) as const;
export const unfreeze = () => ({ type: 'UnfreezeAccount', reason, at: testStart }) as const;
export const frozen = () => statusChanged('FROZEN', { from: 'ACTIVE', reason });
export const unfrozen = () => statusChanged('ACTIVE', { from: 'FROZEN', reason });

/** For the first deletion of the customer, unless told otherwise. */
export const halt = (deletion = 1) => ({ type: 'HaltAccount', deletion, at: testStart }) as const;
export const liftHalt = (deletion = 1) => ({ type: 'LiftHalt', deletion, at: testStart }) as const;
export const accountHalted = (deletion = 1) =>
  ({ type: 'AccountHalted', data: { accountId, deletion, at: testStart } }) as const;
export const haltLifted = (deletion = 1) =>
  ({ type: 'HaltLifted', data: { accountId, deletion, at: testStart } }) as const;

export const accountOpened = (overrides: Partial<Opened> = {}) =>
  ({ type: 'AccountOpened', data: { ...opening, ...overrides } }) as const;

/** It was frozen, unless told otherwise. */
export function depositRefused(overrides: Partial<NotTaken> = {}) {
  const { entryId, amount, at } = entry;
  const code = 'USER_NOT_READY';
  const message = 'The internal account is FROZEN; only an ACTIVE account sends or receives.';
  const data = { accountId, entryId, transactionId, amount, at, code, message, ...overrides };
  return { type: 'DepositRefused', data } as const;
}

/** The account held less than 100.00. */
export const debitRefused = ({
  agentAction,
  ...overrides
}: Pick<Refused, 'agentAction'> & Partial<Refused>) =>
  ({
    type: 'DebitRefused',
    data: {
      accountId,
      transactionId,
      agentAction,
      amount: usd(100_00n),
      at: testStart,
      code: 'INSUFFICIENT_BALANCE',
      message: 'The balance of the source account does not cover the amount.',
      ...overrides,
    },
  }) as const;

/** The first payment out of an account that held 150.00, unless told otherwise. */
export function accountDebited(overrides: Partial<Debited> = {}) {
  const amount = overrides.amount ?? entry.amount;
  const postings = [...move(overrides.accountId ?? accountId, 'in-flight', amount)];
  const data = {
    accountId,
    ...entry,
    purpose: 'payout',
    balanceAfter: 50_00n,
    postings,
    ...overrides,
  } as const;
  return { type: 'AccountDebited', data } as const;
}

/** A first deposit, unless told otherwise. */
export function accountCredited(overrides: Partial<Credited> = {}) {
  const amount = overrides.amount ?? entry.amount;
  const postings = [...move('rail', overrides.accountId ?? accountId, amount)];
  const credit = { accountId, ...entry, customerId, balanceAfter: amount.minor, postings };
  const data = { ...credit, purpose: 'deposit', deposit: bankTransfer, ...overrides } as const;
  return { type: 'AccountCredited', data } as const;
}

/** An account that a first deposit has brought this many cents. */
export const holding = (minor: bigint) =>
  [accountOpened(), accountCredited({ entryId: 'first', amount: usd(minor) })] as const;

/** Money that came back to an account that was empty, unless told otherwise. */
export function accountRefunded(overrides: Partial<Omit<Credited, 'deposit'>> = {}) {
  const amount = overrides.amount ?? entry.amount;
  const postings = [...move('in-flight', overrides.accountId ?? accountId, amount)];
  const credit = { accountId, ...entry, customerId, balanceAfter: amount.minor, postings };
  return { type: 'AccountCredited', data: { ...credit, purpose: 'refund', ...overrides } } as const;
}

/** A payment that found no room, unless told otherwise. */
export const creditHeld = (overrides: Partial<Held> = {}) =>
  ({
    type: 'CreditHeld',
    data: { accountId, ...entry, purpose: 'payment', from: 'rail', ...overrides },
  }) as const;

type CreditRefused = DataOf<AccountEvent, 'CreditRefused'>;

/** A payment that came to a closed account. */
export function creditRefused(overrides: Partial<CreditRefused> = {}) {
  const { entryId, amount, at } = entry;
  const data = { accountId, entryId, transactionId, amount, code: 'USER_NOT_READY', at, ...overrides };
  return { type: 'CreditRefused', data } as const;
}

/** A payment that arrived on an empty account, unless told otherwise. */
export function accountPaid(overrides: Partial<Omit<Credited, 'deposit'>> = {}) {
  const amount = overrides.amount ?? entry.amount;
  const postings = [...move('rail', overrides.accountId ?? accountId, amount)];
  const credit = { accountId, ...entry, customerId, balanceAfter: amount.minor, postings };
  return { type: 'AccountCredited', data: { ...credit, purpose: 'payment', ...overrides } } as const;
}
