/** Two checkpoints of one log: the later contains the earlier, and what came between is told; of another log it is not. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diffOf } from '../../src/app/cli/commands/audit/diff.ts';
import { checkpointNamed, type NamedCheckpoint } from '../../src/app/cli/commands/audit/named-checkpoint.ts';
import { NotInLog } from '../../src/app/cli/commands/audit/outcome.ts';
import { Fault } from '../../src/app/cli/verify/verify.mjs';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { type LogReader, postgresLogReader } from '../../src/infrastructure/event-store/postgres/reader.ts';
import { provesGrowth } from '../../src/infrastructure/log-tree/hashing.ts';
import { signedIn } from '../../src/infrastructure/log-tree/keeper.ts';
import { publishedKey } from '../../src/infrastructure/log-tree/key.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { eventsOf, keeperOf } from '../support/log/log-tree.ts';
import { startTestService } from '../support/processes/service.ts';
import { fund } from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'daybook-diff-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(['postgres', 'eventstoredb'] as const)('of a log in %s', (kind) => {
  let url: string;
  let log: LogReader;
  let key: string;
  let notes: readonly string[];
  let all: readonly StoredEvent[];
  let [earlier, later]: NamedCheckpoint[] = [];
  let close: () => Promise<void>;

  beforeAll(async () => {
    const server = kind === 'eventstoredb' ? await startEventStoreDb() : undefined;
    const { databaseUrl, client, stop } = await startTestService({
      variables: server ? { EVENTSTORE_URL: server.url } : {},
    });
    url = databaseUrl;
    const { account } = await customerWith(client, 12_345);
    for (let n = 1; n <= 3; n++) await fund(client, account.id, n * 100);
    await stop();
    const pool = createPool({ url, max: 1, name: 'test' });
    log = server ? eventStoreDb({ url: server.url, log: { warn: () => undefined } }) : postgresLogReader(url);
    all = await eventsOf(log);
    await pool.query('update log_tree set size = 0, position = 0, unsealed = 0');
    await pool.query('delete from log_checkpoints');
    for (const upTo of [11, all.length]) {
      const keeper = keeperOf(pool);
      await keeper.consume(all.slice(0, upTo));
      await keeper.sign();
    }
    key = (await publishedKey(pool)) ?? '';
    notes = (await signedIn(pool, 2)).map(({ note }) => note);
    await pool.end();
    const place = { databaseUrl: url, key: undefined };
    earlier = await checkpointNamed('11', place);
    later = await checkpointNamed(String(all.length), place);
    close = async () => {
      await log.close();
      await server?.close();
    };
  });
  afterAll(() => close?.());

  const both = () => [earlier, later] as [NamedCheckpoint, NamedCheckpoint];
  const changed = (checkpoint: NamedCheckpoint | undefined): NamedCheckpoint => ({
    size: checkpoint?.size ?? 0,
    root: Buffer.alloc(32, 1).toString('base64'),
  });

  it('says what came between, with a proof that others can check', async () => {
    const diff = await diffOf(log, both());
    const between = all.slice(11);
    const credits = between.filter(({ type }) => type === 'AccountCredited').length;
    expect(credits).toBeGreaterThan(2);
    const streams = new Set(between.map(({ stream }) => stream));
    expect(diff).toMatchObject({
      isRight: true,
      events: between.length,
      streams: streams.size,
      newStreams: between.filter(({ revision }) => revision === 0).length,
      firstAt: between[0]?.metadata.at,
      lastAt: between.at(-1)?.metadata.at,
      moved: [{ currency: 'USD', minor: 12_945n, entries: 4 }],
    });
    expect(diff.types.AccountCredited).toBe(credits);
    expect(Object.values(diff.types).reduce((sum, count) => sum + count, 0)).toBe(between.length);
    const bytesOf = (text: string | undefined) => Buffer.from(text ?? '', 'base64');
    const growth = {
      from: 11,
      fromRoot: bytesOf(earlier?.root),
      size: all.length,
      root: bytesOf(later?.root),
    };
    expect(provesGrowth(diff.proof.map(bytesOf), growth)).toBe(true);
    expect(await diffOf(log, [both()[1], both()[0]])).toEqual(diff);
  });

  it('has nothing between a checkpoint and itself', async () => {
    expect(await diffOf(log, [both()[1], both()[1]])).toMatchObject({ events: 0, proof: [], moved: [] });
  });

  it('finds a checkpoint of another log, and one of more events than there are', async () => {
    await expect(diffOf(log, [changed(earlier), both()[1]])).rejects.toThrow(
      'of events 1 to 11 one is not what the checkpoint of 11 was made of',
    );
    await expect(diffOf(log, [both()[0], changed(later)])).rejects.toThrow(
      `of events 1 to ${all.length} one is not what the checkpoint of ${all.length} was made of`,
    );
    await expect(diffOf(log, [both()[0], { ...both()[1], size: all.length + 3 }])).rejects.toThrow(
      `${all.length} events are here, and a checkpoint was made of ${all.length + 3}`,
    );
  });

  it('takes files, of several checkpoints the newest, where the key has signed them', async () => {
    const one = join(folder, 'one.txt');
    const several = join(folder, 'several.json');
    await writeFile(one, notes[1] ?? '');
    await writeFile(several, JSON.stringify({ data: notes.map((note) => ({ note })) }));
    const alone = { databaseUrl: undefined, key };
    expect(await checkpointNamed(one, alone)).toEqual(earlier);
    expect(await checkpointNamed(several, alone)).toEqual(later);
    await writeFile(one, (notes[1] ?? '').replace('\n11\n', '\n12\n'));
    await expect(checkpointNamed(one, alone)).rejects.toThrow(Fault);
    await expect(checkpointNamed(one, { databaseUrl: undefined, key: undefined })).rejects.toThrow(NotInLog);
    for (const databaseUrl of [url, undefined])
      await expect(checkpointNamed('12', { databaseUrl, key })).rejects.toThrow(NotInLog);
  });
});
