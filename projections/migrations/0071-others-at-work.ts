import { type Kysely, sql } from 'kysely';

/** Until when those who held a key before may still do what was asked for under it. */
export const othersAtWork = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table idempotency_keys add column others_until timestamptz`.execute(db);
  },
};
