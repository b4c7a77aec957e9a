import { type Kysely, sql } from 'kysely';

/**
 * An index for every filter of a list that may leave few of many rows, and what is left to do of sending many webhooks
 * again. Payments have no index by status: it would make each change of it a change of all indexes.
 */
export const manyRows = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index on customers (platform_id, uma_address)`.execute(db);
    await sql`create index on customers (platform_id, region, created_at, id)`.execute(db);
    await sql`create index on customers (platform_id, customer_type, created_at, id)`.execute(db);
    await sql`create index on customers (platform_id, updated_at)`.execute(db);
    await sql`create index on customers using gin (currencies)`.execute(db);
    await sql`create index on verifications (platform_id, status, created_at, id)`.execute(db);
    await sql`create index on agents (platform_id, updated_at)`.execute(db);
    await sql`create index on agent_actions (customer_id, created_at, id)`.execute(db);
    await sql`create index on api_tokens (platform_id, name) where deleted_at is null`.execute(db);
    await sql`create index on api_tokens (platform_id, updated_at) where deleted_at is null`.execute(db);
    await sql`create index on webhook_events (platform_id, type, created_at, id)`.execute(db);
    await sql`
      create index on webhook_events (platform_id, state, created_at, id)
      where state in ('FAILED', 'CANCELLED')`.execute(db);
    await sql`
      create table webhook_redeliveries (
        id bigint generated always as identity primary key, platform_id text not null, until timestamptz not null,
        types text[], after_created_at timestamptz not null, after_position bigint not null, after_n int not null,
        stepped_at timestamptz not null
      )`.execute(db);
    await sql`create index on webhook_redeliveries (platform_id)`.execute(db);
  },
};
