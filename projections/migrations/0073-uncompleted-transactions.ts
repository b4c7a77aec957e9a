import { type Kysely, sql } from 'kysely';

/**
 * Where payments stand that are not completed, in place of an index of all payments by status: with it, each change of a
 * status changed every index of the table.
 */
export const uncompletedTransactions = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table uncompleted_transactions (
        platform_id text not null, status text not null, created_at timestamptz not null, id text not null,
        primary key (platform_id, status, created_at, id)
      )`.execute(db);
    await sql`
      insert into uncompleted_transactions
        select platform_id, status, created_at, id from transactions where status <> 'COMPLETED'`.execute(db);
    await sql`drop index transactions_platform_id_status_created_at_id_idx`.execute(db);
  },
};
