import { type Kysely, sql } from 'kysely';

/**
 * What accounts hold back. Of rows that are there those of frozen accounts get it, where the log is in this database: a
 * stream is found by its name. What an account holds for want of room comes with its next event, or with a rebuild of
 * `internal-accounts`.
 */
export const heldCredits = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table internal_accounts add column held numeric not null default 0`.execute(db);
    const { rows } = await sql<{ log: string | null }>`
      select to_regclass('daybook_log.events') as log`.execute(db);
    if (!rows[0]?.log) return;
    await sql`
      update internal_accounts a set held = (
        select coalesce(sum((e.data -> 'amount' ->> 'minor')::numeric), 0) from daybook_log.events e
        where e.stream = replace(a.id, 'InternalAccount:', 'account-') and e.type = 'CreditHeld' and not exists (
          select from daybook_log.events c
          where c.stream = e.stream and c.type = 'AccountCredited' and c.data ->> 'entryId' = e.data ->> 'entryId'))
      where status = 'FROZEN'`.execute(db);
  },
};
