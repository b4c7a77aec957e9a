/** What an auditor gets from an operator, and what not. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openAuditorSchema } from '../../projections/auditor/schema.ts';
import { createReadDb } from '../../projections/database.ts';
import { migrateBooks } from '../../projections/migrations/migrate.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { connect } from '../support/log/raw-log.ts';
import { administratorOf, createDatabase, query } from '../support/postgres/database.ts';
import { nodePath } from '../support/processes/process.ts';
import { startTestService, testMasterKey } from '../support/processes/service.ts';
import { approvalRequired, approve, payOut, reject, staffed } from '../support/resources/agents.ts';
import { createCustomer, expectStatus, fund } from '../support/resources/flows.ts';
import { receive } from '../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../support/resources/snapshots.ts';
import { issueToken } from '../support/resources/tokens.ts';
import { startReceiver } from '../support/servers/receiver.ts';

const root = resolve(import.meta.dirname, '../..');

/** Roles are made by an administrator; questions are asked as the service. */
async function auditor(databaseUrl: string, ...args: readonly string[]) {
  const makesRoles = args[0] === 'create' || args[0] === 'drop';
  const env = {
    PATH: process.env.PATH,
    LOG_LEVEL: 'silent',
    DATABASE_URL: makesRoles ? administratorOf(databaseUrl) : databaseUrl,
    DAYBOOK_MASTER_KEY: testMasterKey,
  };
  const child = spawn(nodePath, [resolve(root, 'src/main.js'), 'auditor', ...args], { env });
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

/** Roles belong to the whole server: each test has one of its own. */
async function newAuditor(databaseUrl: string, whenOver = onTestFinished) {
  const name = `auditor_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const made = await auditor(databaseUrl, 'create', name);
  expect(made).toMatchObject({ code: 0, complaint: '' });
  whenOver(() => auditor(databaseUrl, 'drop', name).then(() => undefined));
  const [, url = ''] = /^Its address: (\S+)$/m.exec(made.out) ?? [];
  return { name, url, out: made.out };
}

async function running() {
  const service = await startTestService();
  onTestFinished(service.stop);
  return service;
}

let kept: ReturnType<typeof startTestService> | undefined;
/** For what does not change it. */
const shared = () => {
  kept ??= startTestService();
  return kept;
};
let keptUrl: Promise<string> | undefined;
/** What ends the auditor of that service. */
const drops: (() => unknown)[] = [];
const sharedUrl = (): Promise<string> => {
  keptUrl ??= shared()
    .then(({ databaseUrl }) => newAuditor(databaseUrl, (drop) => void drops.push(drop as () => unknown)))
    .then(({ url }) => url);
  return keptUrl;
};
afterAll(async () => {
  for (const drop of drops) await drop();
  await (await kept)?.stop();
});

/** As the page says them, or as the database has them: by view, its columns. */
const documented = (): Record<string, readonly string[]> =>
  Object.fromEntries(
    readFileSync(resolve(root, 'docs/reference/auditor-views.md'), 'utf8')
      .split(/^## /m)
      .flatMap((chapter) => {
        const [, name] = /^`auditor\.(\w+)`/.exec(chapter) ?? [];
        const columns = [...chapter.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(([, cell = '']) =>
          [...cell.matchAll(/`(\w+)`/g)].map(([, column = '']) => column),
        );
        return name ? [[name, columns] as const] : [];
      }),
  );
const existing = async (url: string): Promise<Record<string, readonly string[]>> => {
  const rows = await query<{ name: string; columns: string[] }>(
    url,
    `select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns where table_schema = 'auditor' group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
};
const bySorted = (views: Record<string, readonly string[]>) =>
  Object.entries(views)
    .map(([name, columns]) => [name, columns.toSorted()] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

describe('an auditor', () => {
  it('sees payments, postings, decisions, customers and tokens', async () => {
    const { client, databaseUrl } = await running();
    const one = await staffed(client, approvalRequired);
    const approved = expectStatus(await payOut(one, 5_000), 201);
    expectStatus(await approve(client, approved), 200);
    const rejected = expectStatus(await payOut(one, 100), 201);
    expectStatus(await reject(client, rejected), 200);
    expectStatus(await receive(client, { receiverUmaAddress: one.customer.umaAddress }), 200);
    const token = await issueToken(client, ['VIEW'], 'Grace, reporting');
    const { url } = await newAuditor(databaseUrl);

    const sums = await query(url, 'select currency, sum(minor) as sum from auditor.postings group by 1');
    expect(sums).not.toEqual([]);
    for (const { sum } of sums as { sum: string }[]) expect(Number(sum)).toBe(0);
    const paid = await query(url, 'select status from payments where id = $1', [
      expectStatus(await client.get('/agents/decisions'), 200).data.at(-1).transaction.id,
    ]);
    expect(paid).toHaveLength(1);
    const decisions = await query<{ subject: string; outcome: string; decided_by: string; reason: string }>(
      url,
      "select subject, outcome, decided_by, reason from decisions where kind = 'agent-action' order by position",
    );
    expect(decisions).toEqual([
      {
        subject: approved.id,
        outcome: 'APPROVED',
        decided_by: expect.stringMatching(/^token:/),
        reason: null,
      },
      {
        subject: rejected.id,
        outcome: 'REJECTED',
        decided_by: expect.stringMatching(/^token:/),
        reason: expect.any(String),
      },
    ]);
    const [customer] = await query<{ type: string; fields: string[] }>(
      url,
      'select type, fields from customer_events where customer_id = $1 order by position limit 1',
      [one.customer.id],
    );
    expect(customer).toMatchObject({ type: 'CustomerCreated', fields: expect.arrayContaining(['fullName']) });
    expect(await query(url, 'select type, name from token_events where token_id = $1', [token.id])).toEqual([
      { type: 'TokenIssued', name: 'Grace, reporting' },
    ]);
  });

  it('sees decisions on incoming payments where the platform was asked, and none where it was not', async () => {
    const { client, databaseUrl } = await running();
    const { url } = await newAuditor(databaseUrl);
    const { umaAddress: receiverUmaAddress } = await createCustomer(client);
    const incoming = async () => expectStatus(await receive(client, { receiverUmaAddress }), 200);
    await incoming();
    const endpoint = await startReceiver();
    onTestFinished(() => endpoint.close());
    endpoint.answer(202);
    expectStatus(await client.patch('/config', { webhookEndpoint: endpoint.url }), 200);
    const [approved, rejected] = [await incoming(), await incoming()];
    expectStatus(await client.post(`/transactions/${approved.id}/approve`), 200);
    expectStatus(await client.post(`/transactions/${rejected.id}/reject`), 200);
    const decided = await query(
      url,
      `select subject, outcome, decided_by like 'token:%' as by_token from decisions
       where kind = 'incoming-payment' order by position`,
    );
    expect(decided).toEqual([
      { subject: approved.id, outcome: 'APPROVED', by_token: true },
      { subject: rejected.id, outcome: 'REJECTED', by_token: true },
    ]);
  });

  it('sees that a customer was erased, and at whose request', async () => {
    const { client, databaseUrl } = await running();
    const { id } = await createCustomer(client);
    expectStatus(await client.post(`/customers/${id}/erase`), 200);
    const { url } = await newAuditor(databaseUrl);
    const erased = await query(
      url,
      `select subject, fields, actor like 'token:%' as by_token from customer_events
       where customer_id = $1 and type = 'CustomerErased'`,
      [id],
    );
    expect(erased).toEqual([{ subject: id, fields: [], by_token: true }]);
  });

  it('sees what a platform was put back from as such, and nothing twice', async () => {
    const { client, databaseUrl } = await running();
    const one = await staffed(client, approvalRequired);
    expectStatus(await approve(client, expectStatus(await payOut(one, 5_000), 201)), 200);
    const { url } = await newAuditor(databaseUrl);
    const counts = async () =>
      query(
        url,
        `select (select count(*) from decisions) as decisions, (select count(*) from customer_events) as customers,
           (select count(*) from token_events where type <> 'TokenUsed') as tokens`,
      );
    const before = await counts();
    const heldOf = async (condition: string) => {
      const [row] = await query<{ held: string }>(
        url,
        `select sum(minor) as held from postings where account = $1 and ${condition}`,
        [one.account.id],
      );
      return Number(row?.held);
    };
    const held = await heldOf('true');
    const snapshot = await takeSnapshot(client);
    await fund(client, one.account.id, 700);
    expect(await heldOf('true')).toBe(held + 700);
    const [{ last } = { last: '' }] = await query<{ last: string }>(
      url,
      'select max(position) as last from postings',
    );
    await restoreSnapshot(client, snapshot);
    await fund(client, one.account.id, 11);

    expect(await heldOf('put_back_at is null')).toBe(held + 11);
    expect(await heldOf(`position <= ${last} and coalesce(put_back_at > ${last}, true)`)).toBe(held + 700);
    expect(await counts()).toEqual(before);
  });

  it('sees the columns that the page names, in every shape', async () => {
    const { databaseUrl } = await running();
    const { out } = await newAuditor(databaseUrl);
    expect(bySorted(await existing(databaseUrl))).toEqual(bySorted(documented()));
    for (const name of Object.keys(documented())) expect(out).toContain(`auditor.${name}`);

    const url = await createDatabase();
    const db = createReadDb(createPool({ url, max: 1, name: 'views' }));
    onTestFinished(() => db.destroy());
    await migrateBooks(db);
    // Where the log goes on in EventStoreDB, a table of it here is what a move has left, or one that was refused.
    await query(url, 'create schema daybook_log create table events (position bigint)');
    await query(
      url,
      `insert into daybook.followed_log (log_id, kept_in) values (gen_random_uuid(), 'eventstoredb')`,
    );
    expect(await openAuditorSchema(db)).toEqual(['postings', 'payments', 'checkpoints']);
    const { payments, postings, checkpoints } = documented();
    expect(bySorted(await existing(url))).toEqual(
      bySorted({ payments: payments ?? [], postings: postings ?? [], checkpoints: checkpoints ?? [] }),
    );
  });

  it.each([
    'select * from daybook.api_tokens',
    'select * from daybook.transactions',
    'select * from daybook.webhook_keys',
    'select * from daybook_log.events',
    'select daybook_log.append_events(null, null, true, null, null, null, null, null, null)',
    "delete from auditor.payments where id = ''",
    "update auditor.payments set status = 'COMPLETED'",
    'insert into auditor.postings (position) values (1)',
    'create table auditor.mine (n int)',
    'create table public.mine (n int)',
    'create schema mine',
    'create role mine',
    'drop view auditor.payments',
    'set role postgres',
    "select pg_read_file('/etc/passwd')",
    "copy (select 1) to program 'true'",
  ])('is refused: %s', async (statement) => {
    const client = await connect(await sharedUrl());
    await expect(client.query(statement)).rejects.toThrow();
    // The bounds of the role are its own to lift; what it may do is not.
    await client.query('set default_transaction_read_only = off');
    await expect(client.query(statement)).rejects.toThrow(
      /permission denied|cannot (delete from|update|insert into) view|must be owner|role "postgres" does not exist/,
    );
  });

  it('has bounds', async () => {
    const shown = await query(
      await sharedUrl(),
      `select current_setting('statement_timeout') as statement, current_setting('default_transaction_read_only') as ro,
         (select rolconnlimit from pg_roles where rolname = current_user) as connections`,
    );
    expect(shown).toEqual([{ statement: '5min', ro: 'on', connections: 5 }]);
  });

  it('sees the views of tables that were rebuilt, and of a version that has others', async () => {
    const { client, databaseUrl } = await running();
    const { url } = await newAuditor(databaseUrl);
    await staffed(client);
    const env = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey, PATH: process.env.PATH };
    const rebuilt = spawn(nodePath, [resolve(root, 'src/main.js'), 'rebuild'], { env });
    expect(await once(rebuilt, 'close')).toEqual([0, null]);
    const count = async () =>
      (await query<{ n: number }>(url, 'select count(*)::int as n from payments'))[0]?.n;
    expect(await count()).toBeGreaterThan(0);
    await query(databaseUrl, 'drop view auditor.payments');
    await query(databaseUrl, "create view auditor.payments as select 'former' as version");
    await query(databaseUrl, "comment on schema auditor is 'former'");
    const next = await startTestService({ databaseUrl });
    onTestFinished(next.stop);
    expect(await count()).toBeGreaterThan(0);
  });

  it('is made once, and gone when it is dropped', async () => {
    const { databaseUrl } = await shared();
    const { name, url } = await newAuditor(databaseUrl);
    expect(await auditor(databaseUrl, 'create', name)).toMatchObject({ code: 1 });
    expect(await auditor(databaseUrl, 'drop', name)).toMatchObject({ code: 0 });
    await expect(query(url, 'select 1')).rejects.toThrow(/authentication|does not exist/);
    expect(await auditor(databaseUrl, 'drop', name)).toMatchObject({
      code: 1,
      complaint: `There is no auditor ${name}.\n`,
    });
  });

  it.each(['postgres', 'pg_read_all_data'])('is none that somebody else has made: %s', async (name) => {
    const { databaseUrl } = await shared();
    await newAuditor(databaseUrl);
    expect((await auditor(databaseUrl, 'drop', name)).code).toBeGreaterThan(0);
  });
});

describe('a question', () => {
  it('is answered as a table and as CSV', async () => {
    const { databaseUrl } = await shared();
    const question = `select 'a,"b"' as text, 12 as number, null as nothing, '=1+1' as formula, '-5' as minor`;
    expect((await auditor(databaseUrl, 'query', question)).out).toBe(
      'text   number  nothing  formula  minor\n-----  ------  -------  -------  -----\n' +
        'a,"b"  12      –        =1+1     -5\n(1 row)\n',
    );
    const csv = await auditor(databaseUrl, 'query', '--csv', question);
    expect(csv.out).toBe(`text,number,nothing,formula,minor\r\n"a,""b""",12,,'=1+1,-5\n`);
  });

  it.each([
    'delete from daybook.transactions',
    'commit; delete from daybook.transactions',
    'create table x ()',
  ])('changes nothing: %s', async (statement) => {
    const { databaseUrl } = await shared();
    const { code, complaint } = await auditor(databaseUrl, 'query', statement);
    expect(code).toBe(1);
    expect(complaint).toMatch(
      /^cannot .* in a read-only transaction: a question changes nothing\n$|multiple commands/,
    );
  });
});

describe('a digest of the log', () => {
  it('is the same for the same events, and another after a change', async () => {
    const { client, databaseUrl, stop } = await startTestService();
    await staffed(client);
    await stop();
    const first = await auditor(databaseUrl, 'digest');
    expect(first.out).toMatch(/^position \d+ {2}events \d+ {2}sha256 [0-9a-f]{64}\n$/);
    expect((await auditor(databaseUrl, 'digest')).out).toBe(first.out);
    const [, position = ''] = /position (\d+)/.exec(first.out) ?? [];

    const again = await startTestService({ databaseUrl });
    await staffed(again.client);
    await again.stop();
    expect((await auditor(databaseUrl, 'digest')).out).not.toBe(first.out);
    expect((await auditor(databaseUrl, 'digest', '--until', position)).out).toBe(first.out);

    await query(databaseUrl, 'alter table daybook_log.events disable trigger all');
    await query(
      databaseUrl,
      `update daybook_log.events set data = jsonb_set(data, '{name}', '"x"') where position = 3`,
    );
    expect((await auditor(databaseUrl, 'digest', '--until', position)).out).not.toBe(first.out);
  });

  it('stays as it was noted when a customer is erased, and a platform is put back', async () => {
    const { client, databaseUrl } = await running();
    const customer = await createCustomer(client);
    const snapshot = await takeSnapshot(client);
    const noted = (await auditor(databaseUrl, 'digest')).out;
    const [, position = '', events] = /position (\d+) {2}events (\d+)/.exec(noted) ?? [];
    expect(events).toBe(position);
    const again = async () => (await auditor(databaseUrl, 'digest', '--until', position)).out;

    await restoreSnapshot(client, snapshot);
    expect(await again()).toBe(noted);
    expectStatus(await client.post(`/customers/${customer.id}/erase`), 200);
    expect(await again()).toBe(noted);
  });
});
