/** A log that was written anew behind the back of the service is another than the one that checkpoints were made of. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkpointRoutes } from '../../src/api/audit/checkpoints/routes.ts';
import { verifiedLog } from '../../src/app/cli/commands/audit/verify.ts';
import { type Checkpoints, checkpointsIn, Fault, Tree } from '../../src/app/cli/verify/verify.mjs';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { type LogReader, postgresLogReader } from '../../src/infrastructure/event-store/postgres/reader.ts';
import { sealed } from '../../src/infrastructure/event-store/seal.ts';
import { inclusionProof, leafHash, nodeHash, rootOf } from '../../src/infrastructure/log-tree/hashing.ts';
import { signedIn } from '../../src/infrastructure/log-tree/keeper.ts';
import { publishedKey } from '../../src/infrastructure/log-tree/key.ts';
import { addLeaves, indexOf, nodesIn, reachedIn } from '../../src/infrastructure/log-tree/tiles.ts';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { uuidOf } from '../../src/kernel/ids.ts';
import type { Json } from '../support/http/client.ts';
import { eventsOf, keeperOf } from '../support/log/log-tree.ts';
import { query } from '../support/postgres/database.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';
import { startTestService } from '../support/processes/service.ts';
import { expectStatus, fund } from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { type Logged, serverLog } from '../support/servers/eventstoredb-server/log.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { patienceMs } from '../support/time/patience.ts';

const folder = await mkdtemp(join(tmpdir(), 'daybook-checkpoints-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const quiet = { warn: () => undefined };

async function checkpointsOf(pool: Pool): Promise<Checkpoints> {
  const file = join(folder, 'checkpoints.json');
  await writeFile(file, JSON.stringify({ data: await signedIn(pool, 100) }));
  return checkpointsIn(file, (await publishedKey(pool)) ?? '');
}

async function faultOf(log: LogReader, positions: 'dense' | 'growing', checkpoints?: Checkpoints) {
  try {
    await verifiedLog(log, positions, { checkpoints });
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  return undefined;
}

/** All of a stream from a revision on, with another actor and right hashes. */
function forgedFrom(events: readonly StoredEvent[], stream: string, from: number): readonly StoredEvent[] {
  const own = events.filter((event) => event.stream === stream);
  const kept = own.slice(0, from);
  const others = own
    .slice(from)
    .map((event) => ({ ...event, metadata: { ...event.metadata, actor: 'anybody' } }));
  const made = sealed(stream, { revision: from - 1, hash: kept.at(-1)?.metadata.hash }, others);
  return others.map((event, n) => ({ ...event, ...made[n] }));
}

/** RFC 9162, 2.1.3.2. */
function rootBy({ index, size, eventHash, hashes }: Json): string {
  const leaf = leafHash(Buffer.from(eventHash, 'hex'));
  let [fn, sn, r] = [index, size - 1, leaf];
  for (const text of hashes) {
    const p = Buffer.from(text, 'base64');
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = nodeHash(r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return r.toString('base64');
}

it('the tree has its nodes in rows, whatever comes together', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 1, name: 'test' });
  const tree = new Tree();
  const hashes = Array.from({ length: 700 }, (_, n) => createHash('sha256').update(String(n)).digest());
  for (const size of [1, 254, 3, 256, 0, 150, 36]) {
    const reached = await reachedIn(pool);
    const some = hashes.slice(reached.size, reached.size + size);
    const leaves = some.map((one, n) => ({
      eventHash: one.toString('hex'),
      position: BigInt((reached.size + n) * 7 + 5),
    }));
    expect(await addLeaves(pool, reached, leaves, 0)).toBe(true);
    if (size > 0) expect(await addLeaves(pool, reached, leaves, 0)).toBe(false);
    for (const one of some) tree.add(one.toString('hex'));
    expect(Buffer.from(await rootOf(nodesIn(pool), tree.size)).toString('base64')).toBe(tree.root());
  }
  const eventHash = hashes[530]?.toString('hex');
  const index = await indexOf(pool, BigInt(530 * 7 + 5));
  const proof = await inclusionProof(nodesIn(pool), index ?? -1, 700);
  const texts = proof.map((one) => Buffer.from(one).toString('base64'));
  expect([index, rootBy({ index, size: 700, eventHash, hashes: texts })]).toEqual([530, tree.root()]);
  expect(await indexOf(pool, 530n * 7n + 4n)).toBeUndefined();
  expect(await indexOf(pool, 1n)).toBeUndefined();
  await pool.end();
});

