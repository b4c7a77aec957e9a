import { type Kysely, sql } from 'kysely';

/**
 * What long streams had come to at a revision, so that they are not read whole: copies of the log, each made from the one
 * before it. `version` is that of the fold. The values that a state has by key (an account its entries, an agent its
 * actions) are in `closed_values` for each closing since which they were written, and the filter tells which are not.
 */
export const closings = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table closings (
        stream text not null, version integer not null, revision bigint not null, event_id uuid not null,
        previous bigint, state text not null, digest text not null,
        made_at timestamptz not null default clock_timestamp(),
        primary key (stream, version, revision),
        unique nulls not distinct (stream, version, previous),
        foreign key (stream, version, previous) references closings on delete cascade,
        check (previous < revision)
      )`.execute(db);
    await sql`
      create table closed_values (
        stream text not null, version integer not null, key text not null, revision bigint not null,
        value text not null,
        primary key (stream, version, key, revision)
      )`.execute(db);
    await sql`
      create table closing_filters (
        stream text not null, version integer not null, part integer not null, keys integer not null,
        bits bytea not null,
        primary key (stream, version, part)
      )`.execute(db);
    await sql`alter table closing_filters alter column bits set storage external`.execute(db);
  },
};
