import { LRUCache } from 'lru-cache';
import { doubledMs } from '../../kernel/backoff.ts';

/** Those that have failed longest ago are tried again as if they had not. */
export const rememberedMax = 1_000;
const bounds = { minMs: 1_000, maxMs: 300_000 };

export type Later = {
  /** Those that are not to be tried yet. */
  readonly waiting: () => readonly string[];
  readonly failed: (id: string) => void;
  readonly done: (id: string) => void;
};

/** What has failed is tried again later and later, and holds up nothing else. Each process has its own memory of it. */
export function createLater(nowMs: () => number = () => performance.now()): Later {
  const known = new LRUCache<string, { readonly failures: number; readonly until: number }>({
    max: rememberedMax,
  });
  return {
    waiting: () => [...known].flatMap(([id, { until }]) => (until > nowMs() ? [id] : [])),
    failed(id) {
      const failures = (known.get(id)?.failures ?? 0) + 1;
      known.set(id, { failures, until: nowMs() + doubledMs(failures, bounds) });
    },
    done: (id) => void known.delete(id),
  };
}
