/** Where identifiers come from: drawn, or following from the seed of a sandbox. */
import type { EventToName, NewEventId } from '../../../infrastructure/commands/deciding.ts';
import { booksSchema, type Pool } from '../../../infrastructure/postgres/pool.ts';
import { type Ids, seededIds, systemIds } from '../../../kernel/ids.ts';

/** With a seed, each start of a process has a number of its own, so that it gives nothing that an earlier one gave. */
export async function openIds(seed: string | undefined, pool: Pool): Promise<Ids> {
  if (seed === undefined) return systemIds;
  const { rows } = await pool.query<{ run: string }>(
    `select nextval('${booksSchema}.seeded_runs')::text as run`,
  );
  return seededIds(seed, rows[0]?.run ?? '');
}

/**
 * With a seed, the id of an event follows from its place and all that it says, but for when it was: whatever else the
 * process does at that moment changes nothing, and no two events have the same.
 */
export function eventIdsOf({ uuid, seeded }: Ids): NewEventId {
  if (!seeded) return uuid;
  return ({ stream, revision, type, data, metadata }: EventToName) => {
    const { at: _recordedAt, key: _usedAt, ...caused } = metadata;
    const { at: _at, ...said } = data;
    return seeded.named('event', stream, String(revision), type, JSON.stringify([said, caused]));
  };
}
