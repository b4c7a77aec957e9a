/** The fold of the log beside what the read models have copied from it. */
import type { CopiedBooks, CopiedPosting } from '../../../../../projections/auditor/copied-books.ts';
import { momentsOf } from '../../../../domain/books/clocks.ts';
import { type Posting, postingsOf } from '../../../../domain/books/postings.ts';
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import type { PlatformId } from '../../../../kernel/ids.ts';
import { Fault } from '../../verify/verify.mjs';
import { accountRows } from './account-rows.ts';
import { type Held, heldByPostings } from './held.ts';
import { orderOfRows } from './order-of-rows.ts';
import type { PaymentRows } from './payment-rows.ts';
import { ReadModelFault } from './read-model-fault.ts';

/** What was compared, or why nothing was. */
export type Compared =
  | {
      readonly compared: true;
      readonly position: bigint;
      readonly accounts: number;
      readonly postings: number;
      readonly payments: number;
    }
  | { readonly compared: false; readonly because: string };

/** Takes the events of the whole log, in order. Throws `ReadModelFault` where a read model says something else. */
export type Comparison = {
  readonly add: (event: StoredEvent) => Promise<void>;
  readonly result: () => Promise<Compared>;
};

export const postingColumns = [
  'event_id',
  'platform_id',
  'account',
  'currency',
  'minor',
  'transaction_id',
  'balance',
  'held',
  'at',
  'happened_at',
  'recorded_high',
  'projected_after',
] as const;

/** What balances and statements at a moment go by. Rows of former versions have the first alone. */
function momentsIn({ recorded_high: high }: CopiedPosting, { data, metadata }: StoredEvent) {
  const named = 'at' in data ? new Date(String(data.at)) : undefined;
  const { recorded: at, happened: happened_at } = momentsOf({ data: { at: named }, metadata });
  return { at, happened_at: high === null ? undefined : happened_at };
}

/** What an entry of an internal account has beside: the payment, and what the account holds after it. */
function entryIn({ recorded_high: high }: CopiedPosting, { data }: StoredEvent, balance: bigint | undefined) {
  if (high === null) return { transaction_id: undefined, balance: undefined };
  if (balance === undefined) return { transaction_id: null, balance: null };
  return { transaction_id: 'transactionId' in data ? data.transactionId : null, balance };
}

/** As it is compared, and told. */
const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** The rows of postings, each beside the posting of the log that it is copied from. */
function postingRows(rows: AsyncIterator<CopiedPosting, undefined>, held: Held) {
  const order = orderOfRows();
  return {
    reach: order.reach,
    leave: order.leave,
    /** `balance` is what an internal account holds after it. */
    async compare(
      event: StoredEvent,
      n: number,
      posting: Posting,
      balance: bigint | undefined,
    ): Promise<void> {
      const { position, id: event_id, metadata } = event;
      const { account, currency, minor } = posting;
      const { value: row } = await rows.next();
      const place = { readModel: 'postings', position, account, currency } as const;
      if (row && (row.position < position || (row.position === position && row.n < n))) throw surplus(row);
      if (row?.position !== position || row.n !== n)
        throw new ReadModelFault({ ...place, column: 'minor', copied: undefined, logged: minor }, event);
      const own = { event_id, platform_id: metadata.platformId as PlatformId, account, currency, minor };
      const after = { ...entryIn(row, event, balance), held: held.after(own, row) };
      const moments = momentsIn(row, event);
      const expected = { ...own, ...after, ...moments, ...order.of(row, moments.at) };
      for (const column of postingColumns) {
        const [copied, logged] = [plain(row[column]), plain(expected[column])];
        if (logged !== undefined && copied !== logged)
          throw new ReadModelFault({ ...place, column, copied, logged }, event);
      }
      order.passed(row, event);
    },
    async end(): Promise<void> {
      const { value: row } = await rows.next();
      if (row) throw surplus(row);
      order.end();
    },
  };
}

/** A row that is copied from nothing. */
const surplus = ({ position, account, currency, minor: copied }: CopiedPosting): ReadModelFault =>
  new ReadModelFault({
    readModel: 'postings',
    position,
    account,
    currency,
    column: 'minor',
    copied,
    logged: undefined,
  });

type Copied = {
  /** At one moment. */
  readonly books: CopiedBooks;
  /** Up to the position of that moment. */
  readonly postings: AsyncIterator<CopiedPosting, undefined>;
  readonly payments: PaymentRows;
};

/** With what was copied. Of what is not shown nothing is copied. */
export function comparison(
  { books, postings: rows, payments }: Copied,
  shown: (event: StoredEvent) => StoredEvent | undefined,
): Comparison {
  const reached = books.position;
  const accounts = accountRows();
  const held = heldByPostings();
  const copies = postingRows(rows, held);
  let [postings, last, isDone] = [0, 0n, false];

  const finish = async () => {
    isDone = true;
    await copies.end();
    accounts.end(books);
    const place = { readModel: 'ledger_balances', position: reached, column: 'minor' } as const;
    for (const difference of held.differences(books.sums))
      throw new ReadModelFault({ ...place, ...difference });
    await payments.end(reached, books.payments);
  };

  const addRows = async (event: StoredEvent, entry: readonly Posting[]) => {
    for (const [n, stored] of entry.entries()) {
      // The log has amounts as text.
      const posting = { ...stored, minor: BigInt(stored.minor) };
      const balance = accounts.post(posting.account, posting.minor);
      await copies.compare(event, n, posting, balance);
      postings += 1;
    }
  };

  return {
    async add(event) {
      if (isDone) return;
      if (event.position > reached) return finish();
      last = event.position;
      const current = shown(event);
      const entry = postingsOf(event);
      if (entry.length > 0) copies.reach(event);
      if (current) {
        accounts.add(current);
        await payments.add(current);
        await addRows(event, entry);
      }
      if (entry.length > 0) copies.leave(event);
    },
    async result() {
      if (!isDone && last < reached)
        throw new Fault(`the read models have come to position ${reached}, and the log ends at ${last}`);
      if (!isDone) await finish();
      return {
        compared: true,
        position: reached,
        accounts: accounts.count(),
        postings,
        payments: payments.count(),
      };
    },
  };
}
