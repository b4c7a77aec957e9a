/** What is still under way: of a customer, and the longest. */
import { sql } from 'kysely';
import type { CustomerId, InternalAccountId, PlatformId, TransactionId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';

/** Of each account so many of the last entries are looked at for a debit whose payment has not begun. */
const lastEntries = 100;

/**
 * Payments of a customer whose money is on its way, to or from it, refunds included: so many of them at most. What others
 * pay to its external accounts is on its way to it, too. Quotes that nobody has paid for are none.
 */
export async function openPaymentsOf(
  db: ReadDb,
  platformId: PlatformId,
  customerId: CustomerId,
  accountIds: readonly InternalAccountId[],
  limit: number,
): Promise<readonly TransactionId[]> {
  const found = await db
    .selectFrom('transactions')
    .select('id')
    .where('platform_id', '=', platformId)
    .where(({ eb, or, val }) =>
      or([
        eb('customer_id', '=', customerId),
        eb('sender_account', '=', eb.fn.any(val([...accountIds]))),
        eb('receiver_account', '=', eb.fn.any(val([...accountIds]))),
        // The accounts are found first, so that the index of the payments is asked for them.
        sql<boolean>`receiver_account = any(array(select id from external_accounts where customer_id = ${customerId}))`,
      ]),
    )
    .where(({ eb, and, or }) =>
      or([
        eb('status', '=', 'PROCESSING'),
        and([eb('status', '=', 'PENDING'), eb('quote_id', 'is', null)]),
        sql<boolean>`refund ->> 'status' = 'PENDING'`,
      ]),
    )
    .limit(limit)
    .execute();
  const debited = await justDebited(db, accountIds);
  return [...new Set([...found.map(({ id }) => id), ...debited])].slice(0, limit);
}

/** A debit comes before the first event of the payment that it begins, and before that of the quote that it pays. */
async function justDebited(
  db: ReadDb,
  accountIds: readonly InternalAccountId[],
): Promise<readonly TransactionId[]> {
  const { rows } = await sql<{ id: TransactionId }>`
    select e.transaction_id as id
    from unnest(${[...accountIds]}::text[]) as a (account)
    cross join lateral (
      select p.transaction_id, p.minor from postings p
      where p.account = a.account and p.account like 'InternalAccount:%' order by p.position desc limit ${lastEntries}
    ) e
    left join transactions t on t.id = e.transaction_id
    where e.minor < 0 and e.transaction_id is not null
      and (t.id is null or (t.quote_id is not null and t.status in ('PENDING', 'EXPIRED') and t.refund is null))`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * When the payment was created that is under way the longest, of all platforms but these. One that waits for its platform
 * to approve it is not under way. Each platform is two looks into an index.
 */
export async function oldestUnderWay(db: ReadDb, except: readonly string[]): Promise<Date | undefined> {
  const { rows } = await sql<{ oldest: Date | null }>`
    with recursive p (id) as (
      (select platform_id from uncompleted_transactions order by platform_id limit 1)
      union all
      select (select u.platform_id from uncompleted_transactions u where u.platform_id > p.id order by 1 limit 1)
      from p where p.id is not null
    )
    select min(created_at) as oldest from p cross join lateral (
      (select created_at from uncompleted_transactions
       where platform_id = p.id and status = 'PROCESSING' order by created_at limit 1)
      union all
      (select u.created_at from uncompleted_transactions u join transactions t on t.id = u.id
       where u.platform_id = p.id and u.status = 'PENDING'
         and t.quote_id is null and t.source ->> 'kind' <> 'UMA_ADDRESS'
       order by u.created_at limit 1)
    ) first
    where p.id <> all(${[...except]}::text[])`.execute(db);
  return rows[0]?.oldest ?? undefined;
}
