/** What was used last, with a bound. */
import { LRUCache } from 'lru-cache';

/**
 * Remembers the `max` values that were used last, each for `ttlMs` where that is given. It takes room for what there is:
 * told of a `max` of its own, the package would take room for all of them when it begins.
 */
export const rememberNewest = <Key extends {}, Value extends {}>(
  max: number,
  ttlMs?: number,
): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1, ...(ttlMs !== undefined && { ttl: ttlMs }) });
