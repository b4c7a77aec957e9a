import { type Kysely, sql } from 'kysely';

/** Until when whoever holds a key may do what was asked for under it: processes may give a request different times. */
export const atWork = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table idempotency_keys add column at_work_until timestamptz`.execute(db);
  },
};
