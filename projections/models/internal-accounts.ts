import type { AccountType } from '../../src/domain/accounts/events.ts';
import type { OpenAccount } from '../../src/domain/accounts/state.ts';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { CustomerId, InternalAccountId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import { handlersOf, type Projection, platformOf } from '../projector/projection.ts';
import type { InternalAccountRow } from '../tables/accounts.ts';

type AccountEvents = Extract<
  DomainEvent,
  {
    type:
      | 'AccountOpened'
      | 'AccountDebited'
      | 'AccountCredited'
      | 'AccountStatusChanged'
      | 'WalletPrivacyChanged';
  }
>;
type EntryEvent = Extract<AccountEvents, { data: { entryId: string } }>;

const setBalance = ({ data }: EntryEvent, db: WriteDb) =>
  db
    .updateTable('internal_accounts')
    .set({ balance: data.balanceAfter, updated_at: data.at })
    .where('id', '=', data.accountId)
    .returning('id')
    .executeTakeFirstOrThrow();

export const internalAccounts: Projection = {
  name: 'internal-accounts',
  tables: ['internal_accounts'],
  project: handlersOf<AccountEvents>({
    AccountOpened: (event, db) => {
      const { accountId, customerId, accountType, currency, status, at } = event.data;
      return db
        .insertInto('internal_accounts')
        .values({
          id: accountId,
          platform_id: platformOf(event),
          customer_id: customerId,
          type: accountType,
          currency,
          status,
          balance: 0n,
          private_enabled: false,
          created_at: at,
          updated_at: at,
        })
        .execute();
    },
    AccountDebited: setBalance,
    AccountCredited: setBalance,
    AccountStatusChanged: ({ data }, db) =>
      db
        .updateTable('internal_accounts')
        .set({ status: data.status, updated_at: data.at })
        .where('id', '=', data.accountId)
        .returning('id')
        .executeTakeFirstOrThrow(),
    WalletPrivacyChanged: ({ data }, db) =>
      db
        .updateTable('internal_accounts')
        .set({ private_enabled: data.privateEnabled, updated_at: data.at })
        .where('id', '=', data.accountId)
        .returning('id')
        .executeTakeFirstOrThrow(),
  }),
};

/** The row of an account in a state that was just decided. */
export const rowOfAccount = (
  platformId: PlatformId,
  state: OpenAccount,
  privateEnabled = false,
): InternalAccountRow => ({
  id: state.accountId,
  platform_id: platformId,
  customer_id: state.customerId,
  type: state.accountType,
  currency: state.currency,
  status: state.status,
  balance: state.balance,
  private_enabled: privateEnabled,
  created_at: state.openedAt,
  updated_at: state.updatedAt,
});

export type InternalAccountFilters = {
  readonly currency?: string | undefined;
  readonly customerId?: CustomerId | undefined;
  readonly type?: AccountType | undefined;
  /** Only these. */
  readonly ids?: readonly InternalAccountId[] | undefined;
};

const filtered = (db: ReadDb, platformId: PlatformId, { currency, type, ids }: InternalAccountFilters) => {
  let query = db.selectFrom('internal_accounts').selectAll().where('platform_id', '=', platformId);
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
): Promise<Page<InternalAccountRow>> {
  const query = filtered(db, platformId, filters).where('customer_id', 'is not', null);
  const { customerId } = filters;
  return paginate(customerId ? query.where('customer_id', '=', customerId) : query, page, {
    ...filters,
    list: 'internal-accounts',
  });
}

/** The platform's own accounts, oldest first. */
export const listPlatformAccounts = (db: ReadDb, platformId: PlatformId, filters: InternalAccountFilters) =>
  filtered(db, platformId, filters)
    .where('customer_id', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
