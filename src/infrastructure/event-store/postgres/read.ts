/** Reads that arrive together travel together: one statement for many streams, each from the revision it is wanted from. */

import type { EventMetadata } from '../../../kernel/aggregate.ts';
import { arrayText } from '../../postgres/arrays.ts';
import type { Pool } from '../../postgres/pool.ts';
import { askedTogether } from '../../scheduling/batches.ts';
import type { JsonObject, StoredEvent } from '../event-store.ts';
import { logSchema } from './schema.ts';

/** At most this many reads travel in one statement. */
const bundleMax = 1_000;
/** And this many events of a stream: a longer one is read in pages, each of which ends in time. */
const pageMax = 5_000;

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
  /** At most this many events. */
  readonly most: number;
};

type Read = (stream: string, from: number, most: number) => Promise<readonly StoredEvent[]>;

export function readInBundles(pool: Pool): Read {
  const page = askedTogether<Wanted, readonly StoredEvent[]>(bundleMax, (bundle) => readAll(pool, bundle));
  const inPages = async (stream: string, from: number, most: number): Promise<readonly StoredEvent[]> => {
    const events: StoredEvent[] = [];
    for (;;) {
      const wanted = Math.min(pageMax, most - events.length);
      const next = await page({ stream, from: from + events.length, most: wanted });
      events.push(...next);
      if (next.length < wanted || events.length >= most) return events;
    }
  };
  return (stream, from, most) =>
    most <= pageMax ? page({ stream, from, most }) : inPages(stream, from, most);
}

const keyOf = ({ stream, from, most }: Wanted) => `${from} ${most} ${stream}`;

/** What is wanted by several is read once. */
async function readAll(pool: Pool, bundle: readonly Wanted[]): Promise<readonly (readonly StoredEvent[])[]> {
  const pages = [...new Map(bundle.map((wanted) => [keyOf(wanted), wanted])).values()];
  const { rows } = await pool.query<Row & { readonly n: number }>({
    name: 'read-streams',
    text: `
        select wanted.n::int as n, e.*
        from unnest($1::text[], $2::bigint[], $3::int[]) with ordinality as wanted (stream, revision, most, n)
        cross join lateral (
          select ${columns} from ${logSchema}.events e
          where e.stream = wanted.stream and e.revision >= wanted.revision order by e.revision
          limit wanted.most
        ) as e`,
    values: [
      arrayText(pages.map(({ stream }) => stream)),
      arrayText(pages.map(({ from }) => from)),
      arrayText(pages.map(({ most }) => most)),
    ],
  });
  const found = new Map<string, StoredEvent[]>(pages.map((wanted) => [keyOf(wanted), []]));
  for (const { n, ...row } of rows) {
    const wanted = pages[n - 1];
    if (wanted) found.get(keyOf(wanted))?.push(toStored(row));
  }
  return bundle.map((wanted) => found.get(keyOf(wanted)) ?? []);
}
