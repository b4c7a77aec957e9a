import { type Kysely, sql } from 'kysely';

/** What serves requests and subscriptions and is not copied from the log: tokens, kept answers, checkpoints. */
export const operations = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table checkpoints (name text primary key, position bigint not null)`.execute(db);
    await sql`
      create table api_tokens (
        id text primary key, platform_id text not null, name text not null, client_id text not null unique,
        secret_hash bytea not null, permissions text[] not null, environment text not null,
        created_at timestamptz not null, updated_at timestamptz not null
      )`.execute(db);
    await sql`
      create table idempotency_keys (
        scope text primary key, held_until timestamptz not null, status int, body text, created_at timestamptz not null
      )`.execute(db);
    await sql`create index on idempotency_keys (created_at)`.execute(db);
  },
};
