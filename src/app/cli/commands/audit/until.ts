/** Up to when an auditor asks: a position of the log, or a moment by one of the two clocks of the books. */
import type { Clock, Moments } from '../../../../domain/books/clocks.ts';

export type Until =
  | { readonly position: bigint }
  | { readonly clock: Clock; readonly at: Date }
  /** Up to the last event that is there at the beginning. */
  | undefined;

type Placed = { readonly position: bigint; readonly moments: Moments };

export function isWithin(until: Until, { position, moments }: Placed): boolean {
  if (until === undefined) return true;
  return 'position' in until ? position <= until.position : moments[until.clock] <= until.at;
}

/** What a clock goes by. */
export const inPast = { recorded: 'was recorded', happened: 'had happened' } as const satisfies Record<
  Clock,
  string
>;

export function untilInWords(until: Until): string {
  if (until === undefined) return 'at the end of the log';
  if ('position' in until) return `at position ${until.position}`;
  return `by what ${inPast[until.clock]} until ${until.at.toISOString()}`;
}
