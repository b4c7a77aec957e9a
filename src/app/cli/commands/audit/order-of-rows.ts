/** When the rows of postings were made, and what had been recorded by then (docs/decisions/0063-balances-at-a-moment.md). */
import type { CopiedPosting } from '../../../../../projections/auditor/copied-books.ts';
import { momentsOf } from '../../../../domain/books/clocks.ts';
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import { ReadModelFault } from './read-model-fault.ts';

/** Takes the events with postings in the order of the log, and the rows of those that are shown. */
export type OrderOfRows = {
  /** Before the rows of the event, whether it is shown or not. */
  readonly reach: (event: StoredEvent) => void;
  /** What the row of a posting that was recorded at a moment has to hold; `undefined` where that is not told. */
  readonly of: (
    row: CopiedPosting,
    recorded: Date,
  ) => { readonly recorded_high: Date | undefined; readonly projected_after: bigint | null };
  /** After the row was compared. */
  readonly passed: (row: CopiedPosting, event: StoredEvent) => void;
  /** After the rows of the event. Throws `ReadModelFault` for a row that cannot have been made after these. */
  readonly leave: (event: StoredEvent) => void;
  /** Throws `ReadModelFault` for a row that was made after others which are not in the log. */
  readonly end: () => void;
};

type Late = { readonly row: CopiedPosting; readonly high: Date; readonly event: StoredEvent };

export function orderOfRows(): OrderOfRows {
  /** The latest recording of the rows that were made in order, and of all postings: a row may be gone, its platform being put back. */
  let [ofRows, ofAll] = [new Date(0), new Date(0)];
  /** Rows that were made after those of a later posting, by its position. */
  const late = new Map<bigint, Late[]>();

  return {
    reach({ metadata }) {
      ofAll = later(ofAll, momentsOf({ data: undefined, metadata }).recorded);
    },
    of({ position, recorded_high: high, projected_after: after }, recorded) {
      if (high === null) return { recorded_high: undefined, projected_after: null };
      // What such a row is after comes later: until then it is known that it cannot be before its own recording.
      if (after !== null)
        return { recorded_high: later(high, recorded), projected_after: after > position ? after : null };
      ofRows = later(ofRows, recorded);
      return { recorded_high: high > ofAll ? ofAll : later(high, ofRows), projected_after: null };
    },
    passed(row, event) {
      const { recorded_high: high, projected_after: after } = row;
      if (after === null || high === null) return;
      late.set(after, [...(late.get(after) ?? []), { row, high, event }]);
    },
    leave({ position }) {
      for (const { row, high, event } of late.get(position) ?? [])
        if (high < ofRows)
          throw faultIn(row, event, {
            column: 'recorded_high',
            copied: high.toISOString(),
            logged: ofRows.toISOString(),
          });
      late.delete(position);
    },
    end() {
      for (const [after, [first]] of late)
        if (first)
          throw faultIn(first.row, first.event, {
            column: 'projected_after',
            copied: after,
            logged: undefined,
          });
    },
  };
}

const later = (one: Date, other: Date): Date => (one > other ? one : other);

type Difference = { readonly column: string; readonly copied: unknown; readonly logged: unknown };

function faultIn(row: CopiedPosting, event: StoredEvent, difference: Difference): ReadModelFault {
  const { position, account, currency } = row;
  return new ReadModelFault({ readModel: 'postings', position, account, currency, ...difference }, event);
}
