/** The log is in EventStoreDB, and Postgres comes back as it was before requests with keys, which are sent again. */
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createReadDb } from '../../projections/database.ts';
import { usedKeysOfPages } from '../../projections/kept/used-keys.ts';
import { projections } from '../../projections/projector/projections.ts';
import { createShadowPool, rebuild } from '../../projections/projector/rebuild/rebuild.ts';
import { startService } from '../../src/app/service.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../src/infrastructure/postgres/embedded.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { type Answer, agentClientOf, type Client, clientOf, type Json } from '../support/http/client.ts';
import { copyDatabase, createDatabaseWithTables, query } from '../support/postgres/database.ts';
import { removeDirectory } from '../support/processes/process.ts';
import { newCredentials, testConfig } from '../support/processes/service.ts';
import { staffed } from '../support/resources/agents.ts';
import { eventually, expectStatus, quoteBody, untilTransaction } from '../support/resources/flows.ts';
import { quote } from '../support/resources/payments.ts';
import { serverLog } from '../support/servers/eventstoredb-server/log.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { lineTo } from '../support/servers/line.ts';
import { patienceMs } from '../support/time/patience.ts';

const funded = 100_000;

async function installation() {
  const server = await startEventStoreDb({ log: serverLog() });
  onTestFinished(() => server.close());
  const credentials = newCredentials();
  const start = async (databaseUrl: string, variables: Record<string, string> = {}) => {
    const config = testConfig(databaseUrl, credentials, { EVENTSTORE_URL: server.url, ...variables });
    const service = await startService(config, {
      log: createLog('silent'),
      checkResponses: true,
      patienceMs,
    });
    const { stop } = service;
    onTestFinished(stop);
    return { client: clientOf(service.url ?? '', credentials), stop };
  };
  /** A party, in a database of which there is a copy of this moment. */
  const backedUp = async () => {
    const databaseUrl = await createDatabaseWithTables();
    const { client, stop } = await start(databaseUrl);
    const party = await partyOf(client);
    await stop();
    return { databaseUrl, backup: await copyDatabase(databaseUrl), party };
  };
  const rebuildBeside = async (databaseUrl: string) => {
    const { streamPrefix } = testConfig(databaseUrl, credentials);
    const store = eventStoreDb({ url: server.url, streamPrefix, log: createLog('silent') });
    const db = createReadDb(createPool({ url: databaseUrl, max: 2, name: 'keys' }));
    const shadow = createShadowPool(databaseUrl);
    const onPage = usedKeysOfPages(db, new Date());
    await rebuild({ db, shadow, store }, projections, { onPage });
    await Promise.all([store.close(), db.destroy(), shadow.end()]);
  };
  return { start, backedUp, rebuildBeside };
}

async function partyOf(client: Client) {
  const { account, bank, payee, accessToken } = await staffed(client, {}, funded);
  return { account, bank, payee, accessToken, pending: await quote(client, quoteBody(account.id, payee.id)) };
}
type Party = Awaited<ReturnType<typeof partyOf>>;

type Asked = readonly [path: string, body: object];

const transferOut = ({ account, bank }: Party) => ({
  source: { accountId: account.id },
  destination: { accountId: bank.id },
  amount: 60_000,
});

/** Each kind of request that makes something under a key. */
const requests = {
  'a transfer out': (party) => ['/transfer-out', transferOut(party)],
  'a transfer in': ({ account, bank }) => [
    '/transfer-in',
    { source: { accountId: bank.id }, destination: { accountId: account.id }, amount: 1_000 },
  ],
  'a quote that pays at once': ({ account, payee }) => [
    '/quotes',
    quoteBody(account.id, payee.id, { immediatelyExecute: true }),
  ],
  'an execution': ({ pending }) => [`/quotes/${pending.id}/execute`, {}],
  'a transfer out by an agent': (party) => ['/agents/me/transfer-out', transferOut(party)],
} as const satisfies Readonly<Record<string, (party: Party) => Asked>>;

const send = (client: Client, { accessToken }: Party, [path, body]: Asked): Promise<Answer> => {
  const caller = path.startsWith('/agents/me') ? agentClientOf(client, accessToken) : client;
  return caller.post(path, body, { 'idempotency-key': 'once' });
};

const transactionOf = ({ body }: Answer): string =>
  body.transactionId ?? body.id.replace('AgentAction:', 'Transaction:');

