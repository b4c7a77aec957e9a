/** The operator's command line beside a service that runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { untilEnded } from '../support/log/books.ts';
import { query } from '../support/postgres/database.ts';
import { nodePath } from '../support/processes/process.ts';
import { startTestService, testMasterKey } from '../support/processes/service.ts';
import { accountOf, eventually, expectStatus } from '../support/resources/flows.ts';
import { balanceOf, customerWith, receive, registerUsd, transferOut } from '../support/resources/payments.ts';
import { idOfNobody } from '../support/values/ids.ts';

const script = resolve(import.meta.dirname, '../../src/main.js');

const accounts = (databaseUrl: string, ...args: string[]) => daybook(databaseUrl, 'accounts', ...args);

async function daybook(databaseUrl: string, ...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    DAYBOOK_MASTER_KEY: testMasterKey,
  };
  const bootstrap = {
    DAYBOOK_BOOTSTRAP_CLIENT_ID: 'unused',
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: 'unused-unused-unused',
  };
  const child = spawn(nodePath, [script, ...args], { env: { ...env, ...bootstrap } });
  let [out, complaint] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, complaint };
}

async function running() {
  const service = await startTestService({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
  onTestFinished(() => service.stop());
  return service;
}

const statusOf = (account: () => Promise<Json>, status: string) =>
  eventually(account, (shown) => shown.status === status);

describe('daybook accounts', () => {
  it('freezes an account of a service that runs, and lets go what it held', async () => {
    const { client, databaseUrl } = await running();
    const { customer, account } = await customerWith(client);
    const bank = await registerUsd(client, customer.id);
    const froze = await accounts(
      databaseUrl,
      'freeze',
      account.id,
      '--reason',
      'Court order 7',
      '--actor',
      'grace',
    );
    expect(froze).toMatchObject({ code: 0, out: expect.stringContaining(`${account.id} is FROZEN`) });
    await statusOf(() => accountOf(client, customer.id), 'FROZEN');
    expectProblem(await transferOut(client, account.id, bank.id, 100), 403, 'USER_NOT_READY');
    const { id } = expectStatus(await receive(client, { customerId: customer.id }), 200);
    await eventually(
      () => accounts(databaseUrl, 'show', account.id),
      ({ out }) => out.includes(`holds USD 25.00 of ${id}`),
    );
    const freed = await accounts(databaseUrl, 'unfreeze', account.id, '--reason', 'lifted');
    expect(freed).toMatchObject({ code: 0, out: expect.stringContaining('balance USD 1025.00') });
    await untilEnded(client, id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(102_500);
    const [event] = await query<{ data: Json; metadata: Json }>(
      databaseUrl,
      `select data, metadata from daybook_log.events
       where type = 'AccountStatusChanged' and data ->> 'status' = 'FROZEN'`,
    );
    expect(event).toMatchObject({ data: { reason: 'sealed' }, metadata: { actor: 'operator:grace' } });
  });

  it('ends the verification of an external account', async () => {
    const { client, databaseUrl } = await running();
    const { customer, account } = await customerWith(client);
    const bank = await registerUsd(client, customer.id, '120');
    const done = await accounts(databaseUrl, 'activate', bank.id, '--reason', 'statement seen');
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining(`${bank.id} is ACTIVE`) });
    await statusOf(async () => (await client.get(`/customers/external-accounts/${bank.id}`)).body, 'ACTIVE');
    expectStatus(await transferOut(client, account.id, bank.id, 100), 201);
  });

  it('says what is wrong, and does nothing', async () => {
    const { databaseUrl } = await running();
    const nobody = await accounts(databaseUrl, 'freeze', idOfNobody('InternalAccount'), '--reason', 'why');
    expect(nobody).toMatchObject({ code: 1, out: '', complaint: 'There is no such internal account.\n' });
    const unknown = await accounts(databaseUrl, 'freeze', 'everything');
    expect(unknown).toMatchObject({
      code: 2,
      out: '',
      complaint: expect.stringContaining("required option '--reason <text>'"),
    });
  });
});

describe('daybook erase', () => {
  it('erases a customer of a service that runs, who has nothing left', async () => {
    const { client, databaseUrl } = await running();
    const { customer } = await customerWith(client, 0);
    const { customer: rich } = await customerWith(client, 100);
    const { code, out } = await daybook(databaseUrl, 'erase', customer.id, '--actor', 'grace', '--json');
    expect([code, JSON.parse(out)]).toEqual([0, { customerId: customer.id, askedAt: expect.any(String) }]);
    const erased = await eventually(
      async () => expectStatus(await client.get(`/customers/${customer.id}`), 200),
      (shown) => !('fullName' in shown),
    );
    expect(erased.isDeleted).toBe(true);
    const [event] = await query<Json>(
      databaseUrl,
      "select metadata from daybook_log.events where type = 'CustomerErased'",
    );
    expect(event?.metadata.actor).toBe('operator:grace');
    const refused = await daybook(databaseUrl, 'erase', rich.id);
    expect([refused.code, refused.complaint]).toEqual([1, expect.stringMatching(/still has money/)]);
    const nobody = await daybook(databaseUrl, 'erase', 'Ada');
    expect([nobody.code, nobody.complaint]).toEqual([2, expect.stringMatching(/no id of a customer/)]);
  });

  it('has a customer erased of whom the log says it, and the tables do not', async () => {
    const { client, databaseUrl } = await running();
    const { customer } = await customerWith(client, 0);
    const erasures = () => query<Json>(databaseUrl, 'select done_at from daybook.erasures');
    const isDone = (rows: readonly Json[]) => rows.length === 1 && rows[0].done_at !== null;
    expectStatus(await client.post(`/customers/${customer.id}/erase`), 200);
    const [first] = await eventually(erasures, isDone);
    await query(databaseUrl, 'delete from daybook.erasures');
    expect(await daybook(databaseUrl, 'erase', customer.id)).toMatchObject({ code: 0 });
    const [again] = await eventually(erasures, isDone);
    expect(again.done_at.getTime()).toBeGreaterThan(first.done_at.getTime());
  });
});

describe('what an operator decides', () => {
  const during = [
    ['a restore', 'restoring', 'daybook restore'],
    ['a move of the log', 'moving', 'daybook log copy'],
  ];
  it.each(during)('is not decided by read models that %s is building', async (_, checkpoint, remedy) => {
    const { client, databaseUrl } = await running();
    const { customer, account } = await customerWith(client, 0);
    await query(databaseUrl, `insert into daybook.checkpoints (name, position) values ('${checkpoint}', 0)`);
    const events = () => query(databaseUrl, 'select id from daybook_log.events order by position');
    const before = await events();
    const idOfVerification = idOfNobody('Verification');
    for (const asked of [
      ['erase', customer.id],
      ['accounts', 'freeze', account.id, '--reason', 'why'],
      ['decide'],
      ['decide', idOfVerification, 'APPROVED'],
    ])
      expect(await daybook(databaseUrl, ...asked)).toEqual({
        code: 1,
        out: '',
        complaint: expect.stringContaining(`Run it again: ${remedy}`),
      });
    expect(await events()).toEqual(before);
  });
});
