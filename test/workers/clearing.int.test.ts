import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { clearOutside } from '../../src/workers/erasure/clearing.ts';
import { query } from '../support/postgres/database.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';

const platform = `Platform:${randomUUID()}`;
const secret = 'Zebulon Quixworthy';

/** Webhooks of many payments, each of which has the same name in it. */
async function tellOf(url: string, payments: readonly string[]): Promise<void> {
  const told = `jsonb_build_object('data', jsonb_build_object('id', 'Transaction:' || uuid, 'fullName', $3::text, 'more', repeat('x', 700)))`;
  await query(
    url,
    `insert into daybook.webhook_events (id, platform_id, type, object_id, position, n, body, state, attempts, retries,
       retrying_since, redelivery, created_at, updated_at)
     select 'Webhook:' || uuid, $1, 'OUTGOING_PAYMENT.COMPLETED', 'Transaction:' || uuid, n, 0, ${told}::text, 'DELIVERED', 1, 0,
       now(), false, now(), now() from unnest($2::uuid[]) with ordinality as told (uuid, n)`,
    [platform, payments, secret],
  );
}

async function opened() {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 2, name: 'books' });
  onTestFinished(() => pool.end());
  const clear = (streams: readonly string[], persons: readonly string[] = []) =>
    clearOutside(
      { pool, openMail: () => ({ to: '' }) },
      {
        persons: new Set(persons),
        found: {
          streams: new Set(streams),
          texts: new Set([secret]),
          platforms: new Set([platform]),
          plainEvents: 0,
        },
      },
    );
  return { url, pool, clear };
}

/** Of how many rows each statement from now on deletes of a table. */
async function countGone(url: string, table: string): Promise<() => Promise<readonly number[]>> {
  await query(url, 'create table daybook.gone (many int)');
  await query(
    url,
    `create function daybook.count_gone() returns trigger language plpgsql as
     'begin insert into daybook.gone select count(*) from old_rows; return null; end'`,
  );
  await query(
    url,
    `create trigger gone after delete on daybook.${table} referencing old table as old_rows
     for each statement execute function daybook.count_gone()`,
  );
  return async () =>
    (await query<{ many: number }>(url, 'select many from daybook.gone')).map(({ many }) => many);
}

it('what was told of ten thousand payments is cleared, and nothing of others', async () => {
  const { url, clear } = await opened();
  const [own, others] = [10_000, 600].map((many) => Array.from({ length: many }, () => randomUUID()));
  await tellOf(url, [...(own?.slice(0, 600) ?? []), ...(others ?? [])]);
  await clear((own ?? []).map((uuid) => `transaction-${uuid}`));
  const left = await query<{ object_id: string }>(
    url,
    'select object_id from daybook.webhook_events where strpos(body, $1) > 0',
    [secret],
  );
  const expected = (others ?? []).map((uuid) => `Transaction:${uuid}`);
  expect(left.map(({ object_id }) => object_id).toSorted()).toEqual(expected.toSorted());
});

it('a kept answer is cleared with statements that pass over so many keys of others at most', async () => {
  const { url, pool, clear } = await opened();
  const payment = randomUUID();
  const body = JSON.stringify({ id: `Transaction:${payment}`, fullName: secret });
  const keep = `insert into daybook.idempotency_keys (scope, tenant, status, body, held_until, created_at)
    select gen_random_uuid(), $1, 201, $2, now(), now() from generate_series(1, $3::int)`;
  await query(url, keep, [`Platform:${randomUUID()}`, body, 4_500]);
  await query(url, keep, [platform, body, 1]);
  const statements = vi.spyOn(pool, 'query');
  await clear([`transaction-${payment}`]);
  const found = statements.mock.calls.flatMap(([text], n) =>
    /^\s*select .* from idempotency_keys/s.test(String(text)) ? [statements.mock.results[n]?.value] : [],
  );
  const sizes = (await Promise.all(found)).map(({ rows }) => rows.length);
  expect(sizes).toEqual([2_000, 2_000, 501]);
  const left = await query(
    url,
    'select tenant = $1 as own, count(*)::int as n from daybook.idempotency_keys where strpos(body, $2) > 0 group by 1',
    [platform, secret],
  );
  expect(left).toEqual([{ own: false, n: 4_500 }]);
});

