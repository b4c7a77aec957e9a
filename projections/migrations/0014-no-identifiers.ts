import { type Kysely, sql } from 'kysely';

/** The number of an identity document is told to nobody. Quotes from before had it where a platform asked for it. */
export const noIdentifiers = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      update transactions
      set counterparty_information = nullif(counterparty_information - array['IDENTIFIER', 'ID_NUMBER'], '{}'::jsonb)
      where jsonb_exists_any(counterparty_information, array['IDENTIFIER', 'ID_NUMBER'])`.execute(db);
  },
};
