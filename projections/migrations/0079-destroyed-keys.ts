/** Of the keys of persons those that are gone are found without going through all that are there. */
import { type Kysely, sql } from 'kysely';

export const destroyedKeys = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index on person_keys (id) where sealed is null`.execute(db);
  },
};
