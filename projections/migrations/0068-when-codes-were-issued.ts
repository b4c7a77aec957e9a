import { type Kysely, sql } from 'kysely';

/** Device codes are kept for some time and no longer. Those that are there count as issued now. */
export const whenCodesWereIssued = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_device_codes add column issued_at timestamptz default clock_timestamp()`.execute(
      db,
    );
    await sql`create index on agent_device_codes (issued_at)`.execute(db);
  },
};
