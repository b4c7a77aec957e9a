/**
 * What an account holds stays within what the interface carries, and a frozen account takes nothing. Money that is on its
 * way is held then, in the account's own stream, and credited as soon as debits have made room, or the account is not
 * frozen any more: nothing of it is lost or returned. While its customer is being deleted it holds payments and takes what
 * comes back, so that whoever deletes finds either. An account that is closed takes what comes back, and refuses what is
 * paid to it. So many at a time are looked at, from the oldest; where others are left, the last event says so, and they
 * follow in appends of their own.
 */
import { int64Max, type Money, smaller } from '../../kernel/money.ts';
import { move } from '../books/postings.ts';
import type { AccountEvent } from './events.ts';
import type { EntryCommand, Held, HeldCredit, OpenAccount } from './state.ts';

export type ArrivingCredit = Extract<EntryCommand, { purpose: 'refund' | 'payment' }>;

type Credited = Extract<AccountEvent, { type: 'AccountCredited' }>;
type Refused = Extract<AccountEvent, { type: 'CreditRefused' }>;
type Holding = Extract<AccountEvent, { type: 'CreditHeld' }> | Refused;

/** Held credits that are looked at, and credited, together. */
export const heldTogetherMax = 100;

export const noneHeld: Held = { oldest: [], further: 1, next: 1, minor: 0n };

/** The entry that stands for holding a credit: it has the number. */
export const heldAs = (entryId: string) => `${entryId}:held`;

/** The entry that stands for refusing a credit. */
export const refusedAs = (entryId: string) => `${entryId}:refused`;

/** The entry by the name that an operator's decision about it has. */
export const decidedAs = (entryId: string, decision: string) => `${entryId}:${decision}`;

/** The entry that has the credit of a number. */
const creditAt = (n: number) => `held-credit:${n}`;

/** What has to be known of an account to credit what it holds. */
export const oldestHeld = ({ held }: OpenAccount): readonly string[] => held.oldest.map(creditAt);

/** How many credits the account holds. */
export const countHeld = ({ held: { oldest, further, next } }: OpenAccount): number =>
  oldest.length + next - further;

/** The oldest of them, as far as they are known. */
export const heldCredits = ({ held, entries }: OpenAccount): readonly (HeldCredit & { n: number })[] =>
  held.oldest.flatMap((n) => {
    const credit = entries.get(creditAt(n));
    return typeof credit === 'object' ? [{ ...credit, n }] : [];
  });

/** The account, holding one more. */
export function hold(state: OpenAccount, credit: HeldCredit): OpenAccount {
  const { next, minor, ...others } = state.held;
  const entries = state.entries.with(heldAs(credit.entryId), next).with(creditAt(next), credit);
  return {
    ...state,
    entries,
    held: filled({ ...others, next: next + 1, minor: minor + credit.amount.minor }),
  };
}

/** What is held after a credit: events of former versions name no number. */
export function letGo(state: OpenAccount, credit: Credited['data']): Held {
  const { held = credit.purpose === 'deposit' ? undefined : state.entries.get(heldAs(credit.entryId)) } =
    credit;
  return without(state, typeof held === 'number' ? held : undefined, credit.amount);
}

/** What is held once the one with this number is not. */
export function without({ held }: OpenAccount, n: number | undefined, amount: Money): Held {
  if (n === undefined) return held;
  const skipped = Array.from({ length: Math.max(0, n - held.further) }, (_, i) => held.further + i);
  const oldest = [...held.oldest, ...skipped].filter((one) => one !== n);
  const minor = held.minor - amount.minor;
  return filled({ ...held, oldest, further: Math.max(held.further, n + 1), minor });
}

function filled({ oldest, further, next, minor }: Held): Held {
  const room = Math.max(0, Math.min(heldTogetherMax - oldest.length, next - further));
  const more = Array.from({ length: room }, (_, i) => further + i);
  return { oldest: [...oldest, ...more], further: further + room, next, minor };
}

export const hasRoom = (balance: bigint, { minor }: Money): boolean => balance + minor <= int64Max;

