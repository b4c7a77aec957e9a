import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/infrastructure/postgres/embedded.ts';
import { type Client, clientOf } from '../support/http/client.ts';
import { takeAllConnections } from '../support/postgres/all-connections.ts';
import { query } from '../support/postgres/database.ts';
import { embeddedUrl } from '../support/postgres/embedded-books.ts';
import {
  backendsOf,
  freezePostgres,
  postgresOf,
  postmasterOf,
  signalAll,
  untilNoPostgres,
} from '../support/postgres/embedded-server.ts';
import { smallDisk } from '../support/postgres/small-disk.ts';
import {
  type Daybook,
  processesOf,
  removeDirectory,
  spawnDaybook,
  stopsCleanly,
  temporaryDirectory,
  untilTold,
} from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';
import {
  eventually,
  expectStatus,
  individual,
  payoutParties,
  quoteBody,
} from '../support/resources/flows.ts';

const credentials = newCredentials();
const variables = {
  DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
  DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
};
const asRoot = process.getuid?.() === 0 ? ['unshare', 'true'] : [];
const start = (cwd: string) => spawnDaybook({ cwd, variables });

async function started() {
  const cwd = await temporaryDirectory();
  // What a failed test leaves stopped would not end.
  onTestFinished(() =>
    signalAll(
      postgresOf(cwd).map(({ pid }) => pid),
      'SIGKILL',
    ),
  );
  const daybook = start(cwd);
  const url = await daybook.ready;
  return { cwd, daybook, url, client: clientOf(url, credentials) };
}

async function stops(daybook: Daybook, cwd: string): Promise<void> {
  await stopsCleanly(daybook, () => start(cwd));
  expect(processesOf(cwd)).toEqual([]);
}

const readyz = async (url: string) => {
  const answer = await fetch(new URL('/readyz', url));
  return [answer.status, await answer.json()];
};
const untilServed = (client: Client) =>
  eventually(
    async () => (await client.post('/customers', individual())).status,
    (status) => status === 201,
  );

/** A directory with these programs of the machine, and no others. */
async function programs(...names: string[]): Promise<string> {
  const directory = await temporaryDirectory();
  const places = (process.env.PATH ?? '').split(':');
  for (const name of names) {
    const found = places.map((place) => join(place, name)).find(existsSync);
    await symlink(found ?? name, join(directory, name));
  }
  return directory;
}

describe('a Postgres of the service', () => {
  it('has none of its secrets in its environment, where there are no programs but those of the image', async () => {
    const cwd = await temporaryDirectory();
    const PATH = await programs('sh', 'cat', 'env', 'sleep', 'readlink', ...asRoot);
    const lines = 'first\nA_URL=second\nB C_URL=third';
    const daybook = spawnDaybook({ cwd, variables: { ...variables, PATH, LINES_OF_ANOTHER: lines } });
    await daybook.ready;
    const environment = readFileSync(`/proc/${postmasterOf(cwd)}/environ`, 'utf8');
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain(credentials.clientSecret);
    expect(environment).toContain(lines);
    expect(readFileSync(join(cwd, '.daybook/postgres/postgres.log'), 'utf8')).not.toContain('guardian');
    await stops(daybook, cwd);
  });
});

describe('a Postgres that recovers from a crash when the service ends', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('is ended, and the next start is ready: %s', async (signal) => {
    const { cwd, daybook } = await started();
    signalAll(backendsOf(cwd).slice(0, 1), 'SIGKILL');
    await sleep(20);
    daybook.kill(signal);
    await daybook.exited;
    const again = start(cwd);
    await again.ready;
    await stops(again, cwd);
  });
});

describe('a Postgres that is left over', () => {
  it('because its guardian was killed as well, is ended by the next start', async () => {
    const { cwd, daybook } = await started();
    const former = postmasterOf(cwd);
    const guardians = processesOf(cwd).filter((pid) => pid !== former);
    daybook.kill('SIGKILL');
    signalAll(guardians, 'SIGKILL');
    await daybook.exited;
    expect(postgresOf(cwd).map(({ pid }) => pid)).toContain(former);
    const again = start(cwd);
    await again.ready;
    expect(postmasterOf(cwd)).not.toBe(former);
    await stops(again, cwd);
  });

  it('and stopped, is ended by its guardian', async () => {
    const { cwd, daybook } = await started();
    freezePostgres(cwd);
    daybook.kill('SIGKILL');
    await untilNoPostgres(cwd);
  });
});

