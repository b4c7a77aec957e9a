import { type Kysely, sql } from 'kysely';

/** The Merkle tree over the log, its signed checkpoints, and the key that signs them. */
export const logTree = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table log_tree (
        only_row boolean primary key default true check (only_row),
        size bigint not null, position bigint not null, unsealed bigint not null
      )`.execute(db);
    await sql`insert into log_tree (size, position, unsealed) values (0, 0, 0)`.execute(db);
    await sql`
      create table log_tiles (
        level integer not null, n bigint not null, hashes bytea not null, positions bigint[],
        primary key (level, n)
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index log_tiles_by_position on log_tiles ((positions[1])) where level = 0`.execute(db);
    await sql`
      create table log_checkpoints (
        size bigint primary key, root bytea not null, unsealed bigint not null, note text not null,
        signed_at timestamptz not null
      )`.execute(db);
    await sql`
      create table log_keys (
        only_row boolean primary key default true check (only_row),
        id text not null unique, public_key bytea not null, sealed bytea not null, master_key_id text not null,
        created_at timestamptz not null
      )`.execute(db);
  },
};
