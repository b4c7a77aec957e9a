import { expressionBuilder, sql } from 'kysely';
import { rememberNewest } from '../../src/infrastructure/remembered/newest.ts';
import { askedTogether } from '../../src/infrastructure/scheduling/batches.ts';
import type { CustomerId, PlatformId, TransactionId } from '../../src/kernel/ids.ts';
import type { Database, ReadDb } from '../database.ts';
import { within } from '../dates.ts';
import { atOneMoment } from '../one-moment.ts';
import { type Page, type PageRequest, paginate, type SortOrder } from '../pagination.ts';
import type { TransactionRow } from '../tables/transactions.ts';
import { countByStatus, hasStatus } from './payments-by-status.ts';
import { type PaymentKey, type PaymentPages, paymentPages } from './transaction-pages.ts';
import { transactions } from './transactions.ts';

/** Many pages of them, at a kilobyte or two each. */
export const rememberedMax = 5_000;
/** Of one statement. */
const rowsTogetherMax = 1_000;
/** Of one moment. */
const pagesTogetherMax = 32;
/** Postgres gives each version of a row the number of the transaction that wrote it. */
const rowVersion = sql<string>`xmin::text`.as('version');

/** What was read of a payment. */
type Known = { readonly version: string; readonly row: TransactionRow };

/** The filters of `GET /transactions`; the dates are inclusive and on the time of creation. */
export type TransactionFilters = {
  readonly customerId?: CustomerId | undefined;
  readonly platformCustomerId?: string | undefined;
  readonly accountIdentifier?: string | undefined;
  readonly senderAccountIdentifier?: string | undefined;
  readonly receiverAccountIdentifier?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: 'INCOMING' | 'OUTGOING' | undefined;
  readonly reference?: string | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
};

export type ListTransactions = (
  platformId: PlatformId,
  filters: TransactionFilters,
  page: PageRequest,
  order: SortOrder,
) => Promise<Page<TransactionRow>>;

/** What a list shows of each payment comes from memory where its row is still the version that was read before. */
export function transactionLists(db: ReadDb): ListTransactions {
  const remembered = rememberNewest<TransactionId, Known>(rememberedMax);
  const pages = paymentPages(db);

  const read = askedTogether<TransactionId, Known | undefined>(rowsTogetherMax, async (wanted) => {
    const found = new Map((await readRows(db, [...new Set(wanted)])).map((known) => [known.row.id, known]));
    for (const [id, known] of found) remembered.set(id, known);
    return wanted.map((id) => found.get(id));
  });
  /** Taken from the answer: what is remembered may by then be what a slower reader has found before. */
  const rowOf = async ({ id, version }: PaymentKey): Promise<TransactionRow | undefined> => {
    const kept = remembered.get(id);
    const known = kept?.version === version ? kept : await read(id);
    return known?.version === version ? known.row : undefined;
  };
  const together = askedTogether<Asked, Page<TransactionRow>>(pagesTogetherMax, (all) => atOnce(db, all));
  return async (...asked) => {
    const { rows: keys, ...rest } = await keysOf({ db, pages }, asked);
    const rows = await Promise.all(keys.map(rowOf));
    if (rows.every((row) => row !== undefined)) return { ...rest, rows };
    // One has changed since its key was read: what was asked for, and counted, may be others by now.
    const [page] = isFiltered(asked) ? await atOnce(db, [asked]) : [await together(asked)];
    return page ?? { ...rest, rows: [] };
  };
}

/** The pages, keys and rows, as they are at one moment. */
const atOnce = (db: ReadDb, all: readonly Asked[]): Promise<readonly Page<TransactionRow>[]> =>
  atOneMoment(db, ['customers', ...transactions.tables], async (one) => {
    const pages = paymentPages(one);
    const found = await Promise.all(all.map((asked) => keysOf({ db: one, pages }, asked)));
    const ids = new Set(found.flatMap(({ rows }) => rows.map(({ id }) => id)));
    const rows = new Map((await readRows(one, [...ids])).map(({ row }) => [row.id, row]));
    return found.map((page) => ({ ...page, rows: page.rows.flatMap(({ id }) => rows.get(id) ?? []) }));
  });

