/** An export has the signed checkpoints of its log: with the key, one file tells what is missing in it, or too much. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportLog } from '../../src/app/cli/commands/audit/export-log.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { postgresLogReader } from '../../src/infrastructure/event-store/postgres/reader.ts';
import { sealed } from '../../src/infrastructure/event-store/seal.ts';
import { publishedKey } from '../../src/infrastructure/log-tree/key.ts';
import { rawPublicKey, signedNote, verifierKey } from '../../src/infrastructure/log-tree/note.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import type { Json } from '../support/http/client.ts';
import { eventsOf, keeperOf } from '../support/log/log-tree.ts';
import { startTestService } from '../support/processes/service.ts';
import { customerWith } from '../support/resources/payments.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'daybook-export-'));
afterAll(async () => {
  delete process.env.DATABASE_URL;
  delete process.env.EVENTSTORE_URL;
  await rm(folder, { recursive: true, force: true });
});

/** As on a machine that has the export and this one file. */
async function verified(lines: readonly string[], ...options: readonly string[]): Promise<Json> {
  await writeFile(join(folder, 'log.ndjson'), `${lines.join('\n')}\n`);
  const args = ['verify.mjs', 'log.ndjson', '--json', ...options];
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, env: {} });
  return JSON.parse((await run.catch((error) => error)).stdout);
}

const linesIn = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n');

describe.each(['postgres', 'eventstoredb'] as const)('an export of a log in %s', (kind) => {
  let key: string;
  let head: string;
  let events: readonly string[];
  /** The line that says how many they are. */
  let endOf: (count: number) => string;
  let left: number;

  beforeAll(async () => {
    const server = kind === 'eventstoredb' ? await startEventStoreDb() : undefined;
    const variables = server ? { EVENTSTORE_URL: server.url } : undefined;
    const service = await startTestService(variables && { variables });
    await customerWith(service.client, 12_345);
    await service.stop();
    const { databaseUrl: url } = service;
    const pool = createPool({ url, max: 1, name: 'test' });
    const log = server
      ? eventStoreDb({ url: server.url, log: { warn: () => undefined } })
      : postgresLogReader(url);
    const keeper = keeperOf(pool);
    const signed = await eventsOf(log);
    await keeper.consume(signed);
    await keeper.sign();
    key = (await publishedKey(pool)) ?? '';
    await pool.end();

    const again = await startTestService({ databaseUrl: url, ...(variables && { variables }) });
    await customerWith(again.client, 100);
    await again.stop();
    left = (await eventsOf(log)).length - signed.length;
    Object.assign(process.env, { DATABASE_URL: url, EVENTSTORE_URL: server?.url ?? '' });
    const file = join(folder, `${kind}.ndjson`);
    await exportLog({ file, after: undefined, until: undefined, platformId: undefined, json: true });
    await log.close();
    await server?.close();
    await copyFile(
      resolve(import.meta.dirname, '../../src/app/cli/verify/verify.mjs'),
      join(folder, 'verify.mjs'),
    );
    const lines = await linesIn(file);
    head = lines[0] ?? '';
    events = lines.slice(1, -1);
    const end = JSON.parse(lines.at(-1) ?? '');
    endOf = (count) => JSON.stringify({ export: { ...end.export, events: count } });
  });

  const whole = (own: readonly string[], first = head) => [first, ...own, endOf(own.length)];

  it('ends with its newest checkpoint, and is checked with nothing beside it', async () => {
    const { checkpoints, key: named } = JSON.parse(head);
    expect([named, checkpoints.length > 0, left > 0]).toEqual([key, true, true]);
    const seen = { isRight: true, events: events.length, signed: events.length, key };
    expect(await verified(whole(events))).toMatchObject(seen);
    expect(await verified(whole(events), '--key', key)).toMatchObject(seen);
  });

  it('is found to be cut, and to have a line too many', async () => {
    expect(await verified([head, ...events])).toMatchObject({
      fault: { what: expect.stringMatching(/^the export is not whole: the last line, .* is missing$/) },
    });
    const cut = events.slice(0, -1);
    expect(await verified(whole(cut))).toMatchObject({
      fault: { what: `${cut.length} events are here, and a checkpoint was made of ${events.length}` },
    });
    const last: StoredEvent = JSON.parse(events.at(-1) ?? '');
    const more = { ...last, id: '0199aaaa-0000-7000-8000-000000000000', type: 'Anything', data: {} };
    const [next] = sealed(last.stream, { revision: last.revision, hash: last.metadata.hash }, [more]);
    const { id, type, data, metadata } = next ?? last;
    const place = { stream: last.stream, revision: last.revision + 1, position: Number(last.position) + 1 };
    const added = { id, type, data, metadata, ...place };
    expect(await verified(whole([...events, JSON.stringify(added)]))).toMatchObject({
      fault: { what: 'the last 1 events are in no checkpoint' },
    });
  });

  it('is found to have lost its checkpoints, or to have those of somebody else', async () => {
    const bare = [...events, endOf(events.length)];
    expect(await verified(bare)).toMatchObject({ isRight: true, signed: 0 });
    expect(await verified(bare, '--key', key)).toMatchObject({
      fault: { what: 'the export has no checkpoint, and none is given' },
    });
    const { root } = await verified(bare);
    const { privateKey } = generateKeyPairSync('ed25519');
    const [origin = ''] = key.split('+');
    const note = signedNote({ origin, size: events.length, root: Buffer.from(root, 'base64') }, privateKey);
    const other = verifierKey(origin, rawPublicKey(privateKey));
    const theirs = whole(events, JSON.stringify({ checkpoints: [note], key: other }));
    expect(await verified(theirs)).toMatchObject({ isRight: true, key: other });
    expect(await verified(theirs, '--key', key)).toMatchObject({
      fault: { what: `the checkpoint of ${events.length} events is not signed by ${origin}` },
    });
  });
});