/** What the account has with what it holds, as far as the interface carries it. */
export const totalBalance = (balance: bigint, held: bigint): bigint => smaller(balance + held, int64Max);

/** Whether the total is another one since a credit is held, or since one that was held is refused. */
export function changesTotal({ type, data: { amount } }: Holding, { balance, held }: OpenAccount): boolean {
  const before = type === 'CreditHeld' ? held.minor - amount.minor : held.minor + amount.minor;
  return totalBalance(balance, before) !== totalBalance(balance, held.minor);
}

/** The credit, or that it is held or refused. A credit that is held or refused already stays so. */
export function arrive(command: ArrivingCredit, state: OpenAccount): readonly AccountEvent[] {
  if (state.entries.get(heldAs(command.entryId)) !== undefined) return [];
  const { entryId, transactionId, requestedBy, amount, purpose, from, at } = command;
  const credit = { entryId, transactionId, requestedBy, amount, purpose, from };
  const held = { accountId: state.accountId, ...credit, at };
  if (isRefused(state, credit))
    return state.entries.get(refusedAs(entryId)) === undefined ? [refused(credit, state, at)] : [];
  if (state.status === 'FROZEN') return [{ type: 'CreditHeld', data: { ...held, because: 'frozen' } }];
  if (isHalted(state) && purpose === 'payment')
    return [{ type: 'CreditHeld', data: { ...held, because: 'halted' } }];
  if (hasRoom(state.balance, amount)) return [credited(credit, state, state.balance, at)];
  return [{ type: 'CreditHeld', data: held }];
}

/** The held credits that fit by now, looked at from the oldest; of a closed account, the payments that it refuses too. */
export function released(state: OpenAccount, balance: bigint, at: Date): readonly AccountEvent[] {
  let now = balance;
  const events = heldCredits(state).flatMap(({ n: held, ...credit }): (Credited | Refused)[] => {
    if (isRefused(state, credit)) return [refused(credit, state, at, held)];
    if (!hasRoom(now, credit.amount)) return [];
    const event = credited(credit, state, now, at);
    now += credit.amount.minor;
    return [{ ...event, data: { ...event.data, held } }];
  });
  const last = events.at(-1);
  const { further, next } = state.held;
  return !last || further === next ? events : [...events.slice(0, -1), withMore(last)];
}

const withMore = (event: Credited | Refused): AccountEvent =>
  event.type === 'AccountCredited'
    ? { ...event, data: { ...event.data, more: true } }
    : { ...event, data: { ...event.data, more: true } };

/** What comes back has no other place. */
const isRefused = ({ status }: OpenAccount, { purpose }: Pick<HeldCredit, 'purpose'>): boolean =>
  status === 'CLOSED' && purpose === 'payment';

const refused = (
  { entryId, transactionId, amount }: HeldCredit,
  { accountId }: OpenAccount,
  at: Date,
  held?: number,
): Refused => ({
  type: 'CreditRefused',
  data: {
    accountId,
    entryId,
    transactionId,
    amount,
    code: 'USER_NOT_READY',
    ...(held !== undefined && { held }),
    at,
  },
});

export const releaseHeld = (state: OpenAccount, at: Date): readonly AccountEvent[] =>
  state.status === 'FROZEN' || isHalted(state) ? [] : released(state, state.balance, at);

/** Its customer is being deleted. */
export const isHalted = ({ status, halt }: OpenAccount): boolean =>
  status !== 'CLOSED' && halt !== undefined && !halt.isLifted;

function credited(
  { entryId, transactionId, requestedBy, amount, purpose, from }: HeldCredit,
  { accountId, customerId }: OpenAccount,
  balance: bigint,
  at: Date,
): Credited {
  const balanceAfter = balance + amount.minor;
  const postings = [...move(from, accountId, amount)];
  const entry = { accountId, entryId, transactionId, requestedBy, amount, at };
  return { type: 'AccountCredited', data: { ...entry, customerId, balanceAfter, postings, purpose } };
}