it.each([
  ['fewer hashes than it should', 'update daybook.log_tiles set hashes = substring(hashes, 1, 32 * 9)'],
  ['none', 'delete from daybook.log_tiles'],
])('nothing is added to a row that has %s, and what goes beyond it is written over', async (_, damage) => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 1, name: 'test' });
  const hashes = Array.from({ length: 400 }, (_, n) => createHash('sha256').update(String(n)).digest('hex'));
  const all = hashes.map((eventHash, n) => ({ eventHash, position: BigInt(n + 1) }));
  await addLeaves(pool, await reachedIn(pool), all.slice(0, 10), 0);
  const [row] = await query(url, 'select hashes, positions from daybook.log_tiles');
  await query(url, damage);
  const reached = await reachedIn(pool);
  await expect(addLeaves(pool, reached, all.slice(10), 0)).rejects.toThrow('fewer than 10 hashes');
  expect(await reachedIn(pool)).toEqual(reached);
  await query(url, 'delete from daybook.log_tiles');
  await pool.query('insert into log_tiles (level, n, hashes, positions) values (0, 0, $1, $2)', [
    Buffer.concat([row?.hashes, Buffer.alloc(64, 7)]),
    [...(row?.positions ?? []), 77, 78],
  ]);
  expect(await addLeaves(pool, reached, all.slice(10), 0)).toBe(true);
  const tree = new Tree();
  for (const one of hashes) tree.add(one);
  expect(Buffer.from(await rootOf(nodesIn(pool), 400)).toString('base64')).toBe(tree.root());
  expect(await indexOf(pool, 11n)).toBe(10);
  await pool.end();
});

it('a proof for the newest checkpoint is there while the tree grows and is signed', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 1, name: 'test' });
  const grow = async () => {
    const reached = await reachedIn(pool);
    await addLeaves(pool, reached, [{ eventHash: '00'.repeat(32), position: reached.position + 1n }], 0);
    await pool.query(
      `insert into log_checkpoints (size, root, unsealed, note, signed_at) values ($1, '', 0, '', now())`,
      [reached.size + 1],
    );
  };
  await grow();
  const growing = {
    query: async (...asked: Parameters<Pool['query']>) => {
      const answer = await pool.query(...asked);
      await grow();
      return answer;
    },
  } as unknown as Pool;
  const [, proofs] = checkpointRoutes({ pool: growing, store: { read: async () => [] } });
  const asked = { query: {}, header: () => undefined } as never;
  expect(await proofs?.handle(asked, undefined as never)).toMatchObject({ status: 200, body: { size: 1 } });
  await pool.end();
});

describe('with the log in Postgres', () => {
  let service: Awaited<ReturnType<typeof startTestService>>;
  let account: Json;
  let pool: Pool;
  let log: LogReader;

  beforeAll(async () => {
    // One that is signed by the service, however many minutes of the clock begin meanwhile.
    service = await startTestService({ variables: { DAYBOOK_CHECKPOINT_INTERVAL_SECONDS: '86400' } });
    ({ account } = await customerWith(service.client, 12_345));
    pool = createPool({ url: service.databaseUrl, max: 1, name: 'test' });
    log = postgresLogReader(service.databaseUrl);
  });
  afterAll(async () => {
    await log?.close();
    await pool?.end();
  });

  it('the service signs, and proves what the tree has', async () => {
    const { client } = service;
    const all = await vi.waitFor(
      async () => {
        const page = expectStatus(await client.get('/audit/checkpoints'), 200);
        expect(page.data).not.toEqual([]);
        return page;
      },
      { timeout: patienceMs, interval: 100 },
    );
    expect(all).toMatchObject({
      hasMore: false,
      key: expect.stringMatching(/^daybook\/[0-9a-f-]{36}\+[0-9a-f]{8}\+/),
    });
    const stream = `account-${uuidOf(account.id)}`;
    const size = await vi.waitFor(
      async () => {
        const reached = await reachedIn(pool);
        expect(reached.position).toBe(await log.last());
        return String(reached.size);
      },
      { timeout: patienceMs, interval: 100 },
    );
    const proof = expectStatus(await client.get('/audit/proofs', { stream, revision: '1', size }), 200);
    expect(rootBy(proof)).toBe(proof.root);
    const grown = expectStatus(await client.get('/audit/proofs', { from: '3', size }), 200);
    expect(grown).toMatchObject({ size: Number(size), root: proof.root });
    for (const wrong of [
      { stream, revision: '99' },
      { stream: 'installation-x', revision: '0' },
      { from: '5', size: '4' },
      { size: String(Number(size) + 1_000) },
    ])
      expectStatus(await client.get('/audit/proofs', wrong), 404);
    expectStatus(await client.get('/audit/proofs', { stream }), 400);
    expectStatus(await client.get('/audit/proofs', { stream, revision: '1', from: '1' }), 400);
  });

  it('a suffix that was written anew after a checkpoint is found', async () => {
    for (let n = 1; n <= 3; n++) await fund(service.client, account.id, n * 100);
    await service.stop();
    const keeper = keeperOf(pool);
    const events = await eventsOf(log);
    await keeper.consume(events);
    await keeper.sign();
    const checkpoints = await checkpointsOf(pool);
    expect(checkpoints.size).toBe(2);
    expect(await verifiedLog(log, 'dense', { checkpoints })).toMatchObject({
      signed: events.length,
      unsealed: 0,
    });

    const { databaseUrl: url } = service;
    const forged = forgedFrom(events, `account-${uuidOf(account.id)}`, 2);
    expect(forged.length).toBeGreaterThan(1);
    await query(url, 'alter table daybook_log.events disable trigger all');
    for (const { position, metadata } of forged)
      await query(url, 'update daybook_log.events set metadata = $2 where position = $1', [
        position,
        metadata,
      ]);
    expect(await faultOf(log, 'dense')).toBeUndefined();
    const first = (await signedIn(pool, 2))[1]?.size ?? 0;
    expect(await faultOf(log, 'dense', checkpoints)).toMatchObject({
      what: `of events ${first + 1} to ${events.length} one is not what the checkpoint was made of`,
    });
    const [last] = await signedIn(pool, 1);
    await query(url, 'delete from daybook_log.events where position = $1', [await log.last()]);
    expect(await faultOf(log, 'dense', checkpoints)).toMatchObject({
      what: `${events.length - 1} events are here, and a checkpoint was made of ${last?.size}`,
    });
  });

  it('nothing is signed where the tree is made again of another log', async () => {
    await query(service.databaseUrl, 'update daybook.log_tree set size = 0, position = 0, unsealed = 0');
    const keeper = keeperOf(pool);
    const events = await eventsOf(log);
    await keeper.consume(events);
    const before = await signedIn(pool, 100);
    await keeper.sign();
    expect(await signedIn(pool, 100)).toEqual(before);
    // After a restore the tree is made anew, and is shorter for a while.
    expect(keeper.error).not.toHaveBeenCalled();
    await keeper.sign();
    expect(await signedIn(pool, 100)).toEqual(before);
    expect(keeper.error).toHaveBeenCalledTimes(1);
    // Each turn counts, and it is told now and then.
    await keeper.sign();
    expect(keeper.contradicted).toHaveBeenCalledTimes(2);
    expect(keeper.error).toHaveBeenCalledTimes(1);
  });
});

