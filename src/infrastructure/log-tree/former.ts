import type { Pool } from '../postgres/pool.ts';
import { rootOf } from './hashing.ts';
import { nodesIn, reachedIn } from './tiles.ts';

/** The events from before each had a hash: the first ones of the log. */
export type FormerEvents = {
  readonly events: number;
  /** Of the tree over them, in base64. */
  readonly root: string;
};

/** `none` where the log has begun with hashes, `unknown` until the tree has all of them. */
export async function formerEvents(
  pool: Pool,
  last: () => Promise<bigint>,
): Promise<FormerEvents | 'none' | 'unknown'> {
  const { size, position, unsealed } = await reachedIn(pool);
  if (unsealed === 0) return size > 0 ? 'none' : 'unknown';
  // What is added from now on has a hash.
  if (unsealed === size && position < (await last())) return 'unknown';
  const root = await rootOf(nodesIn(pool), unsealed);
  return { events: unsealed, root: Buffer.from(root).toString('base64') };
}
