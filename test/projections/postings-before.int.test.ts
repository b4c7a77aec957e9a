/** Postings of a version that kept no balances of former moments: many, and nobody is to wait for what they lack. */
import type { Kysely } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runningBalances } from '../../projections/migrations/0035-running-balances.ts';
import { ledgerBalancesAt } from '../../projections/models/ledger-at.ts';
import { projections } from '../../projections/projector/projections.ts';
import { projector } from '../../projections/projector/projector.ts';
import { createShadowPool, rebuild } from '../../projections/projector/rebuild/rebuild.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { isId, type PlatformId } from '../../src/kernel/ids.ts';
import { definitionsOf } from '../support/interface/definitions.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { query } from '../support/postgres/database.ts';
import { type Books, emptyBooks, rowsOf } from '../support/postgres/read-models.ts';
import { recordTraffic } from '../support/traffic/mixed-traffic.ts';

let events: readonly StoredEvent[];
let live: Awaited<ReturnType<typeof rowsOf>>;
const store = memoryEventStore();

beforeAll(async () => {
  ({ events, live } = await recordTraffic());
  for (const event of events)
    await store.append(event.stream, event.revision === 0 ? 'none' : event.revision - 1, [event]);
});

const projectorOf = ({ db }: Books) => projector({ db, store, passed: () => undefined });

/** Books that a former version has kept up to an event, as the migration leaves them. */
async function formerBooks(count: number): Promise<Books> {
  const books = await emptyBooks();
  await projectorOf(books).consume(events.slice(0, count));
  await query(
    books.url,
    `alter table daybook.postings drop column happened_at, drop column recorded_high, drop column projected_after,
       drop column transaction_id, drop column balance, drop column held`,
  );
  await query(
    books.url,
    'drop index daybook.postings_of_account, daybook.postings_of_platform, daybook.postings_of_system',
  );
  await query(books.url, 'create index on daybook.postings (account, position)');
  await runningBalances.up(books.db as unknown as Kysely<unknown>);
  return books;
}

const indexesOf = async ({ url }: Books) =>
  (
    await query<{ name: string }>(
      url,
      `select indexname as name from pg_indexes where schemaname = 'daybook' and tablename = 'postings' order by 1`,
    )
  ).map(({ name }) => name);

const platformIn = (): PlatformId => {
  const id = events.map(({ metadata }) => metadata.platformId).find((one) => isId('Platform', one ?? ''));
  return id as PlatformId;
};
const asked = (books: Books) =>
  ledgerBalancesAt(books.db, platformIn(), { clock: 'recorded', at: new Date('2999-01-01') });

describe('postings of a former version', () => {
  it('have no index built while the service waits to start', async () => {
    expect(await indexesOf(await formerBooks(events.length))).toEqual([
      'postings_account_position_idx',
      'postings_pkey',
    ]);
  });

  it('are gone on with, and former moments are refused until the rebuild', async () => {
    const books = await formerBooks(Math.floor(events.length / 2));
    await projectorOf(books).consume(events.slice(Math.floor(events.length / 2)));
    const { postings, ...others } = await rowsOf(books.url);
    expect(postings).toHaveLength(live.postings?.length ?? 0);
    expect({ ...others, postings: live.postings }).toEqual(live);
    await expect(asked(books)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { retryAfterSeconds: expect.any(Number) },
    });
  });

  it('have balances and indexes after the rebuild, as those of a new installation', async () => {
    const books = await formerBooks(events.length);
    const shadow = createShadowPool(books.url);
    onTestFinished(() => shadow.end());
    const ledger = projections.filter(({ name }) => name === 'ledger');
    await rebuild({ db: books.db, shadow, store }, ledger);
    expect(await rowsOf(books.url)).toEqual(live);
    expect(await definitionsOf(books.url)).toEqual(await definitionsOf((await emptyBooks()).url));
    expect((await asked(books)).rows.length).toBeGreaterThan(0);
  });
});
