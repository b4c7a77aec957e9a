/** The postings between system accounts as a payment is settled: each entry balances in each currency. */
import { move, type Posting, withoutZeros } from '../books/postings.ts';
import type { Terms } from './terms.ts';

/** What was in flight becomes fees and exchange; the exchange holds the receiving amount ready in flight. */
export const conversion = (terms: Terms): Posting[] =>
  withoutZeros([...exchange(terms), ...move('fx', 'in-flight', terms.receiving)]);

/** What was in flight becomes fees and exchange, and the exchange pays the rail in the receiving currency. */
export const settlement = (terms: Terms): Posting[] => {
  if (terms.kind !== 'quote') return [...move('in-flight', 'rail', terms.sending)];
  return withoutZeros([...exchange(terms), ...move('fx', 'rail', terms.receiving)]);
};

/** The settlement undone: the money is in flight again, fees included. */
export const reversal = (terms: Terms): Posting[] => undone(settlement(terms));

/** The conversion undone, in the same way. */
export const unconverted = (terms: Terms): Posting[] => undone(conversion(terms));

const undone = (entry: readonly Posting[]): Posting[] =>
  entry.map((posting) => ({ ...posting, minor: -posting.minor }));

function exchange(terms: Terms): readonly Posting[] {
  const { sending } = terms;
  const { currency } = sending;
  const fees = terms.kind === 'quote' ? terms.quote.fees : 0n;
  return [
    ...move('in-flight', 'fees', { minor: fees, currency }),
    ...move('in-flight', 'fx', { minor: sending.minor - fees, currency }),
  ];
}
