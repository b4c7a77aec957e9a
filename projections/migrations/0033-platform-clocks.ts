import { type Kysely, sql } from 'kysely';

/** Platforms of the sandbox whose clock was moved: it stands still at a moment, or runs ahead of the installation's. */
export const platformClocks = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table platform_clocks (
        platform_id text primary key, frozen_at timestamptz, ahead_ms bigint, position bigint not null,
        check ((frozen_at is null) <> (ahead_ms is null))
      )`.execute(db);
  },
};
