import { type Kysely, sql } from 'kysely';

/** What is due is claimed by platform, the oldest first. */
export const dueWebhooks = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create index webhook_events_due on webhook_events (platform_id, next_attempt_at, position, n)
      where state = 'PENDING' and next_attempt_at is not null`.execute(db);
    await sql`drop index webhook_events_next_attempt_at_idx`.execute(db);
  },
};
