/** Platforms that go back at the same time: what puts their rows back takes as long as it takes. */
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createUnhurried } from '../../../src/app/parts/core/unhurried.ts';
import { clientOf } from '../../support/http/client.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';
import { startTestService } from '../../support/processes/service.ts';
import { eventually } from '../../support/resources/flows.ts';
import { restoreSnapshot, takeSnapshot } from '../../support/resources/snapshots.ts';

/** Nobody puts rows back until it is called: the first who comes to that waits. */
async function holdRows(databaseUrl: string): Promise<() => Promise<unknown>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('lock table daybook.wallet_phrases in share mode');
  return () => client.end();
}

const connections = (databaseUrl: string) =>
  query<{ waits: boolean }>(
    databaseUrl,
    `select wait_event_type = 'Lock' as waits from pg_stat_activity
     where datname = current_database() and application_name = 'daybook-put-back'`,
  );

it('rows are put back on one connection, however many platforms go back', async () => {
  const service = await startTestService();
  onTestFinished(service.stop);
  const { databaseUrl } = service;
  const clients = [service.client, await service.newPlatform(), await service.newPlatform()];
  const snapshots = await Promise.all(clients.map((client) => takeSnapshot(client)));
  const release = await holdRows(databaseUrl);
  const back = Promise.all(clients.map((client, n) => restoreSnapshot(client, snapshots[n])));
  back.catch(() => undefined);
  const copied = () =>
    query(
      databaseUrl,
      `select from daybook_log.events where metadata ? 'copyOf' and type = 'PlatformCreated'`,
    );
  await eventually(copied, ({ length }) => length === 3);
  await eventually(
    () => connections(databaseUrl),
    (all) => all.some(({ waits }) => waits),
  );
  // The others would have come to it as well.
  await query(databaseUrl, 'select pg_sleep(0.5)');
  expect(await connections(databaseUrl)).toEqual([{ waits: true }]);
  await release();
  await back;
  expect(await query(databaseUrl, 'select restoring from daybook.sandbox_snapshots')).toEqual(
    clients.map(() => ({ restoring: null })),
  );
});

it('whoever waits for that connection fails when it ends, like whoever has it', async () => {
  const { url } = await emptyBooks();
  const unhurried = createUnhurried(url, {});
  const asleep = () => unhurried.inTransaction((client) => client.query('select pg_sleep(600)'));
  const done = Promise.allSettled([asleep(), asleep()]);
  await eventually(
    () => connections(url),
    ({ length }) => length === 1,
  );
  await unhurried.end();
  expect((await done).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('a process that stops breaks it off, and the next one sees it through', async () => {
  const service = await startTestService();
  const { client, databaseUrl, credentials } = service;
  const snapshot = await takeSnapshot(client);
  const release = await holdRows(databaseUrl);
  onTestFinished(async () => void (await release()));
  restoreSnapshot(client, snapshot).catch(() => undefined);
  await eventually(
    () => connections(databaseUrl),
    (all) => all.some(({ waits }) => waits),
  );
  await service.stop();
  await eventually(
    () => connections(databaseUrl),
    ({ length }) => length === 0,
  );
  await release();
  const next = await startTestService({ databaseUrl });
  onTestFinished(next.stop);
  await restoreSnapshot(clientOf(next.url, credentials), snapshot);
});