describe('with the log in EventStoreDB', () => {
  it('a suffix that was written anew after a checkpoint is found, and events from before are sealed', async () => {
    const disk = serverLog();
    const server = await startEventStoreDb({ log: disk });
    const service = await startTestService({ variables: { EVENTSTORE_URL: server.url } });
    const { account } = await customerWith(service.client, 12_345);
    await fund(service.client, account.id, 100);
    await service.stop();
    const pool = createPool({ url: service.databaseUrl, max: 1, name: 'test' });
    const log = eventStoreDb({ url: server.url, log: quiet });
    const keeper = keeperOf(pool);
    const events = await eventsOf(log);
    await keeper.consume(events);
    await keeper.sign();
    const checkpoints = await checkpointsOf(pool);
    expect(await faultOf(log, 'growing', checkpoints)).toBeUndefined();

    const stream = `account-${uuidOf(account.id)}`;
    const forged = new Map(forgedFrom(events, stream, 1).map((event) => [event.position, event]));
    const withMetadata = (logged: Logged, metadata: object | undefined) =>
      metadata ? { ...logged, metadata: Buffer.from(JSON.stringify(metadata)) } : logged;
    disk.rewrite(disk.all.map((one) => withMetadata(one, forged.get(one.position)?.metadata)));
    expect(await faultOf(log, 'growing')).toBeUndefined();
    expect(await faultOf(log, 'growing', checkpoints)).toMatchObject({
      what: expect.stringMatching(/one is not what the checkpoint was made of$/),
    });

    // As a former version has written them: without hashes, in an installation without a tree.
    const former = disk.all.map((one) => {
      const { hash: _, previousHash: __, ...metadata } = JSON.parse(Buffer.from(one.metadata).toString());
      return withMetadata(one, metadata);
    });
    disk.rewrite(former);
    await pool.query('update log_tree set size = 0, position = 0, unsealed = 0');
    await pool.query('delete from log_checkpoints');
    const old = await eventsOf(log);
    const half = Math.floor(old.length / 2);
    const first = keeperOf(pool);
    await first.consume(old.slice(0, half));
    await first.close?.();
    const second = keeperOf(pool);
    await second.consume(old);
    await second.sign();
    expect(await signedIn(pool, 2)).toMatchObject([{ size: old.length, unsealed: old.length }]);
    expect(await verifiedLog(log, 'growing', { checkpoints: await checkpointsOf(pool) })).toMatchObject({
      unsealed: old.length,
      signed: old.length,
    });
    await log.close();
    await pool.end();
    await server.close();
  });
});
