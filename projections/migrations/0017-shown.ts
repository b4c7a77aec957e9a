import { type Kysely, sql } from 'kysely';

/**
 * What holds a payment up, and when its receipt was delivered. A transfer has no description: the text of its remittance
 * stood there. For the receiving side of older quotes `transactions` has to be rebuilt.
 */
export const shown = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table transactions add column pending_reason text`.execute(db);
    await sql`alter table transactions add column receipt_delivery_confirmed_at timestamptz`.execute(db);
    await sql`update transactions set description = null where description is not null and quote_id is null`.execute(
      db,
    );
  },
};
