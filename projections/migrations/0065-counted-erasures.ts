import { type Kysely, sql } from 'kysely';

/** Whoever has read of people before they were erased can tell that it is not to be written any more. */
export const countedErasures = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table checkpoints add column erasures bigint not null default 0`.execute(db);
  },
};
