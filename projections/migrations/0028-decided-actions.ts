import { type Kysely, sql } from 'kysely';

/**
 * Who decided on what agents asked for, and when. Rows that are there have the time of a rejection, which is their last
 * change; the rest of former decisions comes with a rebuild of `agents`.
 */
export const decidedActions = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table agent_actions add column decided_at timestamptz, add column decided_by text`.execute(db);
    await sql`update agent_actions set decided_at = updated_at where status = 'REJECTED'`.execute(db);
    await sql`
      create index on agent_actions (platform_id, created_at, id) where decided_at is not null`.execute(db);
    await sql`create index on agent_actions (platform_id, decided_at)`.execute(db);
  },
};
