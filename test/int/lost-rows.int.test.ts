/**
 * Commits of read models do not wait for the disk: a server that goes down takes those of its last moments with it. Here
 * they are taken away by hand, with all connections, and nobody makes them again until the test says so.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { behindHeader } from '../../src/infrastructure/http/behind.ts';
import { administratorOf, createDatabase, query } from '../support/database.ts';
import { accountOf, createCustomer, eventually, expectStatus, fund } from '../support/flows.ts';
import { newCredentials, startTestService, type TestOptions } from '../support/service.ts';

async function started(options: TestOptions) {
  const service = await startTestService(options);
  onTestFinished(() => service.stop());
  return service;
}

/** A payment that was shown, and is not any more. */
async function paymentThatIsGone(patienceMs?: number) {
  const databaseUrl = await createDatabase();
  const credentials = newCredentials();
  const variables = {
    DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  };
  const withRoles = (roles: string, patience?: number) =>
    started({
      databaseUrl,
      variables: { ...variables, DAYBOOK_ROLES: roles },
      ...(patience !== undefined && { patienceMs: patience }),
    });
  const restore = () => withRoles('projector,worker');
  const keeper = await restore();
  const { client } = await withRoles('api', patienceMs);
  const customer = await createCustomer(client);
  await fund(client, (await accountOf(client, customer.id)).id, 100);
  const [{ id }] = expectStatus(await client.get('/transactions'), 200).data;
  await keeper.stop();
  await query(databaseUrl, 'delete from daybook.transactions');
  await query(databaseUrl, `update daybook.checkpoints set position = 0 where name = 'projections'`);
  const listeners = `from pg_stat_activity where datname = current_database() and application_name like '%listen%'`;
  const of = administratorOf(databaseUrl);
  const [former] = await query<{ pid: number }>(of, `select pid ${listeners}`);
  await query(
    of,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await eventually(
    () => query<{ pid: number }>(of, `select pid ${listeners}`),
    ([now]) => now !== undefined && now.pid !== former?.pid,
  );
  return { client, path: `/transactions/${id}`, restore, withRoles };
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
    const { client, path, restore } = await paymentThatIsGone(300);
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
    expect((await client.get('/transactions')).headers.get(behindHeader)).toBeNull();
  });

  it('are there again when a process that has just started takes requests', async () => {
    const { path, withRoles } = await paymentThatIsGone();
    const { client } = await withRoles('api,projector,worker');
    expectStatus(await client.get(path), 200);
  });

  it('are not called missing by a process that has just started, before they are there again', async () => {
    const { path, restore, withRoles } = await paymentThatIsGone();
    const { client } = await withRoles('api', 300);
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
});
