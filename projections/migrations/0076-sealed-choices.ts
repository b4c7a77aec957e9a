/**
 * The kind and the country of a customer's number are sealed in the log since then: a version that does not know it would
 * take them for other texts of the event. They are gone from the rows of those who were erased before.
 */
import { type Kysely, sql } from 'kysely';

export const sealedChoices = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      update customers set details = details - 'idType' - 'countryOfIssuance'
      where id in (select customer_id from erasures) and details ?| array['idType', 'countryOfIssuance']
    `.execute(db);
  },
};
