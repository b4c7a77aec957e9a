import { type Kysely, sql } from 'kysely';

/** Why an agent's action came to nothing. Rows that are there have it after a rebuild of `agents`. */
export const failedActions = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agent_actions add column failure jsonb`.execute(db);
  },
};
