import { type Kysely, sql } from 'kysely';

/** When tokens were deleted, as the log says: a backup of the table of tokens may be older. */
export const deletedTokens = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table deleted_tokens (token_id text primary key, deleted_at timestamptz not null)`.execute(
      db,
    );
    await sql`
      insert into deleted_tokens
      select id, deleted_at from api_tokens where deleted_at is not null`.execute(db);
  },
};
