import { type Kysely, sql } from 'kysely';

/** Which log these tables follow. */
export const followedLog = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table followed_log (
        only_row boolean primary key default true check (only_row), log_id uuid not null
      )`.execute(db);
  },
};
