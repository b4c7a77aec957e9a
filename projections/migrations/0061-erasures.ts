import { type Kysely, sql } from 'kysely';

/** Customers whose data are being erased, or were. */
export const erasures = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table erasures (
        customer_id text primary key, platform_id text not null, asked_at timestamptz not null, done_at timestamptz,
        plain_events int
      )`.execute(db);
  },
};
