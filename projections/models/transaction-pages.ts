/** Pages of the payments of a platform, or of one of its customers: those that are asked for at the same time are one statement. */
import { CompiledQuery } from 'kysely';
import { askedTogether } from '../../src/infrastructure/scheduling/batches.ts';
import type { CustomerId, PlatformId, TransactionId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import {
  type Page,
  type PageRequest,
  type PlaceInList,
  pageFrom,
  placeIn,
  type SortOrder,
} from '../pagination.ts';

/** Pages of one statement: with a hundred keys each they stay far below what one may take. */
const togetherMax = 64;

/** What tells a row's versions apart. */
export type PaymentKey = { readonly id: TransactionId; readonly created_at: Date; readonly version: string };

type Wanted = {
  readonly platformId: PlatformId;
  readonly customerId: CustomerId | undefined;
  readonly order: SortOrder;
  readonly after: PlaceInList['after'];
  /** At most this many keys. */
  readonly most: number;
};
type Found = { readonly keys: readonly PaymentKey[]; readonly total: number };

export type PaymentPages = (
  platformId: PlatformId,
  customerId: CustomerId | undefined,
  page: PageRequest,
  order: SortOrder,
) => Promise<Page<PaymentKey>>;

export function paymentPages(db: ReadDb): PaymentPages {
  const together = (order: SortOrder, isOfCustomer: boolean) => {
    const text = textOf(order, isOfCustomer);
    return askedTogether<Wanted, Found>(togetherMax, (wanted) => readAll(db, text, wanted));
  };
  const ofPlatform = { asc: together('asc', false), desc: together('desc', false) };
  const ofCustomer = { asc: together('asc', true), desc: together('desc', true) };
  return async (platformId, customerId, { limit, cursor }, order) => {
    const place = placeIn(cursor, { customerId, list: 'transactions' }, order);
    const ask = (customerId === undefined ? ofPlatform : ofCustomer)[order];
    const wanted = { platformId, customerId, order, after: place.after, most: limit + 1 };
    const { keys, total } = await ask(wanted);
    return pageFrom(keys, limit, place, total);
  };
}

const keyOf = ({ platformId, customerId, after, most }: Wanted): string =>
  `${platformId} ${customerId} ${after?.createdAt.getTime()} ${after?.id} ${most}`;

/** Where a list begins. */
const beforeAll = { asc: '-infinity', desc: 'infinity' } as const;

/**
 * One row for each page, whose keys are one text: of many rows most of the time goes into taking them apart. A customer
 * is of one platform: it is compared after the rows were found by the customer, where the planner cannot choose to go
 * through the platform's.
 */
const textOf = (order: SortOrder, isOfCustomer: boolean): string => `
  select coalesce((
      select total from transaction_totals s
      where s.platform_id = wanted.platform_id and s.customer_id = wanted.customer_id), 0) as total,
    (select string_agg(concat_ws(' ', id, version, at), ',' order by created_at ${order}, id ${order}) from (
      select id, platform_id, created_at, xmin as version, (extract(epoch from created_at) * 1000)::bigint as at
      from transactions t
      where t.${isOfCustomer ? 'customer_id = wanted.customer_id' : 'platform_id = wanted.platform_id'}
        and (t.created_at, t.id) ${order === 'asc' ? '>' : '<'} (wanted.after_at, wanted.after_id)
      order by created_at ${order}, id ${order} limit wanted.most
    ) as page where page.platform_id = wanted.platform_id) as keys
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::int[]) with ordinality
    as wanted (platform_id, customer_id, after_at, after_id, most, n)
  order by n`;

type Row = { readonly total: bigint; readonly keys: string | null };

/** The same page is read once for all who want it. */
async function readAll(db: ReadDb, text: string, wanted: readonly Wanted[]): Promise<readonly Found[]> {
  const pages = [...new Map(wanted.map((one) => [keyOf(one), one])).values()];
  const { rows } = await db.executeQuery<Row>(
    CompiledQuery.raw(text, [
      pages.map(({ platformId }) => platformId),
      pages.map(({ customerId = '' }) => customerId),
      pages.map(({ after, order }) => after?.createdAt.toISOString() ?? beforeAll[order]),
      pages.map(({ after }) => after?.id ?? ''),
      pages.map(({ most }) => most),
    ]),
  );
  const found = new Map(pages.map((page, n) => [keyOf(page), foundIn(rows[n])]));
  return wanted.map((one) => found.get(keyOf(one)) ?? nothing);
}

const nothing: Found = { keys: [], total: 0 };

function foundIn(row: Row | undefined): Found {
  if (!row) return nothing;
  const keys = (row.keys?.split(',') ?? []).map((text): PaymentKey => {
    const [id = '', version = '', at] = text.split(' ');
    return { id: id as TransactionId, version, created_at: new Date(Number(at)) };
  });
  return { keys, total: Number(row.total) };
}
