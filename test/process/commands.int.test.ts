import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aggregates } from '../../src/domain/aggregates.ts';
import { runningPostgres } from '../../src/infrastructure/postgres/running.ts';
import { uuidOf } from '../../src/kernel/ids.ts';
import { connect } from '../support/log/raw-log.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';
import { startTestService, testMasterKey } from '../support/processes/service.ts';
import { createBusiness } from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { createOwner } from '../support/resources/verification.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

const front = resolve(import.meta.dirname, '../../bin/daybook');

const logKey = `daybook/0199+c74f20a3+${'A'.repeat(44)}`;

const daybook = (cwd: string, ...args: readonly string[]) => daybookWith({}, cwd, ...args);

function daybookWith(variables: Record<string, string>, cwd: string, ...args: readonly string[]) {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...variables };
  const { status, stdout, stderr } = spawnSync(front, args, { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Leaves this process free to answer the command, where it is what the command asks. */
async function daybookBeside(variables: Record<string, string>, cwd: string, ...args: readonly string[]) {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...variables };
  const child = spawn(front, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [status] = await once(child, 'close');
  return { status, stdout, stderr };
}

/** Those that do something, by their own words: each is asked for help. */
async function commandsBelow(cwd: string, path: readonly string[]): Promise<readonly string[]> {
  const { status, stdout, stderr } = daybook(cwd, ...path, '--help');
  expect([path, status, stderr]).toEqual([path, 0, '']);
  expect(stdout).toMatch(new RegExp(`^Usage: daybook ${path.join(' ')}`));
  const [, listed = ''] = /^Commands:\n(.*)/ms.exec(stdout) ?? [];
  const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
  const below = names.filter((name) => name !== 'help');
  if (below.length === 0) return [path.join(' ')];
  const found: string[] = [];
  for (const name of below) found.push(...(await commandsBelow(cwd, [...path, name])));
  return found;
}

/** With all the options that it cannot do without. */
function refusalOf(cwd: string, command: string, ...options: readonly string[]): readonly [unknown, string] {
  const { status, stderr } = daybook(cwd, ...command.split(' '), ...options);
  const [, required] = /required option '(--[a-z]+) </.exec(stderr) ?? [];
  return required ? refusalOf(cwd, command, required, '2026-01-01', ...options) : [status, stderr];
}

describe('a command', () => {
  it('says what it does and does nothing, asked for help, and takes no option that it does not know: all of them', async () => {
    const cwd = await temporaryDirectory();
    const all = await commandsBelow(cwd, []);
    expect(all).toEqual(expect.arrayContaining(['start', 'keys rotate', 'audit export', 'parked drop']));
    for (const command of all) {
      const unknown = expect.stringContaining("unknown option '--no-such-option'");
      expect([command, ...refusalOf(cwd, command, '--no-such-option')]).toEqual([command, 2, unknown]);
    }
    expect(await readdir(cwd)).toEqual([]);
  });

  it('says of which version it is', async () => {
    const { version } = JSON.parse(readFileSync(resolve(front, '../../package.json'), 'utf8'));
    expect(daybook(await temporaryDirectory(), '--version')).toEqual({
      status: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  it('says nothing more where nobody reads it', () => {
    const piped = `(${front} --help; echo "ended with $?" >&2) | true`;
    const { stderr } = spawnSync('sh', ['-c', piped], { env: { PATH: process.env.PATH }, encoding: 'utf8' });
    expect(stderr).toBe('ended with 0\n');
  });

  it.each([
    [['strt'], /unknown command 'strt'.*start/s],
    [['start', '--port', '1'], /unknown option '--port'/],
    [['keys', 'rotate', '--force'], /unknown option '--force'/],
    [['keys', 'rotate', 'now'], /too many arguments/],
    [['decide', '--url', 'http://localhost:1'], /--url needs .*: set DAYBOOK_ADMIN_TOKEN/],
    [['rebuild', 'ledger', 'legder'], /there is no read model legder\. There are: .*ledger/],
    [['bench', '--second', '1'], /unknown option '--second'/],
    [['bench', '--seconds', 'some'], /'some' is invalid\. A whole number above zero/],
    [['bench', '--connections', '0'], /'0' is invalid\. A whole number above zero/],
    [['audit', 'trial-balance', '--jsn'], /unknown option '--jsn'/],
    [['audit', 'balance', 'rail', '--at', 'now'], /A time is like/],
    [['audit', 'balance', 'rail', '--by', 'wall'], /recorded, happened/],
    [['audit', 'statement', 'rail', '--from', '2026-01-01'], /--to <when>/],
    [['audit', 'verify', '--checkpoints', 'none.json'], /--checkpoints needs --key/],
    [['audit', 'verify', '--key', logKey], /--key needs --checkpoints, or an export/],
    [['audit', 'export'], /missing required argument 'file'/],
    [['parked', 'drop'], /missing required argument 'event'/],
    [['erase', 'Ada'], /^error: Ada is no id of a customer: Customer:<uuid>\.\n/],
    [
      ['decide', 'Ada', 'APPROVED'],
      /^error: Ada is no id of a verification or an owner: Verification:<uuid>, or BeneficialOwner:<uuid>\.\n/,
    ],
    [['demo', '--url', 'http://127.0.0.1:2'], /^error: --url and --user go together/],
    [['demo', '--user', 'a:b'], /^error: --url and --user go together/],
  ])('%j is refused, and does nothing', async (args, message) => {
    const cwd = await temporaryDirectory();
    const { status, stderr } = daybook(cwd, ...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('a command that asks a service', () => {
  const nowhere = 'http://127.0.0.1:2';
  const token = { DAYBOOK_ADMIN_TOKEN: 'an-admin-token-of-more-than-32-characters' };
  const told =
    /No service answers at http:\/\/127\.0\.0\.1:2\/\S+: connect ECONNREFUSED 127\.0\.0\.1:2\. Start it, or name its address with --url\.\n$/;

  it('says where it has found none', async () => {
    const cwd = await temporaryDirectory();
    const decided = daybookWith(token, cwd, 'decide', '--url', nowhere);
    expect(decided).toMatchObject({ status: 1, stderr: expect.stringMatching(told) });
    const demo = daybook(cwd, 'demo', '--url', `${nowhere}/2025-10-13`, '--user', 'a:b');
    expect(demo).toMatchObject({ status: 1, stderr: expect.stringMatching(told) });
    expect(demo.stdout + demo.stderr).not.toContain('TypeError');
  });

  it('says that its token is another than that of the service, and that something else answers', async () => {
    const cwd = await temporaryDirectory();
    const variables = { ...token, DAYBOOK_ADMIN_TOKEN: `${token.DAYBOOK_ADMIN_TOKEN}-too` };
    const service = await startTestService({ variables: token });
    onTestFinished(service.stop);
    const { origin } = new URL(service.url);
    const decided = (...args: readonly string[]) => daybookBeside(variables, cwd, 'decide', ...args);
    expect(await decided('--url', origin)).toMatchObject({
      status: 1,
      stderr: 'The token is not the DAYBOOK_ADMIN_TOKEN of the service.\n',
    });
    expect((await decided('--url', `${origin}/console`)).stderr).toContain(
      `What answers at ${origin}/console is`,
    );
  });
});

const onNothing = [
  ['parked'],
  ['rebuild'],
  ['audit', 'trial-balance'],
  ['audit', 'verify'],
  ['audit', 'closings'],
  ['decide'],
];

describe('where no service has ever started', () => {
  it.each([...onNothing, ['keys', 'rotate']])(
    '%s %s says so, what to do, and makes nothing',
    async (...args) => {
      const cwd = await temporaryDirectory();
      const { status, stderr } = daybook(cwd, ...args);
      expect(status).toBe(3);
      expect(stderr).toMatch(/^The data directory .*\.daybook has nothing of Daybook: .* `daybook start`/);
      expect(await readdir(cwd)).toEqual([]);
    },
  );

  it.each(onNothing)('%s %s says so of an empty database', async (...args) => {
    const cwd = await temporaryDirectory();
    const { status, stderr } = daybookWith(
      { DATABASE_URL: await createDatabase(), DAYBOOK_MASTER_KEY: testMasterKey },
      cwd,
      ...args,
    );
    expect(status).toBe(3);
    expect(stderr).toMatch(/^The database in DATABASE_URL has nothing of Daybook/);
  });

  it('says that a service has to bring tables of an earlier version up to date', async () => {
    const cwd = await temporaryDirectory();
    const { databaseUrl, stop } = await startTestService();
    await stop();
    await query(databaseUrl, "delete from daybook.kysely_migration where name = '0024-clock'");
    const { status, stderr } = daybookWith(
      { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey },
      cwd,
      'parked',
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The tables are those of an earlier version\. Start the service once/);
  });

  it('says that tables of a later version are not for it', async () => {
    const cwd = await temporaryDirectory();
    const { databaseUrl, stop } = await startTestService();
    await stop();
    await query(databaseUrl, "insert into daybook.kysely_migration values ('9999-later', '')");
    const { status, stderr } = daybookWith(
      { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey },
      cwd,
      'rebuild',
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The tables are those of a later version/);
  });
});

describe('the trial balance of the log', () => {
  it('is zero beside a service and without one, and says what is not', async () => {
    const cwd = await temporaryDirectory();
    const { client, databaseUrl, stop } = await startTestService();
    const { account } = await customerWith(client, 12_345);
    const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey };
    const audit = (...args: readonly string[]) =>
      daybookBeside(variables, cwd, 'audit', 'trial-balance', ...args);
    expect(await audit()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/USD +12345 +-12345 .*is zero\.\n$/s),
    });
    await stop();
    const told = await audit('--json');
    expect(told.status).toBe(0);
    expect(JSON.parse(told.stdout)).toMatchObject({ isZero: true, unbalanced: [] });
    const stream = `account-${uuidOf(account.id)}`;
    await query(
      databaseUrl,
      `insert into daybook_log.events (position, stream, revision, id, type, data, metadata)
       select (select max(position) + 1 from daybook_log.events), stream, revision + 1, gen_random_uuid(), type,
         replace(data::text, '"-12345"', '"-12344"')::json, metadata
       from daybook_log.events where stream = $1 and type = 'AccountCredited'`,
      [stream],
    );
    const wrong = await audit();
    expect(wrong.status).toBe(4);
    expect(wrong.stdout).toMatch(/AccountCredited .* is off by 1 USD/);
  });

  it('needs nothing but EventStoreDB, where the log is there', async () => {
    const cwd = await temporaryDirectory();
    const server = await startEventStoreDb();
    onTestFinished(() => server.close());
    const { client, stop } = await startTestService({ variables: { EVENTSTORE_URL: server.url } });
    await customerWith(client, 12_345);
    await stop();
    const told = await daybookBeside({ EVENTSTORE_URL: server.url }, cwd, 'audit', 'trial-balance', '--json');
    expect(told.status).toBe(0);
    expect(JSON.parse(told.stdout)).toMatchObject({ isZero: true, lines: [{ currency: 'USD' }] });
  });
});

describe('the audit of closings', () => {
  it('is done beside a service, and its exit code says whether one differs', async () => {
    const cwd = await temporaryDirectory();
    const { client, databaseUrl } = await startTestService();
    await customerWith(client, 12_345);
    const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey };
    const audit = (...args: readonly string[]) => daybookBeside(variables, cwd, 'audit', 'closings', ...args);
    expect(await audit()).toMatchObject({
      status: 0,
      stdout: '0 closings of 0 streams, 0 events. Each says what its events add up to.\n',
    });
    const { version } = aggregates.account.closing;
    await query(
      databaseUrl,
      `insert into daybook.closings (stream, version, revision, event_id, state, digest)
       select stream, ${version}, revision, id, 'none', 'none' from daybook_log.events where type = 'AccountCredited'`,
    );
    const wrong = await audit();
    expect(wrong.status).toBe(4);
    expect(wrong.stdout).toMatch(/^account-\S+ at 1 differs in digest, state, /);
    expect(wrong.stdout).toMatch(/do NOT say what their events add up to: 1\.\n$/);
    const told = await audit('--json');
    expect(told.status).toBe(4);
    expect(JSON.parse(told.stdout)).toMatchObject({ isRight: false, differences: [{ revision: 1 }] });
  });
});

it('says that the user of the database may make no role of an auditor, and who may', async () => {
  const { databaseUrl, stop } = await startTestService();
  onTestFinished(stop);
  const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey };
  const { status, stderr } = await daybookBeside(variables, await temporaryDirectory(), 'auditor', 'create');
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^DATABASE_URL: its user may not make and drop roles \(.*administrator of the server/,
    ),
  ]);
});

it('shows the oldest of what is parked, and waits for a decision, and says that there is more', async () => {
  const { databaseUrl, stop } = await startTestService();
  await stop();
  await query(
    databaseUrl,
    `insert into daybook.parked_work (consumer, stream, revision, position, event_id, type, error, next_try_at)
     select 'reactions', 'account-' || n, 0, n, 'event-' || n, 'AccountOpened', 'Error: no', now() + interval '1 day'
     from generate_series(1, 1001) as n`,
  );
  await query(
    databaseUrl,
    `insert into daybook.verifications (id, platform_id, customer_id, status, errors, created_at, updated_at)
     select 'Verification:' || n, 'Platform:1', 'Customer:' || n, 'IN_PROGRESS', '[]',
       date_trunc('second', now()) + n * interval '1 s', now() from generate_series(1, 101) as n`,
  );
  await query(
    databaseUrl,
    `insert into daybook.customers (id, platform_id, platform_customer_id, customer_type, uma_address, region,
       currencies, kyc_status, is_deleted, details, created_at, updated_at)
     select 'Customer:' || n, 'Platform:1', n, 'INDIVIDUAL', '$' || n, 'US', '{USD}', 'PENDING', false, '{}', now(), now()
     from generate_series(1, 101) as n`,
  );
  const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey };
  const cwd = await temporaryDirectory();
  const parked = daybookWith(variables, cwd, 'parked', 'list', '--json');
  expect(parked).toMatchObject({ status: 0, stderr: 'There is more: this is the oldest.\n' });
  expect(parked.stdout.trim().split('\n')).toHaveLength(1_000);
  const waiting = daybookWith(variables, cwd, 'decide');
  expect(waiting.status).toBe(0);
  const lines = waiting.stdout.trim().split('\n');
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    101,
    'Verification:1  IN_PROGRESS  Customer:1',
    expect.stringMatching(/^There are more: daybook decide --cursor \S+$/),
  ]);
  const cursor = lines.at(-1)?.split(' ').at(-1) ?? '';
  expect(daybookWith(variables, cwd, 'decide', '--cursor', cursor)).toMatchObject({
    status: 0,
    stdout: 'Verification:101  IN_PROGRESS  Customer:101\n',
  });
});

it('decides on an owner alone, beside the service and through it', async () => {
  const token = 'an-admin-token-of-more-than-32-characters';
  const { client, databaseUrl, url, stop } = await startTestService({
    variables: { DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_ADMIN_TOKEN: token },
  });
  onTestFinished(stop);
  const { id } = await createOwner(client, (await createBusiness(client, { currencies: ['EUR'] })).id);
  const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey };
  const cwd = await temporaryDirectory();
  const told = { status: 0, stdout: `${id} is APPROVED.\n` };
  expect(daybookWith(variables, cwd, 'decide', id, 'APPROVED', '--note', 'seen')).toMatchObject(told);
  const through = { ...variables, DAYBOOK_ADMIN_TOKEN: token };
  const { origin } = new URL(url);
  expect(await daybookBeside(through, cwd, 'decide', id, 'APPROVED', '--url', origin)).toMatchObject(told);
  expect(await daybookBeside(through, cwd, 'decide', id, 'REJECTED', '--url', origin)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has ended as APPROVED'),
  });
});

