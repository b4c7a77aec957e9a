/** Of erasures those that are under way are found, however many there have been. */
import { type Kysely, sql } from 'kysely';

export const erasuresUnderWay = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index on erasures (asked_at, customer_id) where done_at is null`.execute(db);
  },
};
