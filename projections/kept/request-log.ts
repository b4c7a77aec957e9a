/** The requests of the last days, for the platform that sent them. */
import { sql } from 'kysely';
import { arrayText } from '../../src/infrastructure/postgres/arrays.ts';
import type { Pool } from '../../src/infrastructure/postgres/pool.ts';
import { inSteps } from '../../src/infrastructure/scheduling/steps.ts';
import type { PlatformId, RequestId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type CreatedWithin, within } from '../dates.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { RequestBodiesRow, RequestLogRow } from '../tables/request-log.ts';

/** Of one platform; the oldest give way. */
export const requestsPerPlatform = 100_000;

/** All rows, and of some their bodies, in one statement. */
export async function insertRequests(
  pool: Pool,
  rows: readonly RequestLogRow[],
  bodies: readonly RequestBodiesRow[],
): Promise<void> {
  await pool.query({
    name: 'log-requests',
    text: insertQuery,
    values: [
      arrayText(rows.map(({ id }) => id)),
      arrayText(rows.map(({ platform_id }) => platform_id)),
      arrayText(rows.map(({ created_at }) => created_at.toISOString())),
      arrayText(rows.map(({ method }) => method)),
      arrayText(rows.map(({ path }) => path)),
      arrayText(rows.map(({ operation_id }) => operation_id)),
      arrayText(rows.map(({ status }) => status)),
      arrayText(rows.map(({ code }) => code)),
      arrayText(rows.map(({ duration_ms }) => duration_ms)),
      arrayText(rows.map(({ idempotency_key }) => idempotency_key)),
      arrayText(rows.map(({ token_id }) => token_id)),
      arrayText(rows.map(({ resource_ids }) => resource_ids)),
      arrayText(bodies.map(({ id }) => id)),
      arrayText(bodies.map(({ query }) => query)),
      arrayText(bodies.map(({ request_body }) => request_body)),
      arrayText(bodies.map(({ response_body }) => response_body)),
      arrayText(bodies.map(({ truncated }) => truncated)),
    ],
  });
}

/** Where ids follow from a seed, those of an earlier run may come again: the first stay. */
const insertQuery = `
  with logged as (
    insert into request_log (id, platform_id, created_at, method, path, operation_id, status, code, duration_ms,
      idempotency_key, token_id, resource_ids)
    select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::int[],
      $8::text[], $9::float8[], $10::text[], $11::text[], $12::text[])
    on conflict do nothing returning id
  )
  insert into request_bodies (id, query, request_body, response_body, truncated)
  select b.* from unnest($13::text[], $14::text[], $15::text[], $16::text[], $17::bool[])
    as b (id, query, request_body, response_body, truncated)
  join logged using (id)
  on conflict do nothing`;

/** Forgets what is older than the moment, and of each platform what is beyond its bound, in steps. */
export async function forgetRequests(pool: Pool, before: Date, most = requestsPerPlatform): Promise<void> {
  const { rows } = await pool.query<{ platform_id: PlatformId }>(platformsQuery);
  for (const { platform_id: platformId } of rows)
    await inSteps(
      async (max) => (await pool.query(forgetQuery, [platformId, before, most, max])).rowCount ?? 0,
    );
}

/** From one platform to the next by the index, however many rows each has. */
const platformsQuery = `
  with recursive p as (
    (select platform_id from request_log order by platform_id limit 1)
    union all
    select (select r.platform_id from request_log r where r.platform_id > p.platform_id order by 1 limit 1)
    from p where p.platform_id is not null
  )
  select platform_id from p where platform_id is not null`;

const forgetQuery = `
  with beyond as (
    select created_at, id from request_log where platform_id = $1 order by created_at desc, id desc offset $3 limit 1
  ), old as (
    select id from request_log where platform_id = $1 and (
      created_at < $2 or (created_at, id) <= (select created_at, id from beyond))
    order by created_at, id limit $4 for update skip locked
  ), gone as (
    delete from request_log r using old where r.id = old.id returning r.id
  ), bodies as (
    delete from request_bodies b using gone where b.id = gone.id
  )
  select id from gone`;

export type RequestFilters = CreatedWithin & {
  readonly method?: string | undefined;
  readonly operationId?: string | undefined;
  readonly status?: number | undefined;
  /** This one and those above. */
  readonly minStatus?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly requestId?: RequestId | undefined;
  /** An id that stands in the path or the answer. */
  readonly resourceId?: string | undefined;
  /** Stands in path, operation, code, key, or one of the ids, in capitals or not. */
  readonly search?: string | undefined;
};

const requestsOf = (db: ReadDb, platformId: PlatformId) =>
  db.selectFrom('request_log').selectAll().where('platform_id', '=', platformId);

export function listRequests(
  db: ReadDb,
  platformId: PlatformId,
  filters: RequestFilters,
  page: PageRequest,
): Promise<Page<RequestLogRow>> {
  const { method, operationId, status, minStatus, idempotencyKey, requestId, resourceId, search } = filters;
  let query = requestsOf(db, platformId).where(within(filters));
  if (method !== undefined) query = query.where('method', '=', method);
  if (operationId !== undefined) query = query.where('operation_id', '=', operationId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (minStatus !== undefined) query = query.where('status', '>=', minStatus);
  if (idempotencyKey !== undefined) query = query.where('idempotency_key', '=', idempotencyKey);
  if (requestId !== undefined) query = query.where('id', '=', requestId);
  if (resourceId !== undefined) query = query.where(sql<boolean>`strpos(resource_ids, ${resourceId}) > 0`);
  if (search !== undefined)
    query = query.where(
      sql<boolean>`strpos(lower(concat_ws(' ', id, method, path, operation_id, status, code, idempotency_key, token_id,
        resource_ids)), lower(${search})) > 0`,
    );
  return paginate(query, page, { ...filters, list: 'requests' });
}

/** With its bodies, where they were kept. */
export async function findRequest(
  db: ReadDb,
  platformId: PlatformId,
  id: RequestId,
): Promise<{ readonly row: RequestLogRow; readonly bodies: RequestBodiesRow | undefined } | undefined> {
  const row = await requestsOf(db, platformId).where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const bodies = await db.selectFrom('request_bodies').selectAll().where('id', '=', id).executeTakeFirst();
  return { row, bodies };
}
