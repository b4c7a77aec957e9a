/** When what has failed is worth trying again. Kept in memory only: after a start everything is tried at once. */
import { doubledMs } from '../../kernel/backoff.ts';
import { rememberNewest } from './newest.ts';

const waitBounds = { minMs: 1_000, maxMs: 300_000 };
const usualMax = 100_000;

export type Patience = {
  readonly isOver: (id: string) => boolean;
  /** Until when it is not to be tried, where that was told and is not over. */
  readonly toldUntil: (id: string) => Date | undefined;
  /** All that are not to be tried yet. */
  readonly waiting: () => readonly string[];
  /** Each failure in a row doubles the wait. */
  readonly failed: (id: string) => void;
  readonly waitUntil: (id: string, at: Date) => void;
  readonly forget: (id: string) => void;
};

type Wait = { readonly until: number; readonly failures: number };

/** So many are remembered at most. */
export function createPatience(now: () => Date, rememberedMax = usualMax): Patience {
  const waits = rememberNewest<string, Wait>(rememberedMax);
  return {
    isOver: (id) => now().getTime() >= (waits.get(id)?.until ?? 0),
    toldUntil(id) {
      const { until, failures } = waits.get(id) ?? { until: 0, failures: 0 };
      return failures === 0 && until > now().getTime() ? new Date(until) : undefined;
    },
    waiting: () => [...waits].flatMap(([id, { until }]) => (until > now().getTime() ? [id] : [])),
    failed(id) {
      const failures = (waits.get(id)?.failures ?? 0) + 1;
      waits.set(id, { until: now().getTime() + doubledMs(failures, waitBounds), failures });
    },
    waitUntil: (id, at) => void waits.set(id, { until: at.getTime(), failures: 0 }),
    forget: (id) => void waits.delete(id),
  };
}
