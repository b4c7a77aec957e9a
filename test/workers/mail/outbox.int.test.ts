import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReadDb } from '../../../projections/database.ts';
import { migrateBooks } from '../../../projections/migrations/migrate.ts';
import type { EmailRow } from '../../../projections/tables/wallets.ts';
import { openWorkSession } from '../../../src/infrastructure/jobs/work-session.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { createPool, type Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { createSealer, newMasterKey } from '../../../src/infrastructure/secrets/sealing.ts';
import { openEmails } from '../../../src/workers/mail/outbox.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';
import { eventually } from '../../support/resources/flows.ts';
import { stillClock } from '../../support/time/movable-clock.ts';
import { mailTo } from './mailer-contract.ts';

const minuteMs = 60_000;
const sealer = createSealer({ current: newMasterKey() });
const clock = stillClock();
let url: string;
let pool: Pool;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  url = await createDatabase();
  pool = createPool({ url, max: 4, name: 'outbox' });
  const db = createReadDb(createPool({ url, max: 1, name: 'test-migrate' }));
  await migrateBooks(db).finally(() => db.destroy());
});
afterAll(async () => {
  for (const end of ends) await end();
  await pool.end();
});

/** The outbox as a worker of its own has it, with what becomes of each try. */
function startWorker(nowOf = clock.now) {
  const tries: (PromiseWithResolvers<void> & { readonly id: string })[] = [];
  const session = openWorkSession(url);
  const emails = openEmails({
    pool,
    session,
    sealer,
    every: () => async () => undefined,
    mailer: {
      send(id) {
        const one = { id, ...Promise.withResolvers<void>() };
        tries.push(one);
        return one.promise;
      },
      close: () => undefined,
    },
    log: createLog('silent'),
    now: clock.now,
    nowOf,
  });
  const stop = emails.work();
  ends.push(session.end);
  return { ...emails, tries, stop };
}
type Worker = ReturnType<typeof startWorker>;

const write = ({ write: add }: Worker, id: string, lifetimeMs: number, now = clock.now) =>
  add({
    id,
    platformId: 'Platform:1',
    environment: 'production',
    mail: mailTo('ada@example.com'),
    expiresAt: new Date(now().getTime() + lifetimeMs),
  });
const rowOf = async (id: string) =>
  (await query<EmailRow>(url, 'select * from daybook.emails where id = $1', [id]))[0];

describe('a mail', () => {
  it('does not leave once what it says is over', async () => {
    const worker = startWorker();
    await write(worker, 'late', minuteMs);
    clock.advance(minuteMs);
    await write(worker, 'in time', minuteMs);
    for (const id of ['late', 'in time']) await worker.release(id);
    await worker.look();
    expect(worker.tries.map(({ id }) => id)).toEqual(['in time']);
    worker.tries[0]?.resolve();
    await eventually(
      () => rowOf('in time'),
      (row) => row?.sent_at !== null,
    );
  });

  it.each([-60, 60])('lives as long for a platform whose clock is off by %i minutes', async (minutes) => {
    const nowOf = () => new Date(clock.now().getTime() + minutes * minuteMs);
    const worker = startWorker(nowOf);
    const ids = [`late by ${minutes}`, `in time by ${minutes}`];
    for (const [at, id] of ids.entries()) await write(worker, id, (at + 1) * minuteMs, nowOf);
    clock.advance(minuteMs);
    for (const id of ids) await worker.release(id);
    await worker.look();
    expect(worker.tries.map(({ id }) => id)).toEqual(ids.slice(1));
    worker.tries[0]?.resolve();
    await worker.stop();
  });

  it('that another worker has taken over stays with it where the first one fails at last', async () => {
    const [first, second] = [startWorker(), startWorker()];
    await write(first, 'slow', 60 * minuteMs);
    await first.release('slow');
    await first.look();
    clock.advance(minuteMs);
    await second.look();
    expect([first.tries.length, second.tries.length]).toEqual([1, 1]);
    const held = await rowOf('slow');
    first.tries[0]?.reject(new Error('no answer'));
    await first.stop();
    expect(await rowOf('slow')).toEqual(held);
    second.tries[0]?.resolve();
    const sent = await eventually(
      () => rowOf('slow'),
      (row) => row?.sent_at !== null,
    );
    expect(sent?.sealed).toBeNull();
  });
});
