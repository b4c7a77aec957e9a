/** Verifications that wait for a decision, and the default of a customer's external accounts, are found, however many rows there are. */
import { type Kysely, sql } from 'kysely';

export const openAndDefault = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create index on verifications (created_at, id)
      where status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW')`.execute(db);
    await sql`create index on external_accounts (customer_id) where default_uma_deposit_account`.execute(db);
  },
};
