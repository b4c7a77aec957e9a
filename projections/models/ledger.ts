import { type Selectable, sql } from 'kysely';
import { type Posting, postingsOf, type SystemAccount } from '../../src/domain/books/postings.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Projection, platformOf } from '../projector/projection.ts';
import type { LedgerBalancesTable } from '../tables/ledger.ts';

export const ledger: Projection = {
  name: 'ledger',
  tables: ['postings', 'ledger_balances'],
  async project(event, db) {
    const entry = postingsOf(event);
    if (entry.length === 0) return;
    const platformId = platformOf(event);
    const common = {
      position: event.position,
      event_id: event.id,
      platform_id: platformId,
      at: new Date(event.metadata.at),
    };
    await db
      .insertInto('postings')
      .values(entry.map((posting, n) => ({ ...common, n, ...posting })))
      .execute();
    await db
      .insertInto('ledger_balances')
      .values(sums(entry).map((sum) => ({ platform_id: platformId, ...sum })))
      .onConflict((conflict) =>
        conflict
          .columns(['platform_id', 'account', 'currency'])
          .doUpdateSet({ minor: sql`ledger_balances.minor + excluded.minor` }),
      )
      .execute();
  },
};

function sums(entry: readonly Posting[]) {
  const found = new Map<string, { account: SystemAccount | 'internal'; currency: string; minor: bigint }>();
  for (const { account, currency, minor } of entry) {
    const group = account.startsWith('InternalAccount:') ? 'internal' : (account as SystemAccount);
    const key = `${group} ${currency}`;
    found.set(key, { account: group, currency, minor: (found.get(key)?.minor ?? 0n) + minor });
  }
  return [...found.values()];
}

export type LedgerBalance = Pick<Selectable<LedgerBalancesTable>, 'account' | 'currency' | 'minor'>;

/** What each account of the books holds, per currency. Per currency the sum is zero, or the books are wrong. */
export const ledgerBalances = (db: ReadDb, platformId: PlatformId): Promise<readonly LedgerBalance[]> =>
  db
    .selectFrom('ledger_balances')
    .select(['account', 'currency', 'minor'])
    .where('platform_id', '=', platformId)
    .orderBy('currency')
    .orderBy('account')
    .execute();
