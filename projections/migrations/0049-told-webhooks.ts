import { type Kysely, sql } from 'kysely';

/** What a platform is told, in its order, from a place on. */
export const toldWebhooks = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index webhook_events_told on webhook_events (platform_id, position, n)`.execute(db);
  },
};
