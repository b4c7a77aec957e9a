import { type Kysely, sql } from 'kysely';

/**
 * An index for every filter of a list that may leave few of many rows. Payments have none by status: an index would
 * make each change of it a change of all indexes.
 */
export const filters = {
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
  },
};
