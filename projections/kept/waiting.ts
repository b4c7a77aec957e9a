/** What waits for a platform: timers that are due, webhooks that are to be delivered. */
import { sql } from 'kysely';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';

/** No more are counted. */
const countedMax = 10_000;

export type Waiting = {
  readonly timers: number;
  readonly deliveries: number;
  readonly failed: number;
};

export async function waitingOf(db: ReadDb, platformId: PlatformId, now: Date): Promise<Waiting> {
  const inState = (state: string) => sql`
    (select count(*) from (
      select from webhook_events where platform_id = ${platformId} and state = ${state} limit ${countedMax}) s)::int`;
  const { rows } = await sql<Waiting>`
    select (select count(*) from (
        select from timers where platform_id = ${platformId} and due_at <= ${now} limit ${countedMax}) t)::int as timers,
      ${inState('PENDING')} as deliveries, ${inState('FAILED')} as failed`.execute(db);
  return rows[0] ?? { timers: 0, deliveries: 0, failed: 0 };
}
