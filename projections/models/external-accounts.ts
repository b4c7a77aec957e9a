import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { ExternalAccountDetails } from '../../src/domain/external-accounts/external-account.ts';
import type { CustomerId, ExternalAccountId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import { handlersOf, type Projection, platformOf } from '../projector/projection.ts';
import type { ExternalAccountRow } from '../tables/accounts.ts';

type ExternalAccountEvents = Extract<
  DomainEvent,
  { type: 'ExternalAccountCreated' | 'ExternalAccountDeleted' }
>;

export const externalAccounts: Projection = {
  name: 'external-accounts',
  tables: ['external_accounts'],
  project: handlersOf<ExternalAccountEvents>({
    ExternalAccountCreated: async (event, db) => {
      const { customerId, defaultUmaDepositAccount, at } = event.data;
      if (customerId && defaultUmaDepositAccount) {
        await db
          .updateTable('external_accounts')
          .set({ default_uma_deposit_account: false, updated_at: at })
          .where('customer_id', '=', customerId)
          .where('default_uma_deposit_account', '=', true)
          .execute();
      }
      await db
        .insertInto('external_accounts')
        .values(toRow(platformOf(event), event.data))
        .execute();
    },
    ExternalAccountDeleted: ({ data }, db) =>
      db
        .updateTable('external_accounts')
        .set({ is_deleted: true, default_uma_deposit_account: false, updated_at: data.at })
        .where('id', '=', data.externalAccountId)
        .returning('id')
        .executeTakeFirstOrThrow(),
  }),
};

/** The row of an external account that was just registered. */
export const toRow = (platformId: PlatformId, details: ExternalAccountDetails): ExternalAccountRow => ({
  id: details.externalAccountId,
  platform_id: platformId,
  customer_id: details.customerId,
  platform_account_id: details.platformAccountId ?? null,
  currency: details.currency,
  account_info: details.accountInfo,
  ownership_type: details.ownershipType ?? null,
  default_uma_deposit_account: details.defaultUmaDepositAccount,
  status: details.status,
  verification_status: details.verification?.status ?? null,
  verified_name: details.verification?.fullName ?? null,
  is_deleted: false,
  created_at: details.at,
  updated_at: details.at,
});

/** Whose accounts a path shows: the customers' or the platform's own. */
export type Owner = 'customers' | 'platform';

const ownedBy = (db: ReadDb, platformId: PlatformId, owner: Owner) =>
  db
    .selectFrom('external_accounts')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('is_deleted', '=', false)
    .where('customer_id', owner === 'platform' ? 'is' : 'is not', null);

export const findExternalAccount = (
  db: ReadDb,
  platformId: PlatformId,
  owner: Owner,
  id: ExternalAccountId,
) => ownedBy(db, platformId, owner).where('id', '=', id).executeTakeFirst();

export type ExternalAccountFilters = {
  readonly currency?: string | undefined;
  readonly customerId?: CustomerId | undefined;
};

export function listExternalAccounts(
  db: ReadDb,
  platformId: PlatformId,
  owner: Owner,
  filters: ExternalAccountFilters,
  page: PageRequest,
): Promise<Page<ExternalAccountRow>> {
  const { currency, customerId } = filters;
  let query = ownedBy(db, platformId, owner);
  if (currency !== undefined) query = query.where('currency', '=', currency);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  return paginate(query, page, { ...filters, owner, list: 'external-accounts' });
}

/** The external account in this currency that takes a customer's incoming payments, if there is one. */
export async function defaultDepositAccount(
  db: ReadDb,
  platformId: PlatformId,
  customerId: CustomerId,
  currency: string,
): Promise<ExternalAccountId | undefined> {
  const row = await ownedBy(db, platformId, 'customers')
    .where('customer_id', '=', customerId)
    .where('currency', '=', currency)
    .where('default_uma_deposit_account', '=', true)
    .executeTakeFirst();
  return row?.id;
}
