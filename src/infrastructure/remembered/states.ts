/**
 * States of streams that are kept in memory: so many at most, and so many bytes of them. Forgetting one costs time and
 * nothing else.
 */
import { LRUCache } from 'lru-cache';
import type { AnyAggregate } from '../../kernel/aggregate.ts';

/** In one memory of states. */
export const statesBytesMax = 512 * 1024 * 1024;
/** What a state of bounded parts takes at most. */
export const smallStateBytes = 32 * 1024;
/** One stream counts for no more, however long: to forget it is to read it whole. */
const countedMax = statesBytesMax / 4;

export const rememberStates = <State extends object>(max: number): LRUCache<string, State> =>
  new LRUCache({ max, maxSize: statesBytesMax });

/** How a state is to be remembered. */
export const sized = (extraBytes: AnyAggregate['extraBytes'] | undefined, state: unknown) => ({
  size: Math.min(countedMax, smallStateBytes + (extraBytes?.(state) ?? 0)),
});
