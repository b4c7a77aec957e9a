/**
 * Cancels what was pending when an endpoint was switched off, however much it is. The read model `webhook_cutoffs` says
 * where in the log that was, and nothing from before is sent from then on. The rest is done in steps: each is one
 * transaction that says how far it has come, so what a crash interrupts goes on.
 */
import { isBeforeCutoff } from '../../../projections/kept/webhook-events.ts';
import type { Moved } from '../../infrastructure/clock/platform-times.ts';
import type { Pool, PoolClient } from '../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../infrastructure/postgres/transaction.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { type Ended, endPending, lockPlatform } from './turns.ts';

const stepMax = 500;
const begunMax = 100;

type Row = {
  readonly platformId: PlatformId;
  readonly cutoff: bigint;
  /** When the endpoint was switched off. */
  readonly at: Date;
  readonly objectId: string;
  readonly position: bigint;
  readonly n: number;
};
type Found = Ended & Pick<Row, 'position' | 'n'> & { readonly isBefore: boolean };

/** Of a cutoff `c` that is new, or another one than before. */
export const isNotBegun = `
  not exists (select from webhook_cancellations w where w.platform_id = c.platform_id and w.cutoff = c.position)`;

const beginQuery = `
  insert into webhook_cancellations
    (platform_id, cutoff, after_object_id, after_position, after_n, stepped_at, is_done)
  select platform_id, position, '', 0, 0, $1, false from webhook_cutoffs c
  where ${isNotBegun}
  order by platform_id limit $2
  on conflict (platform_id) do update set cutoff = excluded.cutoff, after_object_id = '', after_position = 0,
    after_n = 0, is_done = false
  where webhook_cancellations.cutoff <> excluded.cutoff`;

/** Platforms have their steps in turn. */
const takeQuery = `
  select w.platform_id as "platformId", cutoff, after_object_id as "objectId", after_position as position, after_n as n,
    coalesce(c.at, $1) as at
  from webhook_cancellations w left join webhook_cutoffs c on c.platform_id = w.platform_id and c.position = w.cutoff
  where not is_done order by stepped_at limit 1 for update of w skip locked`;

const nextQuery = `
  select id, platform_id as "platformId", object_id as "objectId", position, n,
    ${isBeforeCutoff('e', '$2')} as "isBefore"
  from webhook_events e
  where platform_id = $1 and state = 'PENDING' and (platform_id, object_id, position, n) > ($1, $3, $4, $5)
  order by platform_id, object_id, position, n limit $6`;

/** These come first: what asks for an approval after them has seconds. */
const approvalsQuery = `
  select id, platform_id as "platformId", object_id as "objectId" from (
    select * from webhook_events
    where platform_id = $1 and state = 'PENDING' and next_attempt_at is not null and type = 'INCOMING_PAYMENT.PENDING'
    order by platform_id, next_attempt_at, position, n limit $3
  ) as e where ${isBeforeCutoff('e', '$2')}`;

const moveOnQuery = `
  update webhook_cancellations set after_object_id = $2, after_position = $3, after_n = $4, stepped_at = $5, is_done = $6
  where platform_id = $1`;

type Times = {
  /** The installation's. */
  readonly now: Date;
  /** Of platforms that have a time of their own. */
  readonly moved: readonly Moved[];
};

/** Carries out one step for one platform. Says whether there may be more to do. */
export const stepOfCancellation = (pool: Pool, times: Times, max = stepMax): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    await client.query(beginQuery, [times.now, begunMax]);
    const { rows } = await client.query<Row>(takeQuery, [times.now]);
    if (rows[0]) await carryOut(client, rows[0], times, max);
    return rows.length > 0;
  });

async function carryOut(client: PoolClient, row: Row, { now, moved }: Times, max: number): Promise<void> {
  const { platformId, cutoff, at, objectId, position, n } = row;
  await lockPlatform(client, platformId);
  const { rows: approvals } = await client.query<Ended>(approvalsQuery, [platformId, cutoff, max]);
  const place = [objectId, position, n];
  const { rows: next } = await client.query<Found>(nextQuery, [platformId, cutoff, ...place, max]);
  const cancelled = new Map(
    [...approvals, ...next.filter(({ isBefore }) => isBefore)].map((one) => [one.id, one]),
  );
  await endPending(client, [...cancelled.values()], { state: 'CANCELLED', at, heldToo: true }, now, moved);
  const last = next.at(-1) ?? row;
  const isDone = next.length < max;
  await client.query(moveOnQuery, [platformId, last.objectId, last.position, last.n, now, isDone]);
}
