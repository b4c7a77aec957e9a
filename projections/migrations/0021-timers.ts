import { type Kysely, sql } from 'kysely';

/** A timer that did not end what it is about is looked at again later and later. */
export const timerLooks = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table timers add column looks int not null default 0, add column look_at timestamptz`.execute(db);
    await sql`create index timers_first on timers (due_at, subject) where looks = 0`.execute(db);
    await sql`create index timers_again on timers (look_at, subject) where looks > 0`.execute(db);
    await sql`drop index timers_due_at_idx`.execute(db);
    // Payments that were on their way to the rail had none, and some of them stood still.
    await sql`
      insert into timers (subject, platform_id, kind, due_at)
      select id, platform_id, 'check-payment', now() from transactions
      where status = 'PROCESSING' or (status = 'PENDING' and quote_id is null and source ->> 'kind' <> 'UMA_ADDRESS')
      on conflict do nothing`.execute(db);
  },
};
