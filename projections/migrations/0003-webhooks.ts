import { type Kysely, sql } from 'kysely';

/** Where webhooks go, the outbox with every attempt, and the keys that sign. Only the endpoints can be rebuilt. */
export const webhooks = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table webhook_endpoints (platform_id text primary key, environment text not null, url text)`.execute(
      db,
    );
    await sql`
      create table webhook_events (
        id text primary key, platform_id text not null, type text not null, object_id text not null,
        position bigint not null, n int not null, body text not null, state text not null, attempts int not null,
        retries int not null, retrying_since timestamptz not null, next_attempt_at timestamptz,
        locked_until timestamptz, redelivery boolean not null, created_at timestamptz not null,
        updated_at timestamptz not null, delivered_at timestamptz
      )`.execute(db);
    await sql`create index on webhook_events (platform_id, created_at, id)`.execute(db);
    await sql`create index on webhook_events (object_id, created_at, id)`.execute(db);
    await sql`
      create index on webhook_events (platform_id, object_id, position, n) where state = 'PENDING'`.execute(
      db,
    );
    await sql`
      create index on webhook_events (next_attempt_at) where state = 'PENDING' and next_attempt_at is not null`.execute(
      db,
    );
    await sql`
      create table webhook_attempts (
        event_id text not null references webhook_events, n int not null, at timestamptz not null, url text not null,
        status int, latency_ms int not null, excerpt text, error text, primary key (event_id, n)
      )`.execute(db);
    await sql`
      create table webhook_keys (
        id text primary key, platform_id text not null, generation int not null, public_key text not null,
        sealed_private_key bytea not null, sealed_secret bytea not null, master_key_id text not null,
        created_at timestamptz not null, former_until timestamptz not null, unique (platform_id, generation)
      )`.execute(db);
  },
};
