import { type Kysely, sql } from 'kysely';

/**
 * How far the installation's time is from that of the server's clock, in milliseconds, and what that clock showed when
 * a process looked last.
 */
export const clock = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table clock (
        only_row boolean primary key default true check (only_row),
        ahead_ms double precision not null default 0, since_ms double precision not null default 0,
        noted_ms double precision, version int not null default 0
      )`.execute(db);
    await sql`insert into clock default values`.execute(db);
  },
};
