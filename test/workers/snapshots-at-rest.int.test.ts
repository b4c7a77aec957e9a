import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { restored } from '../../src/app/parts/core/event-store.ts';
import { createUnhurried } from '../../src/app/parts/core/unhurried.ts';
import type { EventStore } from '../../src/infrastructure/event-store/event-store.ts';
import { openMovedStreams } from '../../src/infrastructure/event-store/moved-streams.ts';
import { createProgress } from '../../src/infrastructure/event-store/progress.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createPool, type Waits } from '../../src/infrastructure/postgres/pool.ts';
import type { PlatformId, SnapshotId } from '../../src/kernel/ids.ts';
import { Rejected } from '../../src/kernel/rejected.ts';
import { createPlatformSnapshots } from '../../src/workers/platform-snapshots/snapshots.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { query } from '../support/postgres/database.ts';
import { booksOf, emptyBooks } from '../support/postgres/read-models.ts';
import { addToken } from '../support/resources/snapshots.ts';

const uuid = randomUUID();
const platformId = `Platform:${uuid}` as PlatformId;

function openUnhurried(url: string, waits: Waits = {}) {
  const unhurried = createUnhurried(url, waits);
  onTestFinished(unhurried.end);
  return unhurried;
}

type Snapshots = Parameters<typeof createPlatformSnapshots>[0];

/** A platform with one event, and its snapshots. */
async function platform(others: (url: string, log: EventStore) => Partial<Snapshots>) {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 2, name: 'books' });
  onTestFinished(() => pool.end());
  const wholeLog = memoryEventStore();
  const metadata = { platformId, correlationId: 'one', causationId: 'one', actor: 'test', at: '' };
  const { position } = await wholeLog.append(`platform-${uuid}`, 'none', [
    { id: randomUUID(), type: 'Any', data: {}, metadata },
  ]);
  const [reacted, progress] = [createProgress(), createProgress()];
  for (const one of [reacted, progress]) one.passed(position);
  const snapshots = createPlatformSnapshots({
    pool,
    unhurried: openUnhurried(url),
    readDb: booksOf(url).db,
    wholeLog,
    store: wholeLog,
    moved: await openMovedStreams(wholeLog, restored),
    reacted,
    progress,
    projectionWaitMs: 0,
    listening: { heardOf: () => 0 },
    log: createLog('silent'),
    installationNow: () => new Date(),
    commands: {} as never,
    forget: async () => undefined,
    ...others(url, wholeLog),
  });
  return { url, snapshots, id: `Snapshot:${randomUUID()}` as SnapshotId };
}

const restoring = (log: EventStore) =>
  ({
    async run() {
      const data = { platformId, generation: 1, streams: [`platform-${uuid}`] };
      const event = { id: randomUUID(), type: 'PlatformStateRestored', data, metadata: {} as never };
      // Nothing is recorded for a request once its platform has gone back.
      if ((await log.read(restored.stream)).length > 0)
        throw new Rejected('SERVICE_UNAVAILABLE', 'went back');
      await log.append(restored.stream, 'none', [event]);
    },
  }) as never;

it('a snapshot waits for what the read models make of the last events', async () => {
  const webhook = `Webhook:${randomUUID()}`;
  let asks = 0;
  /** Come once the platform was let go of again: while it is held, nobody waits for them in vain. */
  const comingLate = (url: string) => ({
    async waitFor() {
      asks += 1;
      if (asks === 3)
        await query(
          url,
          `insert into daybook.webhook_events (id, platform_id, type, object_id, position, n, body, state, attempts, retries,
             retrying_since, redelivery, created_at, updated_at)
           values ($1, $2, 'ANY', 'Any:1', 1, 0, '{}', 'PENDING', 0, 0, now(), false, now(), now())`,
          [webhook, platformId],
        );
      return asks >= 3;
    },
  });
  const { url, snapshots, id } = await platform((at) => ({ progress: comingLate(at) }));
  await snapshots.take(platformId, { id, name: undefined });
  const kept = await query(
    url,
    `select content->>'id' as id from daybook.sandbox_snapshot_rows where of_table = 'webhook_events'`,
  );
  expect(kept).toEqual([{ id: webhook }]);
});

it('a platform is there once it has come back, though the log is away right then', async () => {
  let [fails, isAway] = [1, false];
  const { url, snapshots, id } = await platform((_, log) => ({
    wholeLog: {
      ...log,
      async append(...args) {
        if (fails-- > 0) throw new Error('away');
        isAway = true;
        return log.append(...args);
      },
    },
    store: {
      async last() {
        if (isAway) throw new Error('away');
        return log.last();
      },
    },
    commands: restoring(log),
  }));
  await addToken(url, platformId);
  await snapshots.take(platformId, { id, name: undefined });
  const cause = { actor: 'token:Token:1' } as never;
  await expect(snapshots.restore(platformId, id, cause)).rejects.toThrow('away');
  expect(() => snapshots.requireWhole(platformId)).not.toThrow();
});

it('a snapshot to which the way back was refused can be taken away', async () => {
  const { url, snapshots, id } = await platform(() => ({
    commands: {
      async run() {
        throw new Rejected('CONFLICT', 'refused');
      },
    } as never,
  }));
  await addToken(url, platformId);
  await snapshots.take(platformId, { id, name: undefined });
  const back = snapshots.restore(platformId, id, { actor: 'token:Token:1' } as never);
  await expect(back).rejects.toThrow('refused');
  expect(await snapshots.remove(platformId, id)).toBe(true);
});

it('a snapshot stays for the next start where it is not known whether the log has the way back', async () => {
  let asks = 0;
  const { url, snapshots, id } = await platform(() => ({
    commands: {
      async run() {
        asks += 1;
        throw asks === 1 ? new Error('no answer') : new Rejected('CONFLICT', 'refused');
      },
    } as never,
  }));
  await addToken(url, platformId);
  await snapshots.take(platformId, { id, name: undefined });
  const back = snapshots.restore(platformId, id, { actor: 'token:Token:1' } as never);
  await expect(back).rejects.toThrow('refused');
  expect(await snapshots.remove(platformId, id)).toBe(false);
});

it('a list of snapshots reads no lists of their streams', async () => {
  const { url, snapshots, id } = await platform(() => ({}));
  const taken = await snapshots.take(platformId, { id, name: 'one' });
  await query(url, 'alter table daybook.sandbox_snapshots drop column streams');
  expect(await snapshots.list(platformId)).toEqual([taken]);
});

it('rows are put back by statements that take longer than those of requests may', async () => {
  const statementMaxMs = 1_000;
  const { url, snapshots, id } = await platform((at, log) => {
    const pool = createPool({ url: at, max: 2, name: 'books', statementMaxMs });
    onTestFinished(() => pool.end());
    const follows = { waitFor: async () => true };
    const followed = { reacted: follows, progress: follows };
    return { pool, unhurried: openUnhurried(at, { statementMaxMs }), commands: restoring(log), ...followed };
  });
  await addToken(url, platformId);
  const taken = await snapshots.take(platformId, { id, name: undefined });
  await query(
    url,
    `create function take_long() returns trigger language plpgsql as $$
     begin perform pg_sleep(1.5); return null; end $$`,
  );
  await query(
    url,
    'create trigger takes_long after insert on daybook.api_tokens for each statement execute function take_long()',
  );
  const cause = { actor: 'token:Token:1' } as never;
  expect(await snapshots.restore(platformId, id, cause)).toEqual(taken);
});
