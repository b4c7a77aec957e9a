/** Leaves on their way into the tree: those that come together are written together, beside those who follow the log. */
import type { StoredEvent } from '../event-store/event-store.ts';
import { hashOf } from '../event-store/seal.ts';
import type { Log } from '../observe/log.ts';
import type { Pool } from '../postgres/pool.ts';
import { addLeaves, type Leaf, type Reached, reachedIn } from './tiles.ts';

/** A row of the tree is written that often at most. */
const gatherMs = 250;
/** So many leaves wait at most: who brings more waits for them to be written. */
export const waitingMax = 10_000;
const againMs = 1_000;

type Waiting = Leaf & { readonly isSealed: boolean };

export type Growing = {
  /** Takes the events that follow those before. Of each only its hash is kept, until it is written. */
  readonly add: (events: readonly StoredEvent[]) => Promise<void>;
  /** Resolves when what was taken is in the tree. */
  readonly write: () => Promise<void>;
};

/**
 * Writes that fail are tried again. `add` throws where the tree has gone back behind what was waiting: what follows has to
 * be read anew from where the tree is.
 */
export function growing(pool: Pool, log: Pick<Log, 'error'>): Growing {
  let waiting: Waiting[] = [];
  /** Of the last event that was taken, and of the one before the first that waits; unknown at first. */
  let place: { last: bigint; before: bigint } | undefined;
  let reached: Reached | undefined;
  let hasGap = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeWaiting = async () => {
    const taken = waiting.length;
    if (taken === 0 || !place) return;
    const from = reached ?? (await reachedIn(pool));
    reached = undefined;
    if (from.position < place.before) {
      [waiting, place, hasGap] = [[], undefined, true];
      throw new Error('the tree of the log is behind what was to be added to it');
    }
    const news = waiting.slice(0, taken).filter(({ position }) => position > from.position);
    const sealed = news.findIndex(({ isSealed }) => isSealed);
    const unsealed =
      from.unsealed < from.size ? from.unsealed : from.size + (sealed < 0 ? news.length : sealed);
    if (!(await addLeaves(pool, from, news, unsealed)))
      throw new Error('another process has added to the tree of the log');
    const position = news.at(-1)?.position ?? from.position;
    reached = { size: from.size + news.length, position, unsealed };
    place.before = position;
    waiting = waiting.slice(taken);
  };
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.catch(() => undefined).then(writeWaiting);
    return writing;
  };
  const writeIn = (ms: number) => {
    timer ??= setTimeout(() => {
      write().catch((error) => {
        log.error({ err: error }, 'events were not added to the tree of the log; they are tried again');
        if (waiting.length > 0) writeIn(againMs);
      });
    }, ms).unref();
  };
  return {
    write,
    async add(events) {
      if (hasGap) {
        hasGap = false;
        throw new Error('the tree of the log is followed anew');
      }
      if (!place) {
        const { position } = await reachedIn(pool);
        place ??= { last: position, before: position };
      }
      for (const event of events) {
        const { position, metadata } = event;
        if (position <= place.last) continue;
        waiting.push({ eventHash: hashOf(event), position, isSealed: metadata.hash !== undefined });
        place.last = position;
      }
      if (waiting.length >= waitingMax) await write();
      else writeIn(gatherMs);
    },
  };
}