async function readRows(db: ReadDb, ids: readonly TransactionId[]): Promise<readonly Known[]> {
  const found = await db
    .selectFrom('transactions')
    .selectAll()
    .select(rowVersion)
    .where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...ids]))))
    .execute();
  return found.map(({ version, ...row }) => ({ version, row }));
}

type Asked = Parameters<ListTransactions>;

/** By more than whose payments they are. */
const isFiltered = ([, { customerId: _whose, ...others }]: Asked): boolean =>
  Object.values(others).some((value) => value !== undefined);

const keysOf = (
  { db, pages }: { readonly db: ReadDb; readonly pages: PaymentPages },
  asked: Asked,
): Promise<Page<PaymentKey>> => {
  const [platformId, filters, page, order] = asked;
  return isFiltered(asked)
    ? filteredKeys(db, platformId, filters, page, order)
    : pages(platformId, filters.customerId, page, order);
};

function filteredKeys(
  db: ReadDb,
  platformId: PlatformId,
  filters: TransactionFilters,
  page: PageRequest,
  order: SortOrder,
): Promise<Page<PaymentKey>> {
  const { accountIdentifier: account, startDate, endDate } = filters;
  // The interface has one more, which no payment has.
  const status = filters.status as TransactionRow['status'] | undefined;
  const equal = [
    ['customer_id', filters.customerId],
    ['platform_customer_id', filters.platformCustomerId],
    ['type', filters.type],
    ['reference', filters.reference],
  ] as const;
  let query = db
    .selectFrom('transactions')
    .select(['id', 'created_at', rowVersion])
    .where('platform_id', '=', platformId);
  for (const [column, value] of equal) {
    if (value !== undefined) query = query.where(column, '=', value as never);
  }
  const { platformCustomerId } = filters;
  if (platformCustomerId !== undefined) {
    // A customer keeps the platform's id of it, and payments have an index by the customer.
    const named = db
      .selectFrom('customers')
      .select('id')
      .where('platform_id', '=', platformId)
      .where('platform_customer_id', '=', platformCustomerId);
    query = query.where(sql<boolean>`customer_id = any(array(${named}))`);
  }
  const { senderAccountIdentifier: sender, receiverAccountIdentifier: receiver } = filters;
  if (account !== undefined) query = query.where(hasEnd(platformId, account, ['sender', 'receiver']));
  if (sender !== undefined) query = query.where(hasEnd(platformId, sender, ['sender']));
  if (receiver !== undefined) query = query.where(hasEnd(platformId, receiver, ['receiver']));
  if (status) query = query.where(hasStatus(status));
  query = query.where(within({ createdAfter: startDate, createdBefore: endDate }));
  const counted = status && isByStatus(filters) ? countByStatus(db, platformId, status, filters) : undefined;
  return paginate(query, page, { ...filters, list: 'transactions' }, order, counted);
}

/** By nothing but it, and dates. */
const isByStatus = ({
  status: _status,
  startDate: _start,
  endDate: _end,
  ...others
}: TransactionFilters): boolean => Object.values(others).every((value) => value === undefined);

/** Its column, and the type of the payments whose customer stands there. */
const ends = {
  sender: { column: 'sender_account', type: 'OUTGOING' },
  receiver: { column: 'receiver_account', type: 'INCOMING' },
} as const;

/**
 * An account stands at one of these ends, or a payment address does: of somebody outside as it was paid, of a customer
 * here by all that the customer has paid or received.
 */
function hasEnd(platformId: PlatformId, identifier: string, at: readonly (keyof typeof ends)[]) {
  const { eb, or, and } = expressionBuilder<Database, 'transactions'>();
  if (!identifier.includes('@')) return or(at.map((end) => eb(ends[end].column, '=', identifier)));
  // Addresses are stored in lower case.
  const address = identifier.toLowerCase();
  const holders = sql<boolean>`customer_id = any(array(
    select id from customers where platform_id = ${platformId} and uma_address = ${address} and not is_deleted
  ))`;
  return or(
    at.flatMap((end) => {
      const { column, type } = ends[end];
      return [eb(column, '=', address), and([eb('type', '=', type), holders])];
    }),
  );
}
