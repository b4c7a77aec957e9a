/** The log as it stood: a platform of a sandbox that is put back to a snapshot leaves what it had. */
import { momentsOf } from '../../../../domain/books/clocks.ts';
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import { type Moves, openMovedReader } from '../../../../infrastructure/event-store/moved-streams.ts';
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { restored } from '../../../parts/core/event-store.ts';
import { wholeLog } from './reading.ts';
import { isWithin, type Until } from './until.ts';

/** By the names that the code knows. */
export type StandingLog = Pick<LogReader, 'read'> & {
  /** All of them, in the order of the log, to a position or to the last one that is there at the beginning. */
  readonly events: (until?: bigint) => AsyncGenerator<StoredEvent, void, undefined>;
};

/**
 * Without what platforms had left by then. What was left later is there, and what they went on with instead is not. By
 * what had happened it is what stands at the end, whatever the time: what a platform goes on with has the moments of what
 * it is a copy of.
 */
export async function standingAt(log: LogReader, until: Until): Promise<StandingLog> {
  const { store, shown } = await openMovedReader(log, movesUntil(until));
  return {
    read: store.read,
    async *events(end) {
      for await (const stored of wholeLog(log, { until: end })) {
        const event = shown(stored);
        if (event) yield event;
      }
    },
  };
}

/** The ways back that count for who asks up to then. */
export function movesUntil(until: Until): Moves {
  if (until !== undefined && 'clock' in until && until.clock === 'happened') return restored;
  return {
    ...restored,
    of: (event) =>
      isWithin(until, { position: event.position, moments: momentsOf(event) })
        ? restored.of(event)
        : undefined,
  };
}
