import type { Selectable } from 'kysely';
import { momentsOf } from '../../src/domain/books/clocks.ts';
import { type Posting, postingsOf } from '../../src/domain/books/postings.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import { type AsOf, asOfColumn, withAsOf } from '../as-of.ts';
import type { ReadDb } from '../database.ts';
import { type Projection, platformOf } from '../projector/projection.ts';
import type { LedgerBalancesTable } from '../tables/ledger.ts';

export const ledger: Projection = {
  name: 'ledger',
  tables: ['postings', 'ledger_balances'],
  project(event, rows) {
    const entry = postingsOf(event);
    if (entry.length === 0) return;
    const platform_id = platformOf(event);
    const { recorded: at, happened: happened_at } = momentsOf(event);
    const { position, id: event_id } = event;
    for (const [n, { account, currency, minor }] of entry.entries()) {
      const booked = { position, n, event_id, platform_id, account, currency, minor, at, happened_at };
      rows.post({ ...booked, ...ownOf(event, account) });
    }
  },
};

/** What only an entry of an internal account has: no other stream changes its balance. */
function ownOf({ data }: Parameters<Projection['project']>[0], account: Posting['account']) {
  if (!account.startsWith('InternalAccount:') || !('balanceAfter' in data))
    return { transaction_id: null, balance: null };
  return { transaction_id: data.transactionId, balance: data.balanceAfter };
}

export type LedgerBalance = Pick<Selectable<LedgerBalancesTable>, 'account' | 'currency' | 'minor'>;

/** What each account of the books holds, per currency. Per currency the sum is zero, or the books are wrong. */
export const ledgerBalances = (db: ReadDb, platformId: PlatformId): Promise<AsOf<readonly LedgerBalance[]>> =>
  withAsOf(db, ['ledger_balances'], async (one) => ({
    rows: await one
      .selectFrom('ledger_balances')
      .select(['account', 'currency', 'minor', asOfColumn])
      .where('platform_id', '=', platformId)
      .orderBy('currency')
      .orderBy('account')
      .execute(),
  }));
