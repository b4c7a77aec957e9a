import { sql } from 'kysely';
import type { AccountType } from '../../src/domain/accounts/events.ts';
import type { OpenAccount } from '../../src/domain/accounts/state.ts';
import type { CustomerId, InternalAccountId, PlatformId } from '../../src/kernel/ids.ts';
import { type AsOf, asOfColumn, withAsOf } from '../as-of.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { Projection } from '../projector/projection.ts';
import type { InternalAccountRow } from '../tables/accounts.ts';

export const internalAccounts: Projection = {
  name: 'internal-accounts',
  tables: ['internal_accounts'],
  project(event, rows) {
    if (event.of === 'account' && event.state.status !== 'none')
      rows.put('internal_accounts', columnsOf(event.state));
    if (event.type !== 'WalletPrivacyChanged') return undefined;
    const { accountId, privateEnabled, at } = event.data;
    return rows
      .now((db) =>
        db
          .updateTable('internal_accounts')
          .set({ private_enabled: privateEnabled, updated_at: sql`greatest(updated_at, ${at}::timestamptz)` })
          .where('id', '=', accountId)
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
      .then(() => undefined);
  },
};

/** All but what the wallet's stream says. */
const columnsOf = (state: OpenAccount): Omit<InternalAccountRow, 'private_enabled'> => ({
  id: state.accountId,
  platform_id: state.platformId,
  customer_id: state.customerId,
  type: state.accountType,
  currency: state.currency,
  status: state.status,
  balance: state.balance,
  held: state.held.minor,
  created_at: state.openedAt,
  updated_at: state.updatedAt,
});

/** The row of an account in a state. */
export const rowOfAccount = (state: OpenAccount, privateEnabled = false): InternalAccountRow => ({
  ...columnsOf(state),
  private_enabled: privateEnabled,
});

/** The row of one account, which is there. */
export const readAccount = (db: ReadDb, id: InternalAccountId): Promise<InternalAccountRow> =>
  db.selectFrom('internal_accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export type InternalAccountFilters = {
  readonly currency?: string | undefined;
  readonly customerId?: CustomerId | undefined;
  readonly type?: AccountType | undefined;
  /** Only these. */
  readonly ids?: readonly InternalAccountId[] | undefined;
};

/** With the position up to which each row holds. */
const filtered = (db: ReadDb, platformId: PlatformId, { currency, type, ids }: InternalAccountFilters) => {
  let query = db
    .selectFrom('internal_accounts')
    .selectAll()
    .select(asOfColumn)
    .where('platform_id', '=', platformId);
  if (currency !== undefined) query = query.where('currency', '=', currency);
  if (type !== undefined) query = query.where('type', '=', type);
  if (ids) query = query.where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...ids]))));
  return query;
};

export function listCustomerAccounts(
  db: ReadDb,
  platformId: PlatformId,
  filters: InternalAccountFilters,
  page: PageRequest,
): Promise<AsOf<Page<InternalAccountRow>['rows']> & Page<InternalAccountRow>> {
  const { customerId } = filters;
  return withAsOf(db, ['internal_accounts'], (one) => {
    const ofCustomers = filtered(one, platformId, filters).where('customer_id', 'is not', null);
    const query = customerId ? ofCustomers.where('customer_id', '=', customerId) : ofCustomers;
    return paginate(query, page, { ...filters, list: 'internal-accounts' });
  });
}

/** Which of the accounts are the customer's. */
export async function accountsOfCustomer(
  db: ReadDb,
  platformId: PlatformId,
  customerId: CustomerId,
  ids: readonly InternalAccountId[],
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('internal_accounts')
    .select('id')
    .where('platform_id', '=', platformId)
    .where('customer_id', '=', customerId)
    .where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...ids]))))
    .execute();
  return rows.map(({ id }) => id);
}

/** The platform's own accounts, oldest first. */
export const listPlatformAccounts = (
  db: ReadDb,
  platformId: PlatformId,
  filters: InternalAccountFilters,
): Promise<AsOf<readonly InternalAccountRow[]>> =>
  withAsOf(db, ['internal_accounts'], async (one) => ({
    rows: await filtered(one, platformId, filters)
      .where('customer_id', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  }));
