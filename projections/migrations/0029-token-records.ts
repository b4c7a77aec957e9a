import { type Kysely, sql } from 'kysely';

/** Who last changed a token, and which change of it the log has: those that are there are written to it. */
export const tokenRecords = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table api_tokens add column changed_by text, add column recorded_at timestamptz`.execute(db);
    await sql`
      create index on api_tokens (updated_at) where recorded_at is null or recorded_at < updated_at`.execute(
      db,
    );
  },
};
