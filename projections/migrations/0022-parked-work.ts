import { type Kysely, sql } from 'kysely';

/**
 * What follows from an event and failed: kept until it succeeds or an operator drops it. `consumer` is a read model,
 * `webhooks`, or `reactions`; `revision` is that of the event at which it failed.
 */
export const parkedWork = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table parked_work (
        consumer text not null, stream text not null, revision integer not null, position bigint not null,
        event_id text not null, type text not null, error text not null, attempts integer not null default 1,
        parked_at timestamptz not null default clock_timestamp(), next_try_at timestamptz not null,
        primary key (consumer, stream, revision)
      )`.execute(db);
    await sql`create index on parked_work (consumer, next_try_at)`.execute(db);
  },
};
