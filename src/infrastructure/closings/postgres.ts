/** Closings in three tables beside the read models, wherever the log is. */
import { createHash } from 'node:crypto';
import type { FilterPart } from '../../kernel/growing-filter.ts';
import type { Log } from '../observe/log.ts';
import type { Pool } from '../postgres/pool.ts';
import { isForeignKeyViolation } from '../postgres/violations.ts';
import { askedTogether } from '../scheduling/batches.ts';
import type { Book, Closings, ClosingText, NewClosing, Recalled, Standing } from './closings.ts';

/** Looks that arrive together travel together. */
const togetherMax = 256;

export const digestOf = ({ stream, version }: Book, { revision, eventId, state }: ClosingText): string =>
  createHash('sha256').update(`${stream} ${version} ${revision} ${eventId} ${state}`).digest('hex');

type Row = {
  readonly revision: bigint;
  readonly event_id: string;
  readonly state: string;
  readonly digest: string;
};
export type PartRow = { readonly part: number; readonly keys: number; readonly bits: Buffer };

type Look = {
  readonly book: Book;
  readonly at: Standing;
  readonly key: string;
};

export function postgresClosings(pool: Pool, log: Log): Closings {
  const look = askedTogether<Look, Recalled | undefined>(togetherMax, (looks) => lookAll(pool, looks));

  const discard: Closings['discard'] = async ({ stream, version }, from) => {
    await pool.query(
      `with gone as (
         delete from closed_values where stream = $1 and version = $2 and revision >= $3
       )
       delete from closings where stream = $1 and version = $2 and revision >= $3`,
      [stream, version, from],
    );
  };

  return {
    discard,
    async standing({ stream, version }, upTo) {
      const { rows } = await pool.query<Pick<Row, 'revision' | 'event_id'>>(
        `select revision, event_id from closings
         where stream = $1 and version = $2 and revision <= $3 order by revision desc limit 1`,
        [stream, version, upTo],
      );
      const [row] = rows;
      return row && { revision: Number(row.revision), eventId: row.event_id };
    },
    async newest(book, upTo) {
      for (;;) {
        const row = await newestRow(pool, book, upTo);
        if (!row) return undefined;
        const closing = { revision: Number(row.revision), eventId: row.event_id, state: row.state };
        if (row.digest === digestOf(book, closing)) return { ...closing, parts: row.parts };
        log.warn({ ...book, revision: closing.revision }, 'a closing of the books has been changed');
        await discard(book, closing.revision);
      }
    },
    add: (book, closing) => add(pool, book, closing),
    async recall(book, at, keys) {
      const found = await Promise.all(keys.map((key) => look({ book, at, key })));
      const known = keys.flatMap((key, i) => (found[i] ? [[key, found[i]] as const] : []));
      return known.length < keys.length ? undefined : new Map(known);
    },
    async periodsOf({ stream, version }, keys) {
      const { rows } = await pool.query<{ after: bigint; to: bigint }>(
        `select distinct coalesce(c.previous, -1) as after, c.revision as to
         from closed_values v join closings c using (stream, version, revision)
         where v.stream = $1 and v.version = $2 and v.key = any($3) order by c.revision`,
        [stream, version, keys],
      );
      return rows.map(({ after, to }) => ({ after: Number(after), to: Number(to) }));
    },
    failed: ({ stream }, error) => log.warn({ err: error, stream }, 'the books of a stream were not closed'),
  };
}

/** With the filter as it is at the same moment. */
async function newestRow(pool: Pool, { stream, version }: Book, upTo: number) {
  const { rows } = await pool.query<Row & PartRow>(
    `with newest as (
       select stream, version, revision, event_id, state, digest from closings
       where stream = $1 and version = $2 and revision <= $3 order by revision desc limit 1
     )
     select n.revision, n.event_id, n.state, n.digest, f.part, f.keys, f.bits
     from newest n left join closing_filters f using (stream, version) order by f.part`,
    [stream, version, Number.isFinite(upTo) ? upTo : Number.MAX_SAFE_INTEGER],
  );
  const [first] = rows;
  return first && { ...first, parts: rows.filter(({ bits }) => bits !== null).map(partOf) };
}

export const partOf = ({ part: n, keys, bits }: PartRow): FilterPart => ({
  n,
  keys,
  // A copy: a buffer may begin where no word can.
  words: new Uint32Array(new Uint8Array(bits).buffer),
});

const bitsOf = ({ buffer, byteOffset, byteLength }: Uint32Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The closing it was made from has one that follows it, and exists: the constraints of the table say so. */
async function add(pool: Pool, book: Book, closing: NewClosing): Promise<boolean> {
  const { stream, version } = book;
  const { revision, eventId, previous = null, state, values, parts } = closing;
  try {
    const { rows } = await pool.query(
      `with made as (
         insert into closings (stream, version, revision, event_id, previous, state, digest)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning stream
       ), kept as (
         insert into closed_values (stream, version, key, revision, value)
         select $1, $2, v.key, $3, v.value from made, unnest($8::text[], $9::text[]) as v (key, value)
         on conflict (stream, version, key, revision) do update set value = excluded.value
       ), filtered as (
         insert into closing_filters (stream, version, part, keys, bits)
         select $1, $2, p.part, p.keys, p.bits
         from made, unnest($10::int[], $11::int[], $12::bytea[]) as p (part, keys, bits)
         on conflict (stream, version, part) do update set keys = excluded.keys, bits = excluded.bits
       )
       select 1 from made`,
      [
        stream,
        version,
        revision,
        eventId,
        previous,
        state,
        digestOf(book, closing),
        values.map(([key]) => key),
        values.map(([, value]) => value),
        parts.map(({ n }) => n),
        parts.map(({ keys }) => keys),
        parts.map(({ words }) => bitsOf(words)),
      ],
    );
    return rows.length > 0;
  } catch (error) {
    if (isForeignKeyViolation(error)) return false;
    throw error;
  }
}

type LookRow = { readonly n: number; readonly stands: boolean; readonly value: string | null };

/** `undefined`: the closing is gone. */
async function lookAll(pool: Pool, looks: readonly Look[]): Promise<readonly (Recalled | undefined)[]> {
  const { rows } = await pool.query<LookRow>(
    `select w.n::int as n, c.stream is not null as stands, v.value
       from unnest($1::text[], $2::int[], $3::bigint[], $4::uuid[], $5::text[])
         with ordinality as w (stream, version, revision, event_id, key, n)
       left join closings c on c.stream = w.stream and c.version = w.version and c.revision = w.revision
         and c.event_id = w.event_id
       left join lateral (
         select value from closed_values v join closings k using (stream, version, revision)
         where v.stream = w.stream and v.version = w.version and v.key = w.key and v.revision <= w.revision
         order by v.revision desc limit 1
       ) as v on true`,
    [
      looks.map(({ book }) => book.stream),
      looks.map(({ book }) => book.version),
      looks.map(({ at }) => at.revision),
      looks.map(({ at }) => at.eventId),
      looks.map(({ key }) => key),
    ],
  );
  const found = new Map(
    rows.map(({ n, stands, value }) => [n, stands ? { value: value ?? undefined } : undefined]),
  );
  return looks.map((_look, n) => found.get(n + 1));
}
