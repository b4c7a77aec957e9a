import type { Selectable } from 'kysely';
import { type Posting, postingsOf, type SystemAccount } from '../../src/domain/books/postings.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import { type AsOf, asOfColumn, asOfRows } from '../as-of.ts';
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
    const at = new Date(event.metadata.at);
    for (const [n, { account, currency, minor }] of entry.entries()) {
      const { position, id: event_id } = event;
      rows.put('postings', { position, n, event_id, platform_id, account, currency, minor, at });
      rows.add({ platform_id, account: groupOf(account), currency, minor });
    }
  },
};

const groupOf = (account: Posting['account']): SystemAccount | 'internal' =>
  account.startsWith('InternalAccount:') ? 'internal' : (account as SystemAccount);

export type LedgerBalance = Pick<Selectable<LedgerBalancesTable>, 'account' | 'currency' | 'minor'>;

/** What each account of the books holds, per currency. Per currency the sum is zero, or the books are wrong. */
export async function ledgerBalances(
  db: ReadDb,
  platformId: PlatformId,
): Promise<AsOf<readonly LedgerBalance[]>> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['account', 'currency', 'minor', asOfColumn])
    .where('platform_id', '=', platformId)
    .orderBy('currency')
    .orderBy('account')
    .execute();
  return { rows, asOf: await asOfRows(db, rows) };
}
