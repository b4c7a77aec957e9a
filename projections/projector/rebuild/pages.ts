import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { EventStore, StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';

export type Page = readonly StoredEvent[];

type Stretch = {
  readonly after: bigint | undefined;
  /** The position of an event, which is the last one. */
  readonly until: bigint;
  readonly pageMax: number;
};

/** The events of a stretch of the log, page by page: the next one is read while the caller works on the last. */
export async function* pagesOf(
  store: Pick<EventStore, 'subscribeToAll'>,
  { after, until, pageMax }: Stretch,
): AsyncGenerator<Page> {
  if (after !== undefined && after >= until) return;
  const pages = new PassThrough({ objectMode: true, readableHighWaterMark: 1, writableHighWaterMark: 1 });
  const left = new AbortController();
  let gathered: StoredEvent[] = [];
  const subscription = store.subscribeToAll({
    after,
    batchMax: pageMax,
    async consume(events) {
      if (pages.writableEnded) return;
      for (const event of events) if (event.position <= until) gathered.push(event);
      const isLast = (events.at(-1)?.position ?? 0n) >= until;
      if (gathered.length < pageMax && !isLast) return;
      const page = gathered;
      gathered = [];
      if (isLast) pages.end(page);
      else if (!pages.write(page)) await once(pages, 'drain', { signal: left.signal });
    },
  });
  subscription.done.catch((error: Error) => pages.destroy(error));
  try {
    for await (const page of pages) yield page as Page;
  } finally {
    left.abort();
    await subscription.stop();
  }
}
