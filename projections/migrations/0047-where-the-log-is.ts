import { type Kysely, sql } from 'kysely';

/** In which store the log is that these tables follow: two stores may have the same one. */
export const whereTheLogIs = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table followed_log add column kept_in text check (kept_in in ('postgres', 'eventstoredb'))`.execute(
      db,
    );
  },
};
