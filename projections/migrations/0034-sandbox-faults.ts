import { type Kysely, sql } from 'kysely';

/** What platforms of the sandbox have asked to go wrong, and to which payments that has happened. */
export const sandboxFaults = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table sandbox_faults (
        id text primary key, platform_id text not null, rule jsonb not null, remaining int,
        created_at timestamptz not null, expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on sandbox_faults (platform_id, created_at, id)`.execute(db);
    await sql`
      create table sandbox_returns (payment_id text primary key, platform_id text not null)`.execute(db);
  },
};
