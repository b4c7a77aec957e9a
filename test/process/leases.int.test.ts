import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leaseMs } from '../../src/infrastructure/jobs/lease-line.ts';
import { type Answer, type Client, clientOf } from '../support/http/client.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { signalAll } from '../support/postgres/embedded-server.ts';
import { type Daybook, spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';
import { accountOf, eventually, expectStatus, fund, individual } from '../support/resources/flows.ts';
import { lineTo } from '../support/servers/line.ts';
import { turnInTime } from '../support/time/turns.ts';

const credentials = newCredentials();

async function start(databaseUrl: string, roles: string): Promise<Daybook> {
  const daybook = spawnDaybook({
    cwd: await temporaryDirectory(),
    variables: {
      DATABASE_URL: databaseUrl,
      DAYBOOK_ROLES: roles,
      DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
      DAYBOOK_SANDBOX_TIME_SCALE: '0.05',
    },
  });
  onTestFinished(async () => {
    signalAll([daybook.pid], 'SIGCONT');
    signalAll([daybook.pid], 'SIGKILL');
    await daybook.exited;
  });
  await eventually(
    async () => daybook.stdout(),
    (text) => text.includes('Daybook is ready'),
  );
  return daybook;
}

type Lease = { readonly name: string; readonly token: string };
const leases = (url: string) =>
  query<Lease>(url, 'select name, token::text from daybook.leases order by name');
/** Of the log's tree, of reactions and of the read models. */
const names = ['log tree', 'policies', 'projections'];
const heldFirst = names.map((name) => ({ name, token: '1' }));
const isAfter = (found: readonly Lease[], before: readonly Lease[]) =>
  isDeepStrictEqual(
    found.map(({ name }) => name),
    before.map(({ name }) => name),
  ) && found.every(({ token }, n) => Number(token) > Number(before[n]?.token));
/** A term may end on a busy machine as well, and another one follow: each is later than what it was before. */
const untilPassedOn = (url: string, before: readonly Lease[]) =>
  eventually(
    () => leases(url),
    (found) => isAfter(found, before),
  );

/** The answer of a service that is there, which may take a moment on a busy machine. */
const served = (ask: () => Promise<Answer>): Promise<Answer> =>
  eventually(ask, ({ status }) => status !== 503);

/** What was written shows, and is there once. */
async function serves(client: Client): Promise<void> {
  const { id } = expectStatus(await served(() => client.post('/customers', individual())), 201);
  await eventually(
    async () => (await client.get(`/customers/${id}`)).status,
    (status) => status === 200,
  );
  const { data } = await eventually(
    async () =>
      expectStatus(await served(() => client.get('/customers/internal-accounts', { customerId: id })), 200),
    ({ totalCount }) => totalCount > 0,
  );
  expect(
    data.filter(
      ({ balance }: { balance: { currency: { code: string } } }) => balance.currency.code === 'USD',
    ),
  ).toHaveLength(1);
}

const leaseSeconds = leaseMs / 1_000;

/** How long each of them has stood where it is. */
const transactionsOfProjector = (url: string, where: string) =>
  query<{ seconds: number }>(
    url,
    `select extract(epoch from clock_timestamp() - state_change)::float as seconds from pg_stat_activity
     where datname = current_database() and application_name = 'daybook-projector' and ${where} order by 1 desc`,
  );

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

type Through = (url: string) => Promise<string>;

/** A first holder of all leases by way of `url`, one who waits for them, and who serves requests. */
async function installation(through: Through = async (url) => url) {
  let made = await started(through);
  // That the holder has them still is to be so before anything else is looked at.
  await turnInTime(async () => {
    if (isDeepStrictEqual(await leases(made.url), heldFirst)) return true;
    made = await started(through);
    return false;
  });
  return made;
}

async function started(through: Through) {
  const url = await createDatabase();
  const api = await start(url, 'api');
  const client = clientOf(await api.ready, credentials);
  const holder = await start(await through(url), 'projector,worker');
  await untilPassedOn(
    url,
    names.map((name) => ({ name, token: '0' })),
  );
  await serves(client);
  await start(url, 'projector,worker');
  return { url, client, holder };
}

describe('the leases of a process', () => {
  it('pass on when it is killed', async () => {
    const { url, client, holder } = await installation();
    const before = await leases(url);
    holder.kill('SIGKILL');
    await untilPassedOn(url, before);
    await serves(client);
  });

  it('pass on when it is stopped, and coming back it changes nothing', async () => {
    await turnInTime(async () => {
      const { url, client, holder } = await installation();
      const before = await leases(url);
      holder.kill('SIGSTOP');
      const taken = await untilPassedOn(url, before);
      await serves(client);
      holder.kill('SIGCONT');
      for (let n = 0; n < 5; n++) await serves(client);
      const written = await query<Lease>(
        url,
        `select name, token::text from daybook.checkpoints where name in ('policies', 'projections') order by name`,
      );
      expect(isAfter(written, before.slice(1))).toBe(true);
      if (!isDeepStrictEqual(await leases(url), taken)) return false;
      expect(written).toEqual(taken.slice(1));
      return true;
    });
  });

  it('pass on when it is stopped inside a transaction, and what that has locked is free with them', async () => {
    const { url, client, holder } = await installation();
    const webhookEndpoint = 'https://pay.example/hooks';
    expectStatus(await served(() => client.patch('/config', { webhookEndpoint })), 200);
    const { id } = expectStatus(await served(() => client.post('/customers', individual())), 201);
    const account = await accountOf(client, id, 'USD');
    const locked = await connect(url);
    await locked.query('begin; lock table daybook.webhook_events in share mode');
    const funded = fund(client, account.id, 100);
    await eventually(
      () => transactionsOfProjector(url, `wait_event_type = 'Lock'`),
      ({ length }) => length > 0,
    );
    const before = await leases(url);
    holder.kill('SIGSTOP');
    await locked.query('rollback');
    await untilPassedOn(url, before);
    const held = await eventually(
      () => transactionsOfProjector(url, `state = 'idle in transaction'`),
      ([longest]) => !longest || longest.seconds > 2 * leaseSeconds,
    );
    expect(held).toEqual([]);
    await funded;
    await serves(client);
  });

  it('pass on when its line to the database is cut, and neither end hears of it', async () => {
    let cut = () => {};
    const { url, client } = await installation(async (direct) => {
      const line = await lineTo(direct);
      cut = line.cutForGood;
      return line.url;
    });
    const before = await leases(url);
    cut();
    await untilPassedOn(url, before);
    await serves(client);
  });
});

describe('a process whose connections have gone silent', () => {
  it('serves again by new ones', async () => {
    const url = await createDatabase();
    const line = await lineTo(url);
    const api = await start(line.url, 'api');
    await start(url, 'projector,worker');
    const client = clientOf(await api.ready, credentials);
    await serves(client);
    line.cut();
    await eventually(
      async () => await client.post('/customers', individual()),
      ({ status, headers }) => status === 201 && headers.get('daybook-read-models') === null,
    );
    await serves(client);
  });
});
