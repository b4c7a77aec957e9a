/**
 * What an account holds stays within what the interface carries, and a frozen account takes nothing. Money that is on its
 * way is held then, in the account's own stream, and credited as soon as debits have made room, or the account is not
 * frozen any more: nothing of it is lost or returned.
 */
import { int64Max, type Money } from '../../kernel/money.ts';
import { move } from '../books/postings.ts';
import type { AccountEvent } from './events.ts';
import type { EntryCommand, HeldCredit, OpenAccount } from './state.ts';

export type ArrivingCredit = Extract<EntryCommand, { purpose: 'refund' | 'payment' }>;

/** The entry that stands for holding a credit. */
export const heldAs = (entryId: string) => `${entryId}:held`;

export const hasRoom = (balance: bigint, { minor }: Money): boolean => balance + minor <= int64Max;

/** The credit, or that it is held. A credit that is held already stays so. */
export function arrive(command: ArrivingCredit, state: OpenAccount): readonly AccountEvent[] {
  if (state.entries.get(heldAs(command.entryId)) !== undefined) return [];
  const { entryId, transactionId, requestedBy, amount, purpose, from, at } = command;
  const credit = { entryId, transactionId, requestedBy, amount, purpose, from };
  const held = { accountId: state.accountId, ...credit, at };
  if (state.status === 'FROZEN') return [{ type: 'CreditHeld', data: { ...held, because: 'frozen' } }];
  if (hasRoom(state.balance, amount)) return [credited(credit, state, state.balance, at)];
  return [{ type: 'CreditHeld', data: held }];
}

/** The held credits that fit by now, looked at from the oldest. */
export function released(state: OpenAccount, balance: bigint, at: Date): readonly AccountEvent[] {
  let now = balance;
  return state.held.flatMap((credit) => {
    if (!hasRoom(now, credit.amount)) return [];
    const event = credited(credit, state, now, at);
    now += credit.amount.minor;
    return [event];
  });
}

function credited(
  { entryId, transactionId, requestedBy, amount, purpose, from }: HeldCredit,
  { accountId, customerId }: OpenAccount,
  balance: bigint,
  at: Date,
): AccountEvent {
  const balanceAfter = balance + amount.minor;
  const postings = [...move(from, accountId, amount)];
  const entry = { accountId, entryId, transactionId, requestedBy, amount, at };
  return { type: 'AccountCredited', data: { ...entry, customerId, balanceAfter, postings, purpose } };
}
