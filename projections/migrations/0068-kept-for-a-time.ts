import { type Kysely, sql } from 'kysely';

/**
 * What is kept for some time and no longer has the time of the installation at which it came. Device codes that are there
 * count as issued now. Of webhook events that are there nothing says when they came but the time of their platform.
 */
export const keptForATime = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_device_codes add column issued_at timestamptz default clock_timestamp()`.execute(
      db,
    );
    await sql`create index on agent_device_codes (issued_at)`.execute(db);
    await sql`alter table webhook_events add column told_at timestamptz`.execute(db);
    await sql`alter table webhook_events alter column told_at set default clock_timestamp()`.execute(db);
    await sql`drop index webhook_events_old`.execute(db);
    await sql`
      create index webhook_events_old on webhook_events (coalesce(told_at, created_at)) where state <> 'PENDING'`.execute(
      db,
    );
  },
};
