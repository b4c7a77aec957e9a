import { type Kysely, sql } from 'kysely';

/** When a payment is to come back, by the platform's clock: a rail that is asked again says the same. */
export const returnsAt = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table sandbox_returns add column returns_at timestamptz`.execute(db);
    await sql`create index on sandbox_returns (platform_id)`.execute(db);
  },
};
