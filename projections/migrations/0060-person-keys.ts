import { type Kysely, sql } from 'kysely';

/** What seals personal texts in the log: one key for each customer, document holder or wallet. None is made again. */
export const personKeyTable = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table person_keys (
        id text primary key, owner text not null, sealed bytea, master_key_id text not null,
        created_at timestamptz not null default now(), destroyed_at timestamptz
      )`.execute(db);
  },
};
