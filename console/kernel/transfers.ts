/** What went from where to where by the postings of one event. */
import type { Currency } from './money.ts';

/** Minor units of the currency; negative where it left the account. */
export type Posting = { readonly account: string; readonly minor: number; readonly currency: Currency };
export type Transfer = {
  readonly from: string;
  readonly to: string;
  readonly minor: number;
  readonly currency: Currency;
};

type Open = { readonly account: string; minor: number };

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
    let left = minor;
    while (left !== 0 && open[0] && Math.sign(open[0].minor) !== Math.sign(left)) {
      const [oldest] = open;
      const moved = Math.min(Math.abs(oldest.minor), Math.abs(left));
      const [from, to] = left > 0 ? [oldest.account, account] : [account, oldest.account];
      transfers.push({ from, to, minor: moved, currency });
      oldest.minor += Math.sign(left) * moved;
      left -= Math.sign(left) * moved;
      if (oldest.minor === 0) open.shift();
    }
    if (left !== 0) open.push({ account, minor: left });
  }
  return transfers;
}
