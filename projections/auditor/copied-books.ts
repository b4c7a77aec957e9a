/** The books as the read models have them, for who compares them with the log. */
import { type Selectable, sql } from 'kysely';
import { booksSchema } from '../../src/infrastructure/postgres/pool.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { loadCheckpoint, projectionsCheckpoint } from '../kept/checkpoints.ts';
import { internalAccounts } from '../models/internal-accounts.ts';
import { ledger } from '../models/ledger.ts';
import { transactions } from '../models/transactions.ts';
import { atOneMoment } from '../one-moment.ts';
import type { InternalAccountRow } from '../tables/accounts.ts';
import type { LedgerBalancesTable, PostingsTable } from '../tables/ledger.ts';
import { type CopiedCounts, copiedCounts } from './copied-payments.ts';

const pageMax = 5_000;

const models = [internalAccounts, ledger, transactions];
const needed = [...models.flatMap(({ tables }) => tables), 'checkpoints', 'followed_log', 'parked_work'];

/** Whether the role of the connection may read them; `none` where they, or some of their tables, are not there. */
export async function copiedBooksAt(db: ReadDb): Promise<'none' | 'closed' | 'readable'> {
  const { rows } = await sql<{ there: number; readable: number }>`
    select count(*)::int as there,
      (count(*) filter (
        where has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')))::int as readable
    from pg_namespace n join pg_class c on c.relnamespace = n.oid
    where n.nspname = ${booksSchema} and c.relname = any(${needed})`.execute(db);
  const [{ there = 0, readable = 0 } = {}] = rows;
  if (there < needed.length) return 'none';
  return readable === there ? 'readable' : 'closed';
}

export type CopiedAccount = InternalAccountRow;
export type CopiedPosting = Selectable<PostingsTable>;
export type CopiedSum = Selectable<LedgerBalancesTable>;

export type CopiedBooks = {
  /** Of the log, up to which they are copied. */
  readonly position: bigint;
  readonly accounts: ReadonlyMap<string, CopiedAccount>;
  readonly sums: readonly CopiedSum[];
  readonly payments: CopiedCounts;
  /** Streams whose rows are set aside: the rest does not say what the log says. */
  readonly parked: number;
};

/** As they are at one moment. */
export const copiedBooks = (db: ReadDb): Promise<CopiedBooks> =>
  atOneMoment(
    db,
    models.flatMap(({ tables }) => tables),
    async (transaction) => {
      const position = (await loadCheckpoint(transaction, projectionsCheckpoint)) ?? 0n;
      const accounts = await copiedAccounts(transaction);
      const sums = await transaction.selectFrom('ledger_balances').selectAll().execute();
      const payments = await copiedCounts(transaction);
      const names = models.map(({ name }) => name);
      const { parked } = await transaction
        .selectFrom('parked_work')
        .select(({ fn }) => fn.countAll<bigint>().as('parked'))
        .where('consumer', 'in', names)
        .executeTakeFirstOrThrow();
      return { position, accounts, sums, payments, parked: Number(parked) };
    },
  );

async function copiedAccounts(transaction: WriteDb): Promise<ReadonlyMap<string, CopiedAccount>> {
  const accounts = new Map<string, CopiedAccount>();
  for (let after: CopiedAccount | undefined; ; ) {
    const query = transaction.selectFrom('internal_accounts').selectAll();
    const page = await (after ? query.where('id', '>', after.id) : query)
      .orderBy('id')
      .limit(pageMax)
      .execute();
    for (const account of page) accounts.set(account.id, account);
    after = page.at(-1);
    if (!after || page.length < pageMax) return accounts;
  }
}

/** Up to a position that they have reached, in order. Rows that are there do not change, so each page is read by itself. */
export async function* copiedPostings(
  db: ReadDb,
  until: bigint,
): AsyncGenerator<CopiedPosting, undefined, undefined> {
  for (let after = { position: 0n, n: 0 }; ; ) {
    const page = await db
      .selectFrom('postings')
      .select(['position', 'n', 'event_id', 'platform_id', 'account', 'currency', 'minor'])
      .select(['at', 'happened_at', 'recorded_high', 'projected_after', 'transaction_id', 'balance', 'held'])
      .where(sql<boolean>`(position, n) > (${after.position}, ${after.n})`)
      .where('position', '<=', until)
      .orderBy('position')
      .orderBy('n')
      .limit(pageMax)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageMax) return undefined;
    after = last;
  }
}
