/**
 * Whether others have payment addresses at a domain is found, however many customers there are. And verdicts say from here
 * on which checks of owners they are on: a former version, which would decide on others, does not start on it.
 */
import { type Kysely, sql } from 'kysely';

export const domainsAndChecks = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create index on customers (split_part(uma_address, '@', 2), platform_id) where not is_deleted`.execute(
      db,
    );
  },
};
