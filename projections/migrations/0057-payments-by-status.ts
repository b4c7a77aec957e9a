import { type Kysely, sql } from 'kysely';

/** Payments of one status: those that are under way are few among all that ever were. */
export const paymentsByStatus = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index on transactions (platform_id, status, created_at, id)`.execute(db);
  },
};
