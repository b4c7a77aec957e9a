import { type Kysely, sql } from 'kysely';

/** What callers have asked in the last days, and of some of it the bodies, without what is secret or personal. */
export const requestLog = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table request_log (
        id text primary key, platform_id text not null, created_at timestamptz not null, method text not null,
        path text not null, operation_id text not null, status integer not null, code text,
        duration_ms double precision not null, idempotency_key text, token_id text, resource_ids text not null
      )`.execute(db);
    await sql`create index on request_log (platform_id, created_at, id)`.execute(db);
    await sql`
      create table request_bodies (
        id text primary key, query text not null, request_body text, response_body text, truncated boolean not null
      )`.execute(db);
  },
};
