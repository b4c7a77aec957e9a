import { type Kysely, sql } from 'kysely';

/** Who is signed in at the console: the hash of what the browser has, and the token that it stands for. */
export const consoleSessions = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table console_sessions (
        session_hash bytea primary key, token_id text not null, token_mark bytea not null,
        permissions text[] not null, expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on console_sessions (expires_at)`.execute(db);
    await sql`create index on console_sessions (token_id, expires_at)`.execute(db);
  },
};
