import { type Kysely, sql } from 'kysely';

/** What the first request with a key asked for, field by field, as digests. */
export const fingerprints = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table idempotency_keys add column fingerprint text`.execute(db);
  },
};
