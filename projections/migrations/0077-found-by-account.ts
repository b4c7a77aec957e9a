/** Of a wallet its credentials are found, and of erasures those that are under way, however many there are. */
import { type Kysely, sql } from 'kysely';

export const foundByAccount = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index on wallet_credentials (account_id)`.execute(db);
    await sql`create index on erasures (asked_at) where done_at is null`.execute(db);
  },
};
