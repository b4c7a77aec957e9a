/** Credentials of a wallet are found, however many there are. */
import { type Kysely, sql } from 'kysely';

export const foundByAccount = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index on wallet_credentials (account_id)`.execute(db);
  },
};
