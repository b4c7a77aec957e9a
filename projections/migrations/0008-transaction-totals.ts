import { type Kysely, sql } from 'kysely';

/** How many payments there are, so that a page need not count them: of a platform, and of each of its customers. */
export const transactionTotals = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table transaction_totals (
        platform_id text not null, customer_id text not null, total bigint not null,
        primary key (platform_id, customer_id)
      ) with (fillfactor = 50)`.execute(db);
    // Names are looked up in the schemas of the connection: a rebuild counts in the tables that it fills.
    await sql`
      create function count_transactions() returns trigger language plpgsql as $$
      begin
        insert into transaction_totals as t (platform_id, customer_id, total)
          select n.platform_id, c.customer_id, count(*)
          from added n cross join lateral (values (''), (n.customer_id)) as c (customer_id)
          where c.customer_id is not null group by 1, 2 order by 1, 2
        on conflict (platform_id, customer_id) do update set total = t.total + excluded.total;
        return null;
      end $$`.execute(db);
    // The projector of an older version may be at work: it waits, and what it adds afterwards is counted.
    await sql`lock table transactions in share row exclusive mode`.execute(db);
    await sql`
      insert into transaction_totals
        select t.platform_id, c.customer_id, count(*)
        from transactions t cross join lateral (values (''), (t.customer_id)) as c (customer_id)
        where c.customer_id is not null group by 1, 2`.execute(db);
    await sql`
      create trigger transactions_are_counted after insert on transactions
      referencing new table as added for each statement execute function count_transactions()`.execute(db);
  },
};