it('files go a few at a time: each may be as large as a file may be', async () => {
  const { url, clear } = await opened();
  const documents = Array.from({ length: 25 }, () => `Document:${randomUUID()}`);
  await query(
    url,
    `insert into daybook.document_contents (id, document_id, is_kept, created_at)
     select id, id, true, now() from unnest($1::text[]) id`,
    [documents],
  );
  const gone = await countGone(url, 'document_contents');
  await clear([], documents);
  expect(await gone()).toEqual([10, 10, 5]);
});

it('what the books of its streams had come to is forgotten, and of no others', async () => {
  const { url, clear } = await opened();
  const [own, other] = [randomUUID(), randomUUID()].map((uuid) => `agent-${uuid}`);
  await query(
    url,
    `with closed as (
       insert into daybook.closings (stream, version, revision, event_id, state, digest)
       select stream, 1, 499, gen_random_uuid(), $2, 'digest' from unnest($1::text[]) as s (stream) returning stream
     )
     insert into daybook.closed_values (stream, version, key, revision, value)
     select stream, 1, 'key', 499, $2 from closed`,
    [[own, other], secret],
  );
  await clear([own ?? '']);
  for (const table of ['closings', 'closed_values'])
    expect(await query(url, `select stream from daybook.${table}`)).toEqual([{ stream: other }]);
});

it('what snapshots keep goes in parts: each row may be as large as a piece of a file', async () => {
  const { url, clear } = await opened();
  const others = `Platform:${randomUUID()}`;
  const take = (platformId: string, rows: number) =>
    query(
      url,
      `with taken as (
         insert into daybook.sandbox_snapshots (id, platform_id, position, events, streams, created_at)
         values ($1, $2, 1, 1, '[]', now()) returning id
       )
       insert into daybook.sandbox_snapshot_rows (snapshot_id, of_table, content)
       select id, 'emails', '{}' from taken, generate_series(1, $3::int)`,
      [`Snapshot:${randomUUID()}`, platformId, rows],
    );
  await take(platform, 450);
  await take(platform, 1);
  await take(others, 3);
  const gone = await countGone(url, 'sandbox_snapshot_rows');
  expect(await clear([])).toBe(true);
  // What is left of a snapshot goes with it: nothing.
  expect((await gone()).filter((many) => many > 0).toSorted((a, b) => b - a)).toEqual([200, 200, 50, 1]);
  const left = await query(
    url,
    `select platform_id, count(*)::int as n from daybook.sandbox_snapshots s
       join daybook.sandbox_snapshot_rows r on r.snapshot_id = s.id group by 1`,
  );
  expect(left).toEqual([{ platform_id: others, n: 3 }]);
  expect(await query(url, 'select platform_id from daybook.sandbox_snapshots')).toHaveLength(1);
});

it('a snapshot stays that a platform is on its way back to, and it is said that there is more to do', async () => {
  const { url, clear } = await opened();
  const take = (restoring: number | null) =>
    query(
      url,
      `insert into daybook.sandbox_snapshots (id, platform_id, position, events, streams, created_at, restoring)
       values ($1, $2, 1, 1, '[]', now(), $3)`,
      [`Snapshot:${randomUUID()}`, platform, restoring],
    );
  await take(null);
  await take(1);
  expect(await clear([])).toBe(false);
  const left = await query(url, 'select restoring from daybook.sandbox_snapshots');
  expect(left).toEqual([{ restoring: 1 }]);
  await query(url, 'update daybook.sandbox_snapshots set restoring = null');
  expect(await clear([])).toBe(true);
});
