/** The events of a payment: those of its own stream, and those of the accounts that it took from and gave to. */
import { daybook, type HistoryEntry, type Transaction } from './client.ts';

const limit = 100;
/** Of an account with a longer history the first ones are looked through. */
const pagesMax = 20;

const accountsOf = ({ source, destination }: Transaction): readonly string[] =>
  [source, destination].flatMap((end) =>
    'accountId' in end && end.accountId.startsWith('InternalAccount:') ? [end.accountId] : [],
  );

async function entriesOf(accountId: string, payment: Transaction, signal: AbortSignal) {
  const path = { accountId };
  const query = { from: payment.createdAt, clock: 'happened', limit } as const;
  const statement = await daybook.getStatement({ path, query, signal });
  const ids = statement.data.filter(({ transactionId }) => transactionId === payment.id);
  const wanted = new Set(ids.map(({ eventId }) => eventId));
  const found: HistoryEntry[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax && found.length < wanted.size; page += 1) {
    const history = await daybook.getInternalAccountHistory({
      path,
      query: { limit, ...(cursor && { cursor }) },
      signal,
    });
    found.push(...history.data.filter(({ eventId }) => wanted.has(eventId)));
    cursor = history.nextCursor;
    if (!cursor) break;
  }
  return found;
}

export type Life = {
  /** Of the payment's own stream. */
  readonly own: readonly HistoryEntry[];
  /** With those of its accounts, in the order of the log. */
  readonly all: readonly HistoryEntry[];
};

export async function lifeOf(payment: Transaction, signal: AbortSignal): Promise<Life> {
  const path = { transactionId: payment.id };
  const [{ data: own }, ...ofAccounts] = await Promise.all([
    daybook.getTransactionHistory({ path, query: { limit }, signal }),
    ...accountsOf(payment).map((account) => entriesOf(account, payment, signal)),
  ]);
  const all = [...own, ...ofAccounts.flat()].toSorted((a, b) =>
    Number(BigInt(a.position) - BigInt(b.position)),
  );
  return { own, all };
}
