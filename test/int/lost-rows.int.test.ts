/**
 * Commits of read models do not wait for the disk: a server that goes down takes those of its last moments with it. Here
 * they are taken away by hand, with all connections, and nobody makes them again until the test says so.
 */
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { behindHeader } from '../../src/infrastructure/http/behind.ts';
import { type Answer, clientOf } from '../support/http/client.ts';
import { administratorOf, createDatabase, query } from '../support/postgres/database.ts';
import { newCredentials, startTestService, type TestOptions } from '../support/processes/service.ts';
import { accountOf, createCustomer, eventually, expectStatus, fund } from '../support/resources/flows.ts';
import { lineTo } from '../support/servers/line.ts';

async function started(options: TestOptions) {
  const service = await startTestService(options);
  onTestFinished(() => service.stop());
  return service;
}

/** Whoever listens does so on another connection than these. */
async function untilListeningAnew(of: string, breakAll: () => Promise<unknown>) {
  const ask = () =>
    query<{ pid: number }>(
      of,
      `select pid from pg_stat_activity
       where datname = current_database() and application_name like '%listen%' order by pid`,
    );
  const former = new Set((await ask()).map(({ pid }) => pid));
  await breakAll();
  await eventually(ask, (now) => now.length === former.size && now.every(({ pid }) => !former.has(pid)));
}

const positionOfLists = `select position::text from daybook.checkpoints where name = 'projections'`;
const losing = [
  'delete from daybook.transactions',
  `update daybook.checkpoints set position = 0 where name = 'projections'`,
];
const breaking = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Waits as long as it does outside tests. */
const impatient = { patienceMs: undefined };

/** A payment that is shown, by processes of several roles; `client` is the one that waits as it is told to. */
async function paymentThatIsShown(waiting: TestOptions = {}) {
  const databaseUrl = await createDatabase();
  const credentials = newCredentials();
  const variables = {
    DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  };
  const withRoles = (roles: string, options: TestOptions = {}) =>
    started({ databaseUrl, variables: { ...variables, DAYBOOK_ROLES: roles }, ...options });
  const restore = () => withRoles('projector,worker');
  const keeper = await restore();
  const { client: patient } = await withRoles('api');
  const { client } = await withRoles('api', waiting);
  const customer = await createCustomer(patient);
  await fund(patient, (await accountOf(patient, customer.id)).id, 100);
  const [{ id }] = expectStatus(await patient.get('/transactions'), 200).data;
  const path = `/transactions/${id}`;
  await eventually(() => client.get(path), isThere);
  return { databaseUrl, client, patient, path, keeper, restore, withRoles };
}

const isThere = ({ status, headers }: Answer) => status === 200 && headers.get(behindHeader) === null;

/** A payment that was shown, and is not any more. */
async function paymentThatIsGone(waiting: TestOptions = {}) {
  const shown = await paymentThatIsShown(waiting);
  await shown.keeper.stop();
  for (const statement of losing) await query(shown.databaseUrl, statement);
  const of = administratorOf(shown.databaseUrl);
  await untilListeningAnew(of, () => query(of, breaking));
  return shown;
}

/** The same, and whoever made its rows is there, and kept from making them again. */
async function paymentThatIsNotMadeAgain(waiting: TestOptions) {
  const shown = await paymentThatIsShown(waiting);
  const of = administratorOf(shown.databaseUrl);
  const keeping = new pg.Client({ connectionString: of });
  await keeping.connect();
  onTestFinished(() => keeping.end());
  await untilListeningAnew(of, async () => {
    await keeping.query('begin; lock table daybook.leases in exclusive mode');
    for (const statement of losing) await query(of, statement);
    await keeping.query(breaking);
  });
  return { ...shown, restore: () => keeping.query('rollback') };
}

describe('rows that were lost with their server', () => {
  it('are waited for by who asks for what was shown before', async () => {
    const { client, path, restore } = await paymentThatIsGone();
    const answer = client.get(path);
    const first = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]);
    expect(first).toBe('waits');
    await restore();
    expectStatus(await answer, 200);
  });

  it('are not called missing, where waiting takes too long', async () => {
    const { client, path, restore } = await paymentThatIsGone(impatient);
    const early = await client.get(path);
    expect([early.status, early.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(early.headers.get('retry-after')).toBe('1');
    const list = await client.get('/transactions');
    expect([list.status, list.headers.get(behindHeader)]).toEqual([200, 'behind']);
    await restore();
    await eventually(
      () => client.get(path),
      ({ status }) => status === 200,
    );
    await eventually(() => client.get('/transactions'), isThere);
  });

  it('are not called there by who once made them', async () => {
    const { client, path, restore } = await paymentThatIsNotMadeAgain(impatient);
    for (let n = 0; n < 5; n++) expect((await client.get(path)).status).toBe(503);
    await restore();
    await eventually(
      () => client.get(path),
      ({ status }) => status === 200,
    );
  });

  it('are there again when a process that has just started takes requests', async () => {
    const { path, withRoles } = await paymentThatIsGone();
    const { client } = await withRoles('api,projector,worker');
    expectStatus(await client.get(path), 200);
  });

  it('are not called missing by a process that has just started, before they are there again', async () => {
    const { path, restore, withRoles } = await paymentThatIsGone();
    const { client } = await withRoles('api', impatient);
    const early = await client.get(path);
    expect([early.status, early.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    const list = await client.get('/transactions');
    expect([list.status, list.headers.get(behindHeader)]).toEqual([200, 'behind']);
    await restore();
    await eventually(
      () => client.get(path),
      ({ status }) => status === 200,
    );
  });

  it('are not called missing by a process that had not heard of them, while another showed them', async () => {
    const { databaseUrl, patient, keeper, restore, withRoles } = await paymentThatIsShown();
    const line = await lineTo(databaseUrl);
    const deaf = await withRoles('api', { ...impatient, databaseUrl: line.url });
    const there = clientOf(deaf.url, deaf.credentials);
    const [heard] = await query<{ position: string }>(databaseUrl, positionOfLists);
    expectStatus(await there.get('/transactions'), 200);
    line.freeze();
    const customer = await createCustomer(patient);
    await fund(patient, (await accountOf(patient, customer.id)).id, 100);
    const [{ id }] = expectStatus(await patient.get('/transactions', { customerId: customer.id }), 200).data;
    await keeper.stop();
    await query(databaseUrl, 'delete from daybook.transactions where id = $1', [id]);
    await query(databaseUrl, `update daybook.checkpoints set position = $1 where name = 'projections'`, [
      heard?.position,
    ]);
    const of = administratorOf(databaseUrl);
    await untilListeningAnew(of, async () => {
      line.reset();
      line.thaw();
      await query(of, breaking);
    });
    // It reads the end of the log once it listens: a moment after the server shows that it does.
    await eventually(
      () => there.get(`/transactions/${id}`),
      ({ status }) => status === 503,
    );
    for (let n = 0; n < 5; n++) expect((await there.get(`/transactions/${id}`)).status).toBe(503);
    await restore();
    await eventually(
      () => there.get(`/transactions/${id}`),
      ({ status }) => status === 200,
    );
  });
});
