/** What was done to a log behind the back of the service is found in it, wherever the log is, and the place is named. */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Compared } from '../../src/app/cli/commands/audit/comparison.ts';
import { exportLog } from '../../src/app/cli/commands/audit/export-log.ts';
import { comparing } from '../../src/app/cli/commands/audit/read-models.ts';
import { verifiedLog } from '../../src/app/cli/commands/audit/verify.ts';
import { Fault } from '../../src/app/cli/verify/verify.mjs';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { type LogReader, postgresLogReader } from '../../src/infrastructure/event-store/postgres/reader.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import { fund } from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../support/resources/snapshots.ts';
import { type Logged, serverLog } from '../support/servers/eventstoredb-server/log.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'daybook-verify-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const schemas = resolve(import.meta.dirname, '../../docs/events');
const verifier = resolve(import.meta.dirname, '../../src/app/cli/verify/verify.mjs');

/** Money comes in, and the service stops. */
async function recorded(variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const { client, databaseUrl, stop } = await startTestService({ variables });
  const { account } = await customerWith(client, 12_345);
  for (let n = 1; n <= 3; n++) await fund(client, account.id, n * 100);
  await stop();
  return databaseUrl;
}

async function faultOf(log: LogReader, positions: 'dense' | 'growing') {
  try {
    await verifiedLog(log, positions);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  return undefined;
}

describe('in Postgres', () => {
  let url: string;
  let log: LogReader;

  beforeAll(async () => {
    url = await recorded();
    await query(url, 'alter table daybook_log.events disable trigger all');
    await query(url, 'create table as_it_was as table daybook_log.events');
    log = postgresLogReader(url);
  });
  afterAll(() => log?.close());

  const restored = async () => {
    await query(url, 'delete from daybook_log.events');
    await query(url, 'insert into daybook_log.events table as_it_was');
  };
  const credited = async () => {
    const [row] = await query<{ position: string; stream: string; revision: string }>(
      url,
      `select position, stream, revision from daybook_log.events where type = 'AccountCredited' order by position limit 1`,
    );
    return { position: BigInt(row?.position ?? 0), stream: row?.stream, revision: Number(row?.revision) };
  };

  it('a log is as it was written', async () => {
    expect(await verifiedLog(log, 'dense')).toMatchObject({ isRight: true, unsealed: 0 });
  });

  it.each([
    ['an amount', `data = jsonb_set(data, '{amount,minor}', '"12344"')`],
    ['who did it', `metadata = jsonb_set(metadata, '{actor}', '"operator"')`],
    ['its id', `id = gen_random_uuid()`],
    ['its type', `type = 'AccountDebited'`],
    ['its hash', `metadata = jsonb_set(metadata, '{hash}', '"00"')`],
    ['the hash before it', `metadata = jsonb_set(metadata, '{previousHash}', '"00"')`],
    ['that it has a hash', `metadata = metadata - 'hash' - 'previousHash'`],
  ])('finds that %s was changed', async (_what, change) => {
    const { position, stream, revision } = await credited();
    await query(url, `update daybook_log.events set ${change} where position = $1`, [position]);
    expect(await faultOf(log, 'dense')).toMatchObject({ position, stream, revision });
    await restored();
  });

  it('finds that an event was taken out: the next of its stream, and after the last of one the next of the log', async () => {
    const { position, stream, revision } = await credited();
    await query(url, 'delete from daybook_log.events where position = $1', [position]);
    expect(await faultOf(log, 'dense')).toMatchObject({ stream, revision: revision + 1 });
    await restored();
    const [last] = await query<{ position: string }>(
      url,
      `select max(position) as position from daybook_log.events group by stream order by 1 limit 1`,
    );
    await query(url, 'delete from daybook_log.events where position = $1', [last?.position]);
    expect(await faultOf(log, 'dense')).toMatchObject({
      position: BigInt(last?.position ?? 0) + 1n,
      what: 'an event before this one is missing',
    });
    await restored();
  });

  it('finds that two events have changed places', async () => {
    const { stream, revision, position } = await credited();
    await query(
      url,
      `with two as (select * from daybook_log.events where stream = $1 and revision in ($2::int, $2::int + 1))
       update daybook_log.events e set id = o.id, type = o.type, data = o.data, metadata = o.metadata
       from two o where e.stream = $1 and e.revision in ($2::int, $2::int + 1) and o.revision <> e.revision`,
      [stream, revision],
    );
    expect(await faultOf(log, 'dense')).toMatchObject({ stream, revision, position });
    await restored();
  });

  it('an export is checked by one file, in a folder of its own', async () => {
    process.env.DATABASE_URL = url;
    const file = join(folder, 'log.ndjson.gz');
    const all = { after: undefined, until: await log.last(), platformId: undefined, json: true };
    await exportLog({ ...all, file });
    await copyFile(verifier, join(folder, 'verify.mjs'));
    const args = ['verify.mjs', 'log.ndjson.gz', '--schemas', schemas, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: {} });
    expect(JSON.parse(stdout)).toEqual({
      ...(await verifiedLog(log, 'dense')),
      position: Number(await log.last()),
    });

    const { position, stream } = await credited();
    await query(url, `update daybook_log.events set type = 'Spoilt' where position = $1`, [position]);
    await exportLog({ ...all, file });
    await restored();
    await expect(promisify(execFile)(process.execPath, args, { cwd: folder, env: {} })).rejects.toMatchObject(
      {
        code: 4,
        stdout: expect.stringContaining(`"position":${position},"stream":"${stream}"`),
      },
    );
  });
});

