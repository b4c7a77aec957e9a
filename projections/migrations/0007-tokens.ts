import { type Kysely, sql } from 'kysely';

/** What the list of tokens reads, and when a token was deleted. */
export const tokens = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table api_tokens add column deleted_at timestamptz`.execute(db);
    await sql`create index on api_tokens (platform_id, created_at, id) where deleted_at is null`.execute(db);
  },
};
