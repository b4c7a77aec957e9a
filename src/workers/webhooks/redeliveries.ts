/**
 * Sends the events of a period again, however many they are: the request is written down and answered, and a worker
 * carries it out in steps. A step is one transaction that says how far it has come, so what a crash interrupts goes on.
 */
import { type EndedEvents, isCancelled, webhooksChannel } from '../../../projections/kept/webhook-events.ts';
import type { Pool, PoolClient } from '../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../infrastructure/postgres/transaction.ts';
import type { PlatformId, WebhookId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { redeliverEvents } from './turns.ts';

const stepMax = 500;
/** Of one platform, requests that are not carried out yet. */
const openMax = 10;
const retryAfterSeconds = 10;

type Row = {
  readonly id: bigint;
  readonly platform_id: PlatformId;
  readonly until: Date;
  readonly types: readonly string[] | null;
  readonly after_created_at: Date;
  readonly after_position: bigint;
  readonly after_n: number;
};
type Found = {
  readonly id: WebhookId;
  readonly created_at: Date;
  readonly position: bigint;
  readonly n: number;
};

/** Writes a request down. Throws `Rejected` (RATE_LIMITED) while too many of the platform are open. */
export async function askForRedelivery(
  pool: Pool,
  platformId: PlatformId,
  { since, until, types }: EndedEvents,
  now: Date,
): Promise<void> {
  const { rowCount } = await pool.query(
    `insert into webhook_redeliveries (platform_id, until, types, after_created_at, after_position, after_n, stepped_at)
     select $1, $2, $3, $4, -1, 0, $5
     where (select count(*) from webhook_redeliveries where platform_id = $1) < $6`,
    [platformId, until, types ? [...types] : null, since, now, openMax],
  );
  if (rowCount === 0) throw tooMany();
  await pool.query('select pg_notify($1, $2)', [webhooksChannel, '']);
}

const tooMany = () =>
  new Rejected(
    'RATE_LIMITED',
    `${openMax} periods are being sent again. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );

/** Platforms have their steps in turn. What is being cancelled is so before it is sent again. */
const takeQuery = `
  select id, platform_id, until, types, after_created_at, after_position, after_n from webhook_redeliveries r
  where not exists (select from webhook_cutoffs c where c.platform_id = r.platform_id and not ${isCancelled})
  order by stepped_at, id limit 1 for update skip locked`;

/**
 * The events of an object come in their order, also from step to step. It is one order for all, so two that overlap do
 * not wait for each other for ever. Two to which a former version has given one place are not parted: the next step would
 * begin after both.
 */
const nextQuery = `
  select id, created_at, position, n from webhook_events
  where platform_id = $1 and state <> 'PENDING' and type <> 'TEST' and ($2::text[] is null or type = any($2))
    and created_at >= $3 and (created_at, position, n) > ($3, $4, $5) and created_at <= $6
  order by created_at, position, n fetch first $7 rows with ties for update`;

/** Carries out one step of one request. Says whether there may be more to do. */
export async function stepOfRedelivery(
  pool: Pool,
  nowOf: (platformId: PlatformId) => Date,
  max = stepMax,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>(takeQuery);
    if (rows[0]) await carryOut(client, rows[0], nowOf(rows[0].platform_id), max);
    return rows.length > 0;
  });
}

async function carryOut(client: PoolClient, row: Row, now: Date, max: number): Promise<void> {
  const { id, platform_id: platformId } = row;
  const found = (await hasEndpoint(client, platformId)) ? await nextEvents(client, row, max) : [];
  const last = found.at(-1);
  if (last) {
    const ids = found.map((event) => event.id);
    await redeliverEvents(client, platformId, ids, now);
  }
  if (last && found.length >= max) await moveOn(client, id, last, now);
  else await client.query('delete from webhook_redeliveries where id = $1', [id]);
  await client.query('select pg_notify($1, $2)', [webhooksChannel, '']);
}

async function nextEvents(client: PoolClient, row: Row, max: number): Promise<readonly Found[]> {
  const { platform_id, types, after_created_at, after_position, after_n, until } = row;
  const values = [platform_id, types, after_created_at, after_position, after_n, until, max];
  return (await client.query<Found>(nextQuery, values)).rows;
}

const moveOn = (client: PoolClient, id: bigint, { created_at, position, n }: Found, now: Date) =>
  client.query(
    `update webhook_redeliveries set after_created_at = $2, after_position = $3, after_n = $4, stepped_at = $5
     where id = $1`,
    [id, created_at, position, n, now],
  );

/** What was pending when the endpoint was removed is cancelled, and so is what was to be sent again. */
async function hasEndpoint(client: PoolClient, platformId: PlatformId): Promise<boolean> {
  const text = 'select from webhook_endpoints where platform_id = $1 and url is not null';
  return (await client.query(text, [platformId])).rowCount !== 0;
}
