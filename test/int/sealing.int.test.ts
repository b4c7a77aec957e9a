/** A log that a former version has begun is sealed once, by an event; and signed once in each interval. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { verifiedLog } from '../../src/app/cli/commands/audit/verify.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { type LogReader, postgresLogReader } from '../../src/infrastructure/event-store/postgres/reader.ts';
import { formerEvents } from '../../src/infrastructure/log-tree/former.ts';
import { signedIn } from '../../src/infrastructure/log-tree/keeper.ts';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { eventsOf, keeperOf } from '../support/log/log-tree.ts';
import { query } from '../support/postgres/database.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';
import { startTestService } from '../support/processes/service.ts';
import { customerWith } from '../support/resources/payments.ts';
import { serverLog } from '../support/servers/eventstoredb-server/log.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { patienceMs } from '../support/time/patience.ts';

/** A log whose metadata can be rewritten behind the back of a service that is stopped. */
type Rewritable = {
  readonly variables: Record<string, string>;
  readonly positions: 'dense' | 'growing';
  readonly readerAt: (databaseUrl: string) => LogReader;
  readonly rewrite: (databaseUrl: string, change: (metadata: object) => object) => Promise<void>;
};

async function inPostgres(): Promise<Rewritable> {
  return {
    variables: {},
    positions: 'dense',
    readerAt: postgresLogReader,
    async rewrite(url, change) {
      await query(url, 'alter table daybook_log.events disable trigger all');
      const rows = await query<{ position: string; metadata: object }>(
        url,
        'select position, metadata from daybook_log.events order by position',
      );
      for (const { position, metadata } of rows)
        await query(url, 'update daybook_log.events set metadata = $2 where position = $1', [
          position,
          change(metadata),
        ]);
      await query(url, 'alter table daybook_log.events enable trigger all');
    },
  };
}

async function inEventStoreDb(): Promise<Rewritable> {
  const disk = serverLog();
  const server = await startEventStoreDb({ log: disk });
  onTestFinished(() => server.close());
  return {
    variables: { EVENTSTORE_URL: server.url },
    positions: 'growing',
    readerAt: () => eventStoreDb({ url: server.url, log: { warn: () => undefined } }),
    async rewrite(_url, change) {
      const changed = (metadata: Uint8Array) =>
        Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(metadata).toString()))));
      disk.rewrite(disk.all.map((one) => ({ ...one, metadata: changed(one.metadata) })));
    },
  };
}

const withoutHashes = ({ hash: _, previousHash: __, ...rest }: { hash?: string; previousHash?: string }) =>
  rest;

const follows = (one: StoredEvent, other: StoredEvent) =>
  one.stream === other.stream && one.revision === other.revision + 1;

const emptyTree = async (pool: Pool) => {
  await pool.query('update log_tree set size = 0, position = 0, unsealed = 0');
  await pool.query('delete from log_checkpoints');
};

it.each([
  ['Postgres', inPostgres],
  ['EventStoreDB', inEventStoreDb],
])('a log that has begun without hashes in %s is sealed once', async (_name, begun) => {
  const { variables, positions, readerAt, rewrite } = await begun();
  const { databaseUrl, client, stop } = await startTestService({ variables });
  await customerWith(client, 12_345);
  await stop();
  const pool = createPool({ url: databaseUrl, max: 1, name: 'test' });
  const log = readerAt(databaseUrl);
  onTestFinished(async () => {
    await log.close();
    await pool.end();
  });
  await rewrite(databaseUrl, withoutHashes);
  await emptyTree(pool);
  const former = (await eventsOf(log)).length;
  const sealings = async () => (await eventsOf(log)).filter(({ type }) => type === 'LogSealed');

  const upgraded = await startTestService({ databaseUrl, variables });
  const [sealing] = await vi.waitFor(
    async () => {
      const found = await sealings();
      expect(found).toHaveLength(1);
      return found;
    },
    { timeout: patienceMs, interval: 100 },
  );
  await upgraded.stop();
  expect(sealing).toMatchObject({
    stream: expect.stringMatching(/^installation-/),
    data: { events: former },
    metadata: { actor: 'upgrade', hash: expect.any(String) },
  });
  expect(await verifiedLog(log, positions)).toMatchObject({
    unsealed: former,
    sealedAt: sealing?.data.at,
    isRight: true,
  });

  // One that is the last of its stream, which no other names.
  const all = await eventsOf(log);
  const last = all.slice(0, former).findLast((event) => !all.some((one) => follows(one, event)));
  await rewrite(databaseUrl, (metadata) =>
    JSON.stringify(metadata) === JSON.stringify(last?.metadata)
      ? { ...metadata, actor: 'anybody' }
      : metadata,
  );
  const fault = await verifiedLog(log, positions).catch((error) => error);
  expect(fault).toMatchObject({ what: 'an older event is not what was sealed', id: sealing?.id });
  await rewrite(databaseUrl, (metadata) =>
    'actor' in metadata && metadata.actor === 'anybody'
      ? { ...metadata, actor: last?.metadata.actor }
      : metadata,
  );

  const again = await startTestService({ databaseUrl, variables });
  await again.stop();
  expect(await sealings()).toHaveLength(1);
});

it('a former log is known once the tree has all of it', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 1, name: 'test' });
  const last = async () => 9n;
  const reached = (size: number, position: number, unsealed: number) =>
    pool.query('update log_tree set size = $1, position = $2, unsealed = $3', [size, position, unsealed]);
  expect(await formerEvents(pool, last)).toBe('unknown');
  await reached(4, 8, 4);
  expect(await formerEvents(pool, last)).toBe('unknown');
  await reached(4, 8, 0);
  expect(await formerEvents(pool, last)).toBe('none');
  await pool.end();
});

it('is signed once in each interval in which it has grown', async () => {
  const { databaseUrl, client, stop } = await startTestService();
  await customerWith(client, 100);
  await stop();
  const pool = createPool({ url: databaseUrl, max: 1, name: 'test' });
  const log = postgresLogReader(databaseUrl);
  const events = await eventsOf(log);
  await emptyTree(pool);
  const clock = { ms: 0 };
  const keeper = keeperOf(pool, { now: () => new Date(clock.ms) });
  const counts: number[] = [];
  for (const [ms, upTo] of [
    [119_000, 1],
    [119_999, 2],
    [120_000, 3],
    [121_000, 4],
    [179_999, 5],
    [180_500, 5],
    [240_000, 5],
  ] as const) {
    clock.ms = ms;
    await keeper.consume(events.slice(0, upTo));
    await keeper.sign();
    counts.push((await signedIn(pool, 100)).length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 2, 3, 3]);
  expect((await signedIn(pool, 100)).map(({ size }) => size)).toEqual([5, 3, 1]);
  await log.close();
  await pool.end();
});
