/** Reads that arrive together travel together: one statement for many streams, each from the revision it is wanted from. */

import type { EventMetadata } from '../../../kernel/aggregate.ts';
import { inBatches } from '../../batches.ts';
import type { Pool } from '../../postgres/pool.ts';
import type { JsonObject, StoredEvent } from '../event-store.ts';
import { logSchema } from './schema.ts';

/** At most this many reads travel in one statement. */
const bundleMax = 1_000;

export type Row = {
  position: bigint;
  stream: string;
  revision: bigint;
  id: string;
  type: string;
  data: JsonObject;
  metadata: EventMetadata;
};

export const columns = 'position, stream, revision, id, type, data, metadata';
export const toStored = (row: Row): StoredEvent => ({ ...row, revision: Number(row.revision) });

type Wanted = {
  readonly stream: string;
  readonly from: number;
  readonly resolve: (events: readonly StoredEvent[]) => void;
  readonly reject: (error: unknown) => void;
};

export function readInBundles(pool: Pool): (stream: string, from: number) => Promise<readonly StoredEvent[]> {
  const enqueue = inBatches<Wanted>(bundleMax, (bundle) => readAll(pool, bundle));
  return (stream, from) => new Promise((resolve, reject) => enqueue({ stream, from, resolve, reject }));
}

async function readAll(pool: Pool, bundle: readonly Wanted[]): Promise<void> {
  const earliest = new Map<string, number>();
  for (const { stream, from } of bundle) earliest.set(stream, Math.min(from, earliest.get(stream) ?? from));
  try {
    const { rows } = await pool.query<Row>({
      name: 'read-streams',
      text: `
        select e.* from unnest($1::text[], $2::bigint[]) as wanted (stream, revision)
        cross join lateral (
          select ${columns} from ${logSchema}.events e
          where e.stream = wanted.stream and e.revision >= wanted.revision order by e.revision
        ) as e`,
      values: [[...earliest.keys()], [...earliest.values()]],
    });
    const found = Map.groupBy(rows.map(toStored), ({ stream }) => stream);
    for (const { stream, from, resolve } of bundle) {
      const events = found.get(stream) ?? [];
      resolve(from === earliest.get(stream) ? events : events.filter(({ revision }) => revision >= from));
    }
  } catch (error) {
    for (const { reject } of bundle) reject(error);
  }
}
