import { type Kysely, sql } from 'kysely';

/** Counts the starts of the service whose identifiers follow from a seed: no two give the same. */
export const seededRuns = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create sequence seeded_runs`.execute(db);
  },
};
