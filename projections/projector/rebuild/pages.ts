import type { EventStore, StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { isWayBack } from '../restored.ts';

export type Page = readonly StoredEvent[];

type Stretch = {
  readonly after: bigint | undefined;
  /** The position of an event, which is the last one. It may be one that is not shown any more. */
  readonly until: bigint;
  readonly pageMax: number;
};

type Offer = { readonly page: Page; readonly isLast: boolean };

/**
 * The events of a stretch of the log, page by page: the next one is read while the caller works on the last. A platform
 * that goes back ends a page, however small.
 */
export async function* pagesOf(
  store: Pick<EventStore, 'subscribeToAll'>,
  { after, until, pageMax }: Stretch,
): AsyncGenerator<Page> {
  if (after !== undefined && after >= until) return;
  let offered = slot<Offer>();
  let taken = slot<void>();
  let gathered: StoredEvent[] = [];
  const offer = async (isLast: boolean) => {
    offered.resolve({ page: gathered, isLast });
    gathered = [];
    await taken.promise;
  };
  const subscription = store.subscribeToAll({
    after,
    batchMax: pageMax,
    async consume(events) {
      for (const event of events) if (event.position <= until) gathered.push(event);
      const isLast = (events.at(-1)?.position ?? 0n) >= until;
      if (gathered.length >= pageMax || isLast || events.some(isWayBack)) await offer(isLast);
    },
    async passed(position) {
      if (position >= until) await offer(true);
    },
  });
  const ended = () => offered.reject(new Error(`the log was closed before ${until}`));
  subscription.done.then(ended, (error) => offered.reject(error));
  try {
    for (let isLast = false; !isLast; ) {
      const offer = await offered.promise;
      const { resolve } = taken;
      [offered, taken] = [slot<Offer>(), slot<void>()];
      // From here on the next page is read.
      resolve();
      ({ isLast } = offer);
      if (offer.page.length > 0) yield offer.page;
    }
  } finally {
    taken.resolve();
    await subscription.stop();
  }
}

/** A promise whose failure nobody has to hear. */
function slot<Value>(): PromiseWithResolvers<Value> {
  const one = Promise.withResolvers<Value>();
  one.promise.catch(() => undefined);
  return one;
}
