import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import type { RegisteredExternalAccount } from '../../src/domain/external-accounts/external-account.ts';
import type { CustomerId, ExternalAccountId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { Projection } from '../projector/projection.ts';
import type { Rows } from '../projector/rows.ts';
import type { ExternalAccountRow } from '../tables/accounts.ts';

export const externalAccounts: Projection = {
  name: 'external-accounts',
  tables: ['external_accounts'],
  project: (event, rows) =>
    event.of === 'externalAccount' && event.state.kind === 'registered'
      ? change(event, event.state, rows)
      : undefined,
};

async function change(event: FollowedEvent, account: RegisteredExternalAccount, rows: Rows): Promise<void> {
  const { customerId, defaultUmaDepositAccount, at } = account.details;
  // The newest default of a customer is the only one.
  if (event.type === 'ExternalAccountCreated' && customerId && defaultUmaDepositAccount) {
    await rows.now((db) => leaveNoDefault(db, customerId, at));
  }
  // Which account is the default is not in its own stream alone: that column stays as it is.
  if (event.type === 'ExternalAccountStatusChanged') {
    const { externalAccountId, status } = event.data;
    const changed = { status, updated_at: event.data.at };
    await rows.now((db) =>
      db.updateTable('external_accounts').set(changed).where('id', '=', externalAccountId).execute(),
    );
    return;
  }
  rows.put('external_accounts', rowOfExternalAccount(account));
}

/** None of the customer's accounts is the default from then on. */
export const leaveNoDefault = (db: ReadDb, customerId: CustomerId, at: Date) =>
  db
    .updateTable('external_accounts')
    .set({ default_uma_deposit_account: false, updated_at: at })
    .where('customer_id', '=', customerId)
    .where('default_uma_deposit_account', '=', true)
    .execute();

/** The row of an external account in a state. */
export const rowOfExternalAccount = (account: RegisteredExternalAccount): ExternalAccountRow => {
  const { details, isDeleted, updatedAt } = account;
  return {
    id: details.externalAccountId,
    platform_id: details.platformId,
    customer_id: details.customerId,
    platform_account_id: details.platformAccountId ?? null,
    currency: details.currency,
    account_info: details.accountInfo,
    ownership_type: details.ownershipType ?? null,
    default_uma_deposit_account: details.defaultUmaDepositAccount && !isDeleted,
    status: details.status,
    verification_status: details.verification?.status ?? null,
    verified_name: details.verification?.fullName ?? null,
    is_deleted: isDeleted,
    created_at: details.at,
    updated_at: updatedAt,
  };
};

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

/** The row of one account, which is there. */
export const readExternalAccount = (db: ReadDb, id: ExternalAccountId): Promise<ExternalAccountRow> =>
  db.selectFrom('external_accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Whether the account is its owner's default; `undefined` where there is no row of it yet. */
export async function isDefaultAccount(db: ReadDb, id: ExternalAccountId): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('external_accounts')
    .select('default_uma_deposit_account')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.default_uma_deposit_account;
}

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

/** Which of the accounts are the customer's, and are there. */
export async function externalAccountsOfCustomer(
  db: ReadDb,
  platformId: PlatformId,
  customerId: CustomerId,
  ids: readonly ExternalAccountId[],
): Promise<readonly string[]> {
  const rows = await ownedBy(db, platformId, 'customers')
    .where('customer_id', '=', customerId)
    .where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...ids]))))
    .execute();
  return rows.map(({ id }) => id);
}

/** The external account in this currency that takes a customer's incoming payments, if there is one that can be paid. */
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
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();
  return row?.id;
}
