import { gather } from '../../scheduling/batches.ts';
import type { SubscribeOptions, Subscription } from '../event-store.ts';
import type { NextPage } from './pages.ts';
import type { Recent } from './recent.ts';
import type { Waker, Wakers } from './wakers.ts';

/** A subscriber looks this often even when no notification came. */
const pollMs = 2_000;
const usualBatchMax = 500;

/** Pushes the log page by page. */
export function follow(
  next: NextPage,
  recent: Recent,
  wakers: Pick<Wakers, 'add' | 'delete'>,
  { after, streamPrefixes, batchMax = usualBatchMax, consume }: SubscribeOptions,
): Subscription {
  let position = after ?? 0n;
  let stopped = false;
  let woken = false;
  let asks = true;
  let release: (() => void) | undefined;
  const inMemory = recent.follow();
  const wake: Waker = (isKnown) => {
    woken = true;
    asks ||= !isKnown;
    release?.();
  };
  wakers.add(wake);

  const sleep = async () => {
    if (woken || stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        asks = true;
        resolve();
      }, pollMs);
      release = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    release = undefined;
  };
  const run = async () => {
    while (!stopped) {
      woken = false;
      const asksNow = asks;
      asks = false;
      const page = await next(inMemory, position, batchMax, asksNow);
      const wanted = streamPrefixes
        ? page.filter((event) => streamPrefixes.some((prefix) => event.stream.startsWith(prefix)))
        : page;
      if (wanted.length > 0 && !stopped) await consume(wanted);
      position = page.at(-1)?.position ?? position;
      // After a full page there may be more, whatever is known of.
      if (page.length === batchMax) asks ||= asksNow;
      else if (page.length === 0 || position >= recent.newest()) await sleep();
      if (!stopped) await gather(page.length);
    }
  };
  const done = run().finally(() => {
    wakers.delete(wake);
    inMemory.leave();
  });

  return {
    done,
    async stop() {
      stopped = true;
      wake(true);
      await done.catch(() => undefined);
    },
  };
}
