/** What went from where to where by the postings of one event. */
import { type Currency, type Minor, magnitudeOf } from './money.ts';

/** Minor units of the currency; negative where it left the account. */
export type Posting = { readonly account: string; readonly minor: Minor; readonly currency: Currency };
export type Transfer = {
  readonly from: string;
  readonly to: string;
  readonly minor: bigint;
  readonly currency: Currency;
};

type Open = { readonly account: string; minor: bigint };

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/**
 * Postings sum to zero in each currency, and what belongs together stands together: each takes what the ones before it
 * have left open, the oldest first.
 */
export function transfersOf(postings: readonly Posting[]): readonly Transfer[] {
  const transfers: Transfer[] = [];
  const openOf = new Map<string, Open[]>();
  for (const { account, minor, currency } of postings) {
    const open = openOf.get(currency.code) ?? [];
    openOf.set(currency.code, open);
    let left = BigInt(minor);
    while (left !== 0n && open[0] && open[0].minor > 0n !== left > 0n) {
      const [oldest] = open;
      const moved = least(magnitudeOf(oldest.minor), magnitudeOf(left));
      const isIn = left > 0n;
      const [from, to] = isIn ? [oldest.account, account] : [account, oldest.account];
      transfers.push({ from, to, minor: moved, currency });
      oldest.minor += isIn ? moved : -moved;
      left -= isIn ? moved : -moved;
      if (oldest.minor === 0n) open.shift();
    }
    if (left !== 0n) open.push({ account, minor: left });
  }
  return transfers;
}
