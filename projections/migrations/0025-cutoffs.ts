import { type Kysely, sql } from 'kysely';

/**
 * Where in the log an endpoint was switched off, and how far the cancelling of what was pending then has come. What is
 * to be given up is found by its time.
 */
export const cutoffs = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table webhook_cutoffs (
        platform_id text primary key, position bigint not null, at timestamptz not null
      )`.execute(db);
    await sql`
      create table webhook_cancellations (
        platform_id text primary key, cutoff bigint not null, after_object_id text not null,
        after_position bigint not null, after_n int not null, stepped_at timestamptz not null, is_done boolean not null
      )`.execute(db);
    await sql`create index on webhook_cancellations (stepped_at) where not is_done`.execute(db);
    await sql`alter table webhook_events add column asked_position bigint`.execute(db);
    await sql`
      update webhook_events set asked_position = (select position from checkpoints where name = 'projections')
      where state = 'PENDING' and redelivery`.execute(db);
    await sql`
      create index webhook_events_overdue on webhook_events (retrying_since) where state = 'PENDING'`.execute(
      db,
    );
  },
};