describe('beside a service with a database of its own', () => {
  it('rebuilds read models, and shows and gives up what is parked', async () => {
    const cwd = await temporaryDirectory();
    const service = spawnDaybook({ cwd });
    await service.ready;
    expect(daybook(cwd, 'rebuild', 'ledger', 'timers')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/Rebuilt ledger, timers from \d+ events/),
    });
    expect(daybook(cwd, 'parked').stdout).toBe('Nothing is parked.\n');
    const running = await runningPostgres(join(cwd, '.daybook', 'postgres'));
    const client = await connect(running?.url ?? '');
    await client.query(
      `insert into daybook.parked_work (consumer, stream, revision, position, event_id, type, error, next_try_at)
       values ('reactions', 'account-1', 0, 1, 'event-1', 'AccountOpened', 'Error: no', now() + interval '9 minutes')`,
    );
    expect(daybook(cwd, 'parked').stdout).toMatch(
      /^event-1 {2}AccountOpened in account-1, for reactions\n {4}Error: no\n/,
    );
    expect(JSON.parse(daybook(cwd, 'parked', 'list', '--json').stdout)).toMatchObject({
      event_id: 'event-1',
    });
    expect(daybook(cwd, 'parked', 'drop', 'event-2')).toMatchObject({
      status: 1,
      stderr: 'Nothing is parked of the event event-2. `daybook parked` shows what is.\n',
    });
    expect(daybook(cwd, 'parked', 'drop', 'event-1').stdout).toBe('Dropped: 1.\n');
    expect(daybook(cwd, 'parked').stdout).toBe('Nothing is parked.\n');
    service.kill('SIGTERM');
    expect((await service.exited).code).toBe(0);
    expect(daybook(cwd, 'parked').stdout).toBe('Nothing is parked.\n');
  });
});
