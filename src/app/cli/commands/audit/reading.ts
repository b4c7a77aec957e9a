/** Reading a log page by page: however long it is, one page is in memory. */
import { toDomainEvent } from '../../../../../projections/projector/events.ts';
import { pagesOf } from '../../../../../projections/projector/rebuild/pages.ts';
import type { DomainEvent } from '../../../../domain/aggregates.ts';
import { type Moments, momentsOf } from '../../../../domain/books/clocks.ts';
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { progressOutput } from '../progress-output.ts';

const pageMax = 1_000;

/** An event, when it happened and was recorded, and as it is stored. */
export type ReadEvent = {
  readonly event: DomainEvent;
  readonly stored: StoredEvent;
  readonly position: bigint;
  readonly moments: Moments;
};

/** Throws for an event that nobody can read, and says which it is. */
export function readable(stored: StoredEvent): ReadEvent {
  try {
    const event = toDomainEvent(stored);
    return { event, stored, position: stored.position, moments: momentsOf(event) };
  } catch (cause) {
    const { type, id, stream, position } = stored;
    throw new Error(`${type} ${id} of ${stream} at ${position} cannot be read: ${String(cause)}`, { cause });
  }
}

/** All events of a stream, in order; none where there is no such stream. */
export async function* eventsOf(
  log: Pick<LogReader, 'read'>,
  stream: string,
): AsyncGenerator<ReadEvent, void, undefined> {
  for (let from = 0; ; from += pageMax) {
    const page = await log.read(stream, from, pageMax);
    for (const stored of page) yield readable(stored);
    if (page.length < pageMax) return;
  }
}

/**
 * The whole log, up to a position or to the last event that is there at the beginning, as it is stored. How far it has
 * come is shown on standard error.
 */
export async function* wholeLog(
  log: LogReader,
  { after, until }: { readonly after?: bigint | undefined; readonly until?: bigint | undefined } = {},
): AsyncGenerator<StoredEvent, void, undefined> {
  const last = await log.last();
  const end = until !== undefined && until < last ? until : last;
  const begin = after ?? 0n;
  if (end <= begin) return;
  const output = progressOutput(process.stderr, () => performance.now());
  let events = 0;
  try {
    // The end of the log is an event's place, and one in between need not be.
    for await (const page of pagesOf(log, { after, until: last, pageMax })) {
      for (const stored of page) {
        if (stored.position > end) return;
        events += 1;
        yield stored;
      }
      output.show({ events, done: (page.at(-1)?.position ?? begin) - begin, total: end - begin });
    }
  } finally {
    output.end();
  }
}
