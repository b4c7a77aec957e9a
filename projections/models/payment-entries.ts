/** Which entries of accounts belong to a payment. */
import { sql } from 'kysely';
import type { InternalAccountId, PlatformId, TransactionId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { requireComplete } from './ledger-at.ts';

/** Entries of an account that are looked through before and after each of the places. */
export const entriesMax = 5_000;

export type PaymentEntry = { readonly position: bigint; readonly account: InternalAccountId };

type Wanted = {
  readonly platformId: PlatformId;
  readonly transactionId: TransactionId;
  readonly accounts: readonly InternalAccountId[];
  /** Positions of the log. */
  readonly near: readonly bigint[];
};

/**
 * In the order of the log. Postings have no index by payment: those near the places are looked through. Throws `Rejected`
 * (503) where rows of a former version are not filled in yet.
 */
export async function entriesOfPayment(db: ReadDb, wanted: Wanted): Promise<readonly PaymentEntry[]> {
  await requireComplete(db);
  const { platformId, transactionId, accounts, near } = wanted;
  const of = sql`p.account = a.account and p.account like 'InternalAccount:%'`;
  const { rows } = await sql<PaymentEntry>`
    select distinct e.position, e.account
    from unnest(${[...accounts]}::text[]) as a (account) cross join unnest(${near.map(String)}::bigint[]) as n (place)
    cross join lateral (
      (select p.* from postings p where ${of} and p.position >= n.place order by p.position limit ${entriesMax})
      union all
      (select p.* from postings p where ${of} and p.position < n.place order by p.position desc limit ${entriesMax})
    ) e
    where e.transaction_id = ${transactionId} and e.platform_id = ${platformId}
    order by e.position limit 100`.execute(db);
  return rows;
}
