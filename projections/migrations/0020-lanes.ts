import { type Kysely, sql } from 'kysely';

/**
 * Claims belong to sessions, which end with their process; each endpoint has a lane of its own; what asks for an
 * approval is found apart from what only tells. What is old is found by its time.
 */
export const lanes = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table work_sessions (
        id int generated always as identity (cycle) primary key, started_at timestamptz not null
      )`.execute(db);
    await sql`
      create table webhook_lanes (
        platform_id text primary key, url text not null, pace text not null, silences int not null,
        trips int not null, closed_until timestamptz
      )`.execute(db);
    await sql`alter table webhook_events add column claimed_by int`.execute(db);
    await sql`drop index webhook_events_due`.execute(db);
    await sql`
      create index webhook_notices_due on webhook_events (platform_id, next_attempt_at, position, n)
      where state = 'PENDING' and next_attempt_at is not null and type <> 'INCOMING_PAYMENT.PENDING'`.execute(
      db,
    );
    await sql`
      create index webhook_approvals_due on webhook_events (platform_id, next_attempt_at, position, n)
      where state = 'PENDING' and next_attempt_at is not null and type = 'INCOMING_PAYMENT.PENDING'`.execute(
      db,
    );
    await sql`create index webhook_events_old on webhook_events (created_at) where state <> 'PENDING'`.execute(
      db,
    );
    await sql`
      alter table emails add column claimed_by int, add column locked_until timestamptz,
        add column next_attempt_at timestamptz`.execute(db);
    await sql`update emails set next_attempt_at = released_at`.execute(db);
    await sql`drop index emails_expires_at_idx`.execute(db);
    await sql`
      create index emails_due on emails (next_attempt_at) where released_at is not null and sent_at is null`.execute(
      db,
    );
    await sql`create index emails_old on emails (created_at)`.execute(db);
  },
};
