import { type Kysely, sql } from 'kysely';

/**
 * Who may write in the name of a lease: the holder with the largest token. A checkpoint remembers the largest that has
 * moved it, so one who was stopped and comes back with a smaller one moves nothing.
 */
export const leases = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table leases (
        name text primary key, token bigint not null default 0, pid int,
        renewed_at timestamptz not null default '-infinity'
      )`.execute(db);
    await sql`alter table checkpoints add column token bigint not null default 0`.execute(db);
  },
};
