import { type Kysely, sql } from 'kysely';

/** Snapshots of platforms of the sandbox, and whose a key of a request is, so that it can be forgotten with what it did. */
export const snapshots = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table idempotency_keys add column tenant text`.execute(db);
    await sql`
      create table sandbox_snapshots (
        id text primary key, platform_id text not null, name text, position bigint not null, events int not null,
        streams jsonb not null, created_at timestamptz not null, restoring int
      )`.execute(db);
    await sql`create index on sandbox_snapshots (platform_id, created_at, id)`.execute(db);
    await sql`
      create table sandbox_snapshot_rows (
        snapshot_id text not null references sandbox_snapshots on delete cascade, of_table text not null,
        content jsonb not null
      )`.execute(db);
    await sql`create index on sandbox_snapshot_rows (snapshot_id, of_table)`.execute(db);
  },
};