describe('while the service runs', () => {
  it.each([0, 40, 100])('a crash of Postgres %i ms after the ready line is survived', async (ms) => {
    const { cwd, daybook, client } = await started();
    await sleep(ms);
    signalAll(backendsOf(cwd).slice(-1), 'SIGKILL');
    await untilServed(client);
    await stops(daybook, cwd);
  });

  it('a Postgres that was killed is started again, and requests are 503 until then', async () => {
    const { cwd, daybook, url, client } = await started();
    const { id } = expectStatus(await client.post('/customers', individual()), 201);
    // On a busy machine the read models may be behind.
    await eventually(
      () => client.get(`/customers/${id}`),
      ({ status }) => status === 200,
    );
    // What the read models have written is on disk after 0.6 s at the latest; it is made again from the log otherwise.
    await sleep(1_000);
    const former = postmasterOf(cwd);
    process.kill(former, 'SIGKILL');
    const answers: number[] = [];
    await eventually(
      async () => answers.push((await client.get(`/customers/${id}`)).status),
      () => answers.at(-1) === 200 && postmasterOf(cwd) !== former,
    );
    expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await untilServed(client);
    await eventually(
      () => readyz(url),
      ([status]) => status === 200,
    );
    await untilTold(daybook, 'the embedded Postgres runs again');
    await stops(daybook, cwd);
  });

  it('a Postgres that is stopped for 30 s is 503, and what was sent meanwhile is done once', async () => {
    const { cwd, daybook, url, client } = await started();
    const { account, payee } = await payoutParties(client, 1_000_000);
    const goOn = freezePostgres(cwd);
    const thawed = sleep(30_000).then(goOn);
    const key = { 'idempotency-key': 'in-the-cold' };
    const ask = () => client.post('/quotes', quoteBody(account.id, payee.id), key);
    const [first, ready, ...others] = await Promise.all([
      ask(),
      readyz(url),
      ...Array.from({ length: 20 }, () => client.get('/customers')),
    ]);
    expect(ready).toMatchObject([503, { status: 'not ready', notReady: ['database'] }]);
    for (const { status, headers, body } of [first, ...others]) {
      expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await thawed;
    const again = await eventually(ask, ({ status }) => status === 201);
    const once = await ask();
    expect(once.body.id).toBe(again.body.id);
    const database = await embeddedUrl(`${cwd}/.daybook`);
    const quotes = await query(database, `select stream from daybook_log.events where type = 'QuoteCreated'`);
    expect(quotes).toHaveLength(1);
    await stops(daybook, cwd);
  });
});

describe('with every connection of Postgres taken by others', () => {
  it('requests are answered or 503, and served again once there is room', async () => {
    const { cwd, daybook, client } = await started();
    // What the service holds it keeps; what it lost it cannot make anew.
    const release = await takeAllConnections(await embeddedUrl(`${cwd}/.daybook`));
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => client.post('/customers', individual())),
    );
    expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
    await release();
    await untilServed(client);
    const done = answers.filter(({ status }) => status === 201).length;
    const count = async () => expectStatus(await client.get('/customers'), 200).totalCount;
    await eventually(count, (shown) => shown > done);
    expect(await count()).toBe(done + 1);
    await stops(daybook, cwd);
  });
});

const noTmpfs =
  spawnSync('sh', ['-c', 'd=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d']).status !== 0;

describe('on a full disk', () => {
  it.skipIf(noTmpfs)('writes are refused, nothing is lost, and it goes on once there is room', async () => {
    const disk = await smallDisk();
    const daybook = start(disk.path);
    const client = clientOf(await daybook.ready, credentials);
    await disk.fill();
    const answers = [];
    for (let n = 0; n < 3_000; n++) {
      const answer = await client.post('/customers', individual());
      answers.push(answer);
      if (answer.status !== 201) break;
    }
    expect([201, 503]).toEqual(expect.arrayContaining([...new Set(answers.map(({ status }) => status))]));
    expect(answers.at(-1)?.status).toBe(503);
    await disk.makeRoom();
    await untilServed(client);
    const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    for (const id of ids.slice(-20))
      await eventually(
        () => client.get(`/customers/${id}`),
        ({ status }) => status === 200,
      );
    await stops(daybook, disk.path);
  });
});

describe('a start on a full disk', () => {
  it.skipIf(noTmpfs)('says so in one line, and another one is ready once there is room', async () => {
    const disk = await smallDisk();
    const first = start(disk.path);
    await first.ready;
    await stops(first, disk.path);
    await disk.fill();
    const refused = start(disk.path);
    expect(await refused.exited).toEqual({ code: 1, signal: null });
    expect(refused.stderr()).toMatch(
      /^DAYBOOK_DATA_DIR: the embedded Postgres did not start: [^\n]*No space left on device; see [^\n]*postgres\.log\. Make room on its disk\.\n$/,
    );
    await disk.makeRoom();
    const again = start(disk.path);
    await again.ready;
    await stops(again, disk.path);
  });
});

describe('a log that cannot be written', () => {
  it('does not end the service', async () => {
    const cwd = await temporaryDirectory();
    const prefix = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh'];
    const daybook = spawnDaybook({ cwd, prefix, variables: { ...variables, LOG_LEVEL: 'trace' } });
    const client = clientOf(await daybook.ready, credentials);
    for (let n = 0; n < 100; n++) expectStatus(await client.get('/customers'), 200);
    await stops(daybook, cwd);
  });

  it('does not end it where what it says at its start cannot be written either', async () => {
    const cwd = await temporaryDirectory();
    const prefix = ['sh', '-c', 'exec "$@" start >/dev/full', 'sh'];
    const port = await freePort();
    const daybook = spawnDaybook({ cwd, prefix, variables: { ...variables, PORT: String(port) } });
    daybook.ready.catch(() => undefined);
    await eventually(
      () => readyz(`http://127.0.0.1:${port}/`).catch(() => [0]),
      ([status]) => status === 200,
    );
    daybook.kill('SIGTERM');
    expect(await daybook.exited).toEqual({ code: 0, signal: null });
    await removeDirectory(cwd);
  });
});
