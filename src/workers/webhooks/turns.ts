/** Hands what is due to the queue: each event once, and not more of one platform than can be attempted. */

import type { JobQueue } from '../../infrastructure/jobs/queues.ts';
import { type PlatformId, uuidOf, type WebhookId } from '../../kernel/ids.ts';
import type { DeliveryStore, Due } from './store.ts';

const healEveryMs = 60_000;

export type WebhookJob = { readonly id: WebhookId; readonly platformId: PlatformId };

export type Turns = {
  readonly enqueue: (due: Due, delayMs?: number) => Promise<void>;
  /** The event's job has run. */
  readonly ran: (id: WebhookId) => void;
  /** Queues what is due and not queued here yet. */
  readonly wake: () => Promise<void>;
  /** Whether more of a platform may be due than is queued, and little of it is. */
  readonly mayHaveMore: (platformId: PlatformId) => boolean;
  /** Queues everything that is due, also what was queued and lost; says how much there was. */
  readonly reconcile: () => Promise<number>;
};

type Deps = {
  readonly store: DeliveryStore;
  readonly queue: JobQueue<WebhookJob>;
  readonly now: () => Date;
  readonly perPlatformMax: number;
};

export function createTurns({ store, queue, now, perPlatformMax }: Deps): Turns {
  const queued = new Map<WebhookId, PlatformId>();
  let cutShort = false;
  let healedAt: Date | undefined;

  const enqueue = async ({ id, platformId, attempts }: Due, delayMs = 0) => {
    if (delayMs === 0 && queued.has(id)) return;
    if (delayMs === 0) queued.set(id, platformId);
    // A job for later does not keep out the one for now that replaces it; the second to run finds nothing to claim.
    const kind = delayMs === 0 ? 'now' : 'later';
    await queue.add(`${uuidOf(id)}-${attempts}-${kind}`, { id, platformId }, delayMs);
  };
  const sweep = async (): Promise<number> => {
    const due = await store.due(now(), perPlatformMax);
    const perPlatform = Map.groupBy(due, ({ platformId }) => platformId);
    cutShort = [...perPlatform.values()].some(({ length }) => length >= perPlatformMax / 2);
    await Promise.all(due.map((one) => enqueue(one)));
    return due.length;
  };

  return {
    enqueue,
    ran: (id) => void queued.delete(id),
    wake: coalesced(sweep),
    mayHaveMore(platformId) {
      const waiting = [...queued.values()].filter((one) => one === platformId).length;
      return cutShort && waiting < perPlatformMax / 2;
    },
    async reconcile() {
      queued.clear();
      if (!healedAt || now().getTime() - healedAt.getTime() >= healEveryMs) {
        healedAt = now();
        await store.heal(healedAt);
      }
      return sweep();
    },
  };
}

/** Runs `work` once at a time; calls that come meanwhile share one more run after it. */
function coalesced(work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  let following: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    if (running) {
      following ??= running
        .catch(() => undefined)
        .then(() => {
          following = undefined;
          return run();
        });
      return following;
    }
    running = work().finally(() => {
      running = undefined;
    });
    await running;
  };
  return run;
}
