/**
 * Double entry: an event that moves money carries its own postings, and they sum to zero in each currency. So the
 * trial balance is zero at every position of the log.
 */
import { z } from 'zod';
import { minorUnits } from '../../kernel/codecs.ts';
import { type InternalAccountId, idField } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Money } from '../../kernel/money.ts';

/**
 * Accounts without a stream and without a limit, one per platform and currency: the outside world, money between two
 * steps of a payment, what the service earned, and the two sides of currency exchange.
 */
export const systemAccounts = ['rail', 'in-flight', 'fees', 'fx'] as const;
export type SystemAccount = (typeof systemAccounts)[number];

export const posting = z.object({
  account: z.union([z.enum(systemAccounts), idField('InternalAccount')]),
  /** Positive into the account, negative out of it. */
  minor: minorUnits,
  currency: z.string().min(1),
});
export type Posting = z.output<typeof posting>;
export const postings = z.array(posting).min(2);

type LedgerAccount = SystemAccount | InternalAccountId;

/** The two postings that carry `amount` from one account to another. */
export const move = (
  from: LedgerAccount,
  to: LedgerAccount,
  { minor, currency }: Money,
): readonly Posting[] => [
  { account: from, minor: -minor, currency },
  { account: to, minor, currency },
];

/** What moving nothing would leave: postings of zero are left out of an entry. */
export const withoutZeros = (entry: readonly Posting[]): Posting[] =>
  entry.filter(({ minor }) => minor !== 0n);

/** The sum of the postings per currency; only currencies whose sum is not zero. */
export function imbalance(entry: readonly Posting[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { currency, minor } of entry) sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  for (const [currency, sum] of sums) if (sum === 0n) sums.delete(currency);
  return sums;
}

/** The postings of any event; empty for one that moves no money. */
export function postingsOf(event: { readonly data: unknown }): readonly Posting[] {
  const { data } = event;
  if (typeof data !== 'object' || data === null || !('postings' in data)) return [];
  return data.postings as readonly Posting[];
}

/** Stops an event that does not balance from entering the log. */
export function assertBalanced(event: { readonly type: string; readonly data: unknown }): void {
  const entry = postingsOf(event);
  if (entry.length === 0) return;
  const [first] = imbalance(entry);
  invariant(!first, `${event.type} is out of balance by ${first?.[1]} ${first?.[0]}`);
}
