/** When a payment is worth asking for again. Kept in memory only: after a start everything is asked for at once. */
import { LRUCache } from 'lru-cache';
import { doubledMs } from '../../kernel/backoff.ts';

const waitBounds = { minMs: 1_000, maxMs: 300_000 };
const rememberedMax = 100_000;

export type Patience = {
  readonly isOver: (id: string) => boolean;
  /** Each failure in a row doubles the wait. */
  readonly failed: (id: string) => void;
  readonly waitUntil: (id: string, at: Date) => void;
  readonly forget: (id: string) => void;
};

export function createPatience(now: () => Date): Patience {
  const waits = new LRUCache<string, { readonly until: number; readonly failures: number }>({
    max: rememberedMax,
  });
  return {
    isOver: (id) => now().getTime() >= (waits.get(id)?.until ?? 0),
    failed(id) {
      const failures = (waits.get(id)?.failures ?? 0) + 1;
      waits.set(id, { until: now().getTime() + doubledMs(failures, waitBounds), failures });
    },
    waitUntil: (id, at) => void waits.set(id, { until: at.getTime(), failures: 0 }),
    forget: (id) => void waits.delete(id),
  };
}
