import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';
import { query } from '../../support/postgres/database.ts';

const log = createLog('silent');
const addressOf = async (url: string) =>
  (await query<{ address: string | null }>(url, 'select inet_client_addr()::text as address'))[0]?.address;

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-socket-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

it('is spoken to by a socket of its owner alone, and by the loopback interface', async () => {
  const directory = await folder();
  // Of a server that was killed.
  await writeFile(join(directory, '.s.PGSQL.1'), '');
  await writeFile(join(directory, '.s.PGSQL.1.lock'), '');
  const { nearUrl, url, stop } = await startEmbeddedPostgres(directory, log);
  onTestFinished(stop);
  expect([await addressOf(nearUrl), await addressOf(url)]).toEqual([null, '127.0.0.1/32']);
  const sockets = (await readdir(directory)).filter((name) => name.startsWith('.s.'));
  const name = `.s.PGSQL.${new URL(url).port}`;
  expect(sockets.sort()).toEqual([name, `${name}.lock`]);
  expect((await stat(join(directory, name))).mode & 0o777).toBe(0o700);
  const wrong = Object.assign(new URL(nearUrl), { password: 'another' }).href;
  await expect(query(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
});

it('is spoken to by the loopback interface alone where the name of its socket would be too long', async () => {
  const directory = join(await folder(), 'a'.repeat(100));
  await mkdir(directory);
  const { nearUrl, url, stop } = await startEmbeddedPostgres(directory, log);
  onTestFinished(stop);
  expect(nearUrl).toBe(url);
  expect(await addressOf(url)).toBe('127.0.0.1/32');
});

it('is spoken to by a socket in a directory whatever its name has', async () => {
  const directory = join(await folder(), 'a, b "c"');
  await mkdir(directory);
  const { nearUrl, stop } = await startEmbeddedPostgres(directory, log);
  onTestFinished(stop);
  expect(await addressOf(nearUrl)).toBeNull();
});
