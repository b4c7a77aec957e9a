/** How many rows of the outbox its sweeps read, counted by Postgres: what they look for, not all that there is. */
import { beforeAll, describe, expect, it } from 'vitest';
import { byKey, createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { stepMax } from '../../src/infrastructure/scheduling/steps.ts';
import { stepOfCancellation } from '../../src/workers/webhooks/cancellations.ts';
import { giveUpOverdue } from '../../src/workers/webhooks/forget.ts';
import { createTurns } from '../../src/workers/webhooks/turns.ts';
import { query } from '../support/postgres/database.ts';
import { platformOf } from '../support/postgres/outbox.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { eventually } from '../support/resources/flows.ts';

const service = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api' } });
const pendingCount = 20_000;
const perObject = 4;
const dayMs = 24 * 3_600_000;

/** Objects with so many events each, the oldest of which has its turn. */
beforeAll(async () => {
  await query(
    service.databaseUrl,
    `insert into daybook.webhook_events (
       id, platform_id, type, object_id, position, n, body, state, attempts, retries, retrying_since, next_attempt_at,
       redelivery, created_at, updated_at)
     select 'Webhook:' || k, $1, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'Thing:' || k / ${perObject}, k, 0, '{}', 'PENDING',
       0, 0, now(), case when k % ${perObject} = 0 then now() end, false, now(), now()
     from generate_series(0, ${pendingCount - 1}) as k`,
    [await platformOf(service)],
  );
  await query(service.databaseUrl, 'analyze daybook.webhook_events');
});

type Read = { readonly scans: number; readonly rows: number };
const readSoFar = async (): Promise<Read> => {
  const [row] = await query<Read>(
    service.databaseUrl,
    `select seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
     from pg_stat_user_tables where relid = 'daybook.webhook_events'::regclass`,
  );
  return row ?? { scans: 0, rows: 0 };
};

/** What a connection has read is counted when it has ended; connections of sweeps and those that find all by keys. */
async function reads(settings: Readonly<Record<string, string>>, work: (pool: Pool) => Promise<unknown>) {
  const before = await readSoFar();
  const pool = createPool({ url: service.databaseUrl, max: 1, name: 'reads', settings });
  await work(pool);
  await pool.end();
  const ended = await eventually(readSoFar, ({ rows }) => rows > before.rows);
  return { scans: ended.scans - before.scans, rows: ended.rows - before.rows };
}
const count = async (where: string): Promise<number> =>
  (await query(service.databaseUrl, `select from daybook.webhook_events where ${where}`)).length;

describe(`of ${pendingCount} pending events`, () => {
  it('those that are overdue are found by their time, and the next of their objects have their turn', async () => {
    const overdue = `position in (0, 400, 800)`;
    await query(
      service.databaseUrl,
      `update daybook.webhook_events set retrying_since = now() - interval '9 days' where ${overdue}`,
    );
    const { scans, rows } = await reads({}, async (pool) => {
      expect(await giveUpOverdue(pool, new Date())).toBe(3);
    });
    expect(scans).toBe(0);
    expect(rows).toBeLessThan(100);
    expect(await count(`${overdue} and state = 'FAILED'`)).toBe(3);
    expect(await count('position in (1, 401, 801) and next_attempt_at is not null')).toBe(3);
  });

  it('all that are overdue end in several steps, those of one object too', async () => {
    const later = new Date(Date.now() + 9 * dayMs);
    const some = `position between 1000 and ${1_000 + 2 * stepMax}`;
    await query(
      service.databaseUrl,
      `update daybook.webhook_events set retrying_since = now() + interval '2 days' where not ${some}`,
    );
    const { scans } = await reads({}, async (pool) => {
      expect(await giveUpOverdue(pool, later)).toBe(2 * stepMax + 1);
    });
    expect(scans).toBe(0);
    expect(await count(`${some} and state = 'FAILED' and next_attempt_at is null`)).toBe(2 * stepMax + 1);
  });

  it('each is read once or twice where turns are healed', async () => {
    await query(
      service.databaseUrl,
      `update daybook.webhook_events set next_attempt_at = case when next_attempt_at is null then now() end
       where position between 8000 and 8007`,
    );
    const left = await count(`state = 'PENDING'`);
    const { scans, rows } = await reads({}, (pool) => createTurns(pool).heal(new Date()));
    expect(scans).toBe(0);
    expect(rows).toBeLessThan(2 * left);
    expect(
      await query(
        service.databaseUrl,
        `select position::int from daybook.webhook_events
         where position between 8000 and 8007 and next_attempt_at is not null order by position`,
      ),
    ).toEqual([{ position: 8_000 }, { position: 8_004 }]);
  });

  it('a step of a cancellation reads those that it looks at', async () => {
    await query(
      service.databaseUrl,
      `insert into daybook.webhook_cutoffs (platform_id, position, at) values ($1, $2, now())`,
      [await platformOf(service), pendingCount / 2],
    );
    const { scans, rows } = await reads(byKey, async (pool) => {
      for (let n = 0; n < 3; n++) await stepOfCancellation(pool, { now: new Date(), moved: [] }, 50);
    });
    expect(scans).toBe(0);
    expect(rows).toBeLessThan(3 * 50 * 6);
  });
});