/** All payments of the account, and what it has once one of them has ended. */
async function outcome(client: Client, { account }: Party, transactionId: string): Promise<Json> {
  await untilTransaction(client, transactionId, 'COMPLETED');
  const { data } = expectStatus(await client.get('/transactions', { limit: '100' }), 200);
  const own = data.filter(({ source, destination }: Json) =>
    [source.accountId, destination.accountId].includes(account.id),
  );
  const { data: accounts } = expectStatus(await client.get('/customers/internal-accounts'), 200);
  const { balance } = accounts.find(({ id }: Json) => id === account.id);
  return { payments: own.map(({ id }: Json) => id).sort(), balance: balance.amount };
}

/** Two servers of the same data, as it was after some work. */
async function twoServers(work: (url: string) => Promise<Party>) {
  const log = createLog('silent');
  const directory = await mkdtemp(join(tmpdir(), 'daybook-servers-'));
  const [first, second] = [join(directory, 'first'), join(directory, 'second')];
  const at = await startEmbeddedPostgres(first, log);
  const party = await work(at.url);
  await at.stop();
  await cp(first, second, { recursive: true });
  const [later, earlier] = [
    await startEmbeddedPostgres(first, log),
    await startEmbeddedPostgres(second, log),
  ];
  onTestFinished(async () => {
    await Promise.all([later.stop(), earlier.stop()]);
    await removeDirectory(directory);
  });
  return { later, earlier: { url: earlier.url, party } };
}

describe('a request whose key was lost', () => {
  it.each(Object.entries(requests))('%s is made once', async (_kind, asked) => {
    const { start, backedUp } = await installation();
    const { databaseUrl, backup, party } = await backedUp();
    const first = await start(databaseUrl);
    const made = await send(first.client, party, asked(party));
    expect(made.status).toBeLessThan(300);
    const after = await outcome(first.client, party, transactionOf(made));
    await first.stop();
    const { client } = await start(backup);
    const again = await send(client, party, asked(party));
    expect(again.status).toBe(made.status);
    expect(transactionOf(again)).toBe(transactionOf(made));
    expect(await outcome(client, party, transactionOf(made))).toEqual(after);
  });

  it('waits until the key is there again, and is told so where that takes too long', async () => {
    const { start, backedUp } = await installation();
    const { databaseUrl, backup, party } = await backedUp();
    const first = await start(databaseUrl);
    const out = requests['a transfer out'](party);
    const made = await send(first.client, party, out);
    await first.stop();
    const { client } = await start(backup, { DAYBOOK_ROLES: 'api' });
    const unknown = await send(client, party, out);
    expect(unknown.status).toBe(503);
    expect(unknown.body.message).toMatch(
      /Idempotency-Key was used is not known yet.+Send it again in 1 second/,
    );
    expect(unknown.headers.get('retry-after')).toBe('1');
    await start(backup, { DAYBOOK_ROLES: 'projector,worker' });
    const again = await send(client, party, out);
    expect(transactionOf(again)).toBe(transactionOf(made));
  });

  it('finds what was done after a rebuild, where the table of keys alone was lost', async () => {
    const { start, backedUp, rebuildBeside } = await installation();
    const { databaseUrl, party } = await backedUp();
    const first = await start(databaseUrl);
    const out = requests['a transfer out'](party);
    const made = await send(first.client, party, out);
    await first.stop();
    await query(databaseUrl, 'truncate daybook.idempotency_keys');
    await rebuildBeside(databaseUrl);
    const { client } = await start(databaseUrl);
    expect(transactionOf(await send(client, party, out))).toBe(transactionOf(made));
  });

  it('is made once where another server takes over under the service, without its last commits', async () => {
    const { start } = await installation();
    const { later, earlier } = await twoServers(async (url) => {
      const { client, stop } = await start(url);
      const party = await partyOf(client);
      await stop();
      return party;
    });
    const line = await lineTo(later.url);
    const { client } = await start(line.url);
    const out = requests['a transfer out'](earlier.party);
    const made = await send(client, earlier.party, out);
    const after = await outcome(client, earlier.party, transactionOf(made));
    line.leadTo(earlier.url);
    const again = await eventually(
      () => send(client, earlier.party, out),
      ({ status }) => status !== 503,
    );
    expect(transactionOf(again)).toBe(transactionOf(made));
    expect(await outcome(client, earlier.party, transactionOf(made))).toEqual(after);
  });
});
