import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparing } from '../../../src/app/cli/commands/audit/read-models.ts';
import { verifiedLog } from '../../../src/app/cli/commands/audit/verify.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../../src/infrastructure/event-store/eventstoredb.ts';
import { postgresEventStore } from '../../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { clientOf } from '../../support/http/client.ts';
import { unbalanced } from '../../support/log/books.ts';
import { query } from '../../support/postgres/database.ts';
import { openLog } from '../../support/postgres/read-models.ts';
import { startTestService, type TestService } from '../../support/processes/service.ts';
import {
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../../support/resources/flows.ts';
import { quote } from '../../support/resources/payments.ts';
import {
  contentOf,
  expectRebuilt,
  restoreSnapshot,
  takeSnapshot,
} from '../../support/resources/snapshots.ts';
import {
  type EventStoreDbServer,
  startEventStoreDb,
} from '../../support/servers/eventstoredb-server/server.ts';
import { driveTraffic, fickleRail } from '../../support/traffic/mixed-traffic.ts';

const silent = createLog('silent');

type Where = {
  readonly variables: () => Record<string, string>;
  readonly open: (url: string) => Promise<EventStore>;
  readonly positions: 'dense' | 'growing';
};

/** Everything is right in the log, and the read models have it. */
async function expectAuditPasses(service: TestService, log: EventStore, positions: Where['positions']) {
  await comparing(service.databaseUrl, log, async (comparison) => {
    const seen = await verifiedLog(log, positions, { comparison });
    expect(seen).toMatchObject({ isRight: true, readModels: { compared: true } });
  });
}

function snapshotsOn(name: string, { variables, open, positions }: Where): void {
  describe(name, () => {
    it('goes on with the streams of the snapshot after a restart, and keeps those of before', async () => {
      const own = variables();
      const first = await startTestService({ rail: fickleRail, variables: own });
      const { databaseUrl, credentials } = first;
      const parties = await payoutParties(first.client, 1_000);
      const snapshot = await takeSnapshot(first.client);
      await fund(first.client, parties.account.id, 77);
      await restoreSnapshot(first.client, snapshot);
      await fund(first.client, parties.account.id, 1);
      await first.stop();

      const second = await startTestService({ databaseUrl, rail: fickleRail, variables: own });
      const client = clientOf(second.url, credentials);
      expect((await fund(client, parties.account.id, 10)).balance.amount).toBe(1_011);
      await restoreSnapshot(client, snapshot);
      expect((await fund(client, parties.account.id, 10)).balance.amount).toBe(1_010);
      await second.stop();
      const log = await open(databaseUrl);
      await expectAuditPasses(second, log, positions);
      await log.close();
    });
  });
}

snapshotsOn('with the log in Postgres', {
  variables: () => ({}),
  open: (url) => postgresEventStore(url, silent),
  positions: 'dense',
});

describe('on another server', () => {
  let server: EventStoreDbServer;
  beforeAll(async () => {
    server = await startEventStoreDb();
  });
  afterAll(() => server.close());
  let streams = 0;
  let streamPrefix = '';

  snapshotsOn('with the log in EventStoreDB', {
    variables() {
      streams += 1;
      streamPrefix = `snapshots${streams}.`;
      return { EVENTSTORE_URL: server.url, DAYBOOK_STREAM_PREFIX: `snapshots${streams}` };
    },
    open: async () => eventStoreDb({ url: server.url, streamPrefix, log: silent }),
    positions: 'growing',
  });
});

it('a snapshot has all that a platform has, and gives it back as often as it is asked', async () => {
  const service = await startTestService({ rail: fickleRail });
  const { client, databaseUrl } = service;
  const empty = await takeSnapshot(client);
  const nothing = await contentOf(databaseUrl, client);
  await driveTraffic(service);
  const before = await contentOf(databaseUrl, client);
  const full = await takeSnapshot(client, 'after the traffic');
  const { account, payee } = await payoutParties(client);
  await quote(client, quoteBody(account.id, payee.id, { immediatelyExecute: true }));

  await restoreSnapshot(client, full);
  expect(await contentOf(databaseUrl, client)).toEqual(before);
  expect(await unbalanced(client)).toEqual([]);
  await restoreSnapshot(client, empty);
  expect(await contentOf(databaseUrl, client)).toEqual(nothing);
  // Names are free again.
  await driveTraffic(service);
  await restoreSnapshot(client, full);
  expect(await contentOf(databaseUrl, client)).toEqual(before);

  // It goes on from there: what is open can be paid, and accounts can be paid from.
  const { data } = expectStatus(await client.get('/transactions', { status: 'PENDING' }), 200);
  const [open_] = data;
  expectStatus(await client.post(`/quotes/${open_.quoteId}/execute`), 200);
  await untilTransaction(client, open_.id, 'COMPLETED');
  await fund(client, open_.source.accountId, 5);
  expect(await unbalanced(client)).toEqual([]);
  await service.stop();
  const log = await postgresEventStore(databaseUrl, silent);
  await expectAuditPasses(service, log, 'dense');
  const opened = await openLog(databaseUrl);
  await expectRebuilt(databaseUrl, opened);
  await opened.close();
  await log.close();
});

it('what was cut short is seen through by the next start', async () => {
  const first = await startTestService({ rail: fickleRail });
  const { databaseUrl, credentials } = first;
  await driveTraffic(first);
  const snapshot = await takeSnapshot(first.client);
  const before = await contentOf(databaseUrl, first.client);
  await payoutParties(first.client);
  await restoreSnapshot(first.client, snapshot);
  await first.stop();
  // As a process leaves it that ends before it has copied all: the read models have not seen more than that.
  const [begun] = await query<{ position: string }>(
    databaseUrl,
    "select position from daybook_log.events where type = 'PlatformStateRestored'",
  );
  await query(databaseUrl, 'alter table daybook_log.events disable trigger all');
  await query(databaseUrl, `delete from daybook_log.events where position > ${begun?.position}`);
  await query(databaseUrl, `update daybook.checkpoints set position = ${begun?.position} - 1`);
  await query(databaseUrl, 'delete from daybook.log_tree');
  await query(databaseUrl, 'delete from daybook.log_tiles');
  await query(databaseUrl, 'delete from daybook.log_checkpoints');
  await query(databaseUrl, 'update daybook.sandbox_snapshots set restoring = 1');

  const variables = {
    DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  };
  const second = await startTestService({ databaseUrl, rail: fickleRail, variables });
  const client = clientOf(second.url, credentials);
  expect(await unbalanced(client)).toEqual([]);
  expectStatus(await client.get('/customers'), 200);
  await restoreSnapshot(client, snapshot);
  expect(await contentOf(databaseUrl, client)).toEqual(before);
  await second.stop();
});