describe('in EventStoreDB', () => {
  const disk = serverLog();
  let server: Awaited<ReturnType<typeof startEventStoreDb>>;
  let log: LogReader;
  let before: readonly Logged[];

  beforeAll(async () => {
    server = await startEventStoreDb({ log: disk });
    await recorded({ EVENTSTORE_URL: server.url });
    log = eventStoreDb({ url: server.url, log: { warn: () => undefined } });
    before = [...disk.all];
  });
  afterAll(async () => {
    await log?.close();
    await server?.close();
  });

  const nameOf = ({ stream }: Logged) => stream.replace('daybook.', '');
  /** Puts other events on the disk, until the test has ended. */
  const onDisk = async (events: readonly Logged[]) => {
    disk.rewrite(events);
    const fault = await faultOf(log, 'growing');
    disk.rewrite(before);
    return fault;
  };
  const changed = (n: number, change: (event: Logged) => Partial<Logged>) =>
    before.map((event, i) => (i === n ? { ...event, ...change(event) } : event));

  it('a log is as it was written', async () => {
    expect(await verifiedLog(log, 'growing')).toMatchObject({
      isRight: true,
      unsealed: 0,
      events: before.length,
    });
  });

  it('finds one bit that was flipped in the data or the metadata of any event', async () => {
    for (const [n, event] of before.entries())
      for (const part of ['data', 'metadata'] as const) {
        const bytes = Uint8Array.from(event[part]);
        // The last letter or digit, which leaves it JSON.
        const at = bytes.findLastIndex(
          (byte) => byte > 0x30 && byte < 0x7a && byte !== 0x5c && byte !== 0x5d,
        );
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        const fault = await onDisk(changed(n, () => ({ [part]: bytes })));
        expect(fault, `${part} of ${event.type}`).toMatchObject({
          stream: nameOf(event),
          revision: event.revision,
        });
      }
  });

  it('finds an event that was taken out, and two that have changed places', async () => {
    const n = before.findIndex(({ type, revision }) => type === 'AccountCredited' && revision === 1);
    const event = before[n] as Logged;
    const next = before.findIndex(({ stream, revision }) => stream === event.stream && revision === 2);
    const { id, type, data, metadata } = before[next] as Logged;
    const without = before.filter((_, i) => i !== n);
    expect(await onDisk(without)).toMatchObject({ stream: nameOf(event), revision: 2 });
    const swapped = changed(n, () => ({ id, type, data, metadata }));
    swapped[next] = { ...(before[next] as Logged), id: event.id, data: event.data, metadata: event.metadata };
    expect(await onDisk(swapped)).toMatchObject({ stream: nameOf(event), revision: 1 });
  });
});

it('the read models are not compared where a platform is put back to a snapshot meanwhile', async () => {
  const { client, databaseUrl, stop } = await startTestService();
  const { account } = await customerWith(client, 12_345);
  const snapshot = await takeSnapshot(client);
  await fund(client, account.id, 100);
  const log = postgresLogReader(databaseUrl);
  let compared: Compared | undefined;
  const compare = (meanwhile: () => Promise<unknown>) =>
    comparing(databaseUrl, log, async (comparison) => {
      await meanwhile();
      ({ readModels: compared } = await verifiedLog(log, 'dense', { comparison }));
    });
  await compare(() => restoreSnapshot(client, snapshot));
  const because = 'a platform was put back to a snapshot meanwhile';
  expect(compared).toEqual({ compared: false, because });
  await compare(async () => undefined);
  expect(compared).toMatchObject({ compared: true });
  await query(databaseUrl, 'update daybook.postings set minor = minor + 1 where position < 60');
  await expect(compare(async () => undefined)).rejects.toThrow(Fault);
  await log.close();
  await stop();
});
