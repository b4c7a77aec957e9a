/** What makes snapshots useless takes none from a platform that is on its way back to it. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { moveTables } from '../../../projections/kept/moved-log.ts';
import { holdSnapshots } from '../../../projections/kept/snapshots.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { inTransaction } from '../../../src/infrastructure/postgres/transaction.ts';
import type { PlatformId, SnapshotId } from '../../../src/kernel/ids.ts';
import { putBackRows } from '../../../src/workers/platform-snapshots/kept-rows.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';
import { addToken } from '../../support/resources/snapshots.ts';

const platformId = `Platform:${randomUUID()}` as PlatformId;
const id = `Snapshot:${randomUUID()}` as SnapshotId;

async function opened() {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 2, name: 'books' });
  onTestFinished(() => pool.end());
  const take = (restoring: number | null) =>
    query(
      url,
      `insert into daybook.sandbox_snapshots (id, platform_id, position, events, streams, created_at, restoring)
       values ($1, $2, 1, 1, '[]', now(), $3)`,
      [id, platformId, restoring],
    );
  const left = () => query(url, 'select restoring from daybook.sandbox_snapshots');
  return { url, pool, take, left };
}

it('the tables do not go over to another log', async () => {
  const { pool, take, left } = await opened();
  await take(1);
  const moving = moveTables(pool, 'eventstoredb', (async function* () {})(), async () => undefined);
  await expect(moving).rejects.toThrow('on its way back to a snapshot');
  expect(await left()).toEqual([{ restoring: 1 }]);
});

it('nobody begins a way back while snapshots are held', async () => {
  const { url, pool, take, left } = await opened();
  await take(null);
  let isBegun = false;
  let beginning: Promise<unknown> | undefined;
  await inTransaction(pool, async (client) => {
    await holdSnapshots(client);
    beginning = query(url, 'update daybook.sandbox_snapshots set restoring = 1').then(() => {
      isBegun = true;
    });
    await client.query('select pg_sleep(0.3)');
    expect(isBegun).toBe(false);
  });
  await beginning;
  expect(await left()).toEqual([{ restoring: 1 }]);
  await expect(inTransaction(pool, holdSnapshots)).rejects.toThrow('Start the service');
});

it('nothing is taken from a platform whose snapshot is gone', async () => {
  const { url, pool } = await opened();
  await addToken(url, platformId);
  const back = inTransaction(pool, (client) =>
    putBackRows(client, id, { platformId, streams: [], until: 1n }),
  );
  await expect(back).rejects.toThrow(id);
  expect(await query(url, 'select id from daybook.api_tokens')).toEqual([{ id: 'Token:1' }]);
});
