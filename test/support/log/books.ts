/** What the log and the books say of a payment, read beside the interface. */
import { expect } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.ts';
import type { Client, Json } from '../http/client.ts';
import { query } from '../postgres/database.ts';
import { eventually, expectStatus } from '../resources/flows.ts';

type Recorded = { readonly type: string; readonly data: Json };

/** The events of a payment's own stream, oldest first. */
export const eventsOf = (url: string, transactionId: string): Promise<Recorded[]> =>
  query<Recorded>(url, 'select type, data from daybook_log.events where stream = $1 order by revision', [
    `transaction-${uuidOf(transactionId)}`,
  ]);

const statusAfter: Readonly<Record<string, string>> = {
  QuoteCreated: 'PENDING',
  TransferCreated: 'PENDING',
  IncomingPaymentCreated: 'PENDING',
  DepositReceived: 'COMPLETED',
  TransactionProcessing: 'PROCESSING',
  FundsReceived: 'PROCESSING',
  PaymentApproved: 'PROCESSING',
  CreditDue: 'PROCESSING',
  TransactionCompleted: 'COMPLETED',
  TransactionFailed: 'FAILED',
  PaymentReturned: 'FAILED',
  TransactionRejected: 'REJECTED',
  TransactionCancelled: 'REFUNDED',
  TransactionExpired: 'EXPIRED',
};

const statusOf = ({ type, data }: Recorded) =>
  type === 'PaymentSubmitted' && data.underway ? 'PROCESSING' : statusAfter[type];

/** The statuses that a payment went through, each once in a row. */
export async function statusesOf(url: string, transactionId: string): Promise<string[]> {
  const statuses = (await eventsOf(url, transactionId))
    .map(statusOf)
    .filter((status) => status !== undefined);
  return statuses.filter((status, n) => status !== statuses[n - 1]);
}

/** What all postings of a payment have left on an account of the books, per currency; nothing where it is zero. */
export async function heldBy(url: string, transactionId: string, account: string) {
  const rows = await query<{ currency: string; minor: string }>(
    url,
    `select posting ->> 'currency' as currency, sum((posting ->> 'minor')::numeric)::text as minor
       from daybook_log.events, jsonb_array_elements(data -> 'postings') as posting
      where data ->> 'transactionId' = $1 and posting ->> 'account' = $2 group by 1`,
    [transactionId, account],
  );
  const held = rows.filter(({ minor }) => minor !== '0');
  return Object.fromEntries(held.map(({ currency, minor }) => [currency, Number(minor)]));
}

export const inFlightOf = (url: string, transactionId: string) => heldBy(url, transactionId, 'in-flight');

/** The lines of the trial balance that do not add up to zero. */
export async function unbalanced(client: Client): Promise<Json[]> {
  const { data } = expectStatus(await client.get('/platform/trial-balance'), 200);
  if (data.length === 0) throw new Error('the books are empty');
  return data.filter(({ total }: Json) => BigInt(total) !== 0n);
}

export const transactionOf = async (client: Client, id: string): Promise<Json> =>
  expectStatus(await client.get(`/transactions/${id}`), 200);

/** The transaction once it has this status and no refund is open. */
export const untilEnded = (client: Client, id: string, status: string, timeoutMs?: number): Promise<Json> =>
  eventually(
    () => transactionOf(client, id),
    (transaction) => transaction.status === status && transaction.refund?.status !== 'PENDING',
    timeoutMs,
  );

/** Waits until a payment has gone through these statuses; then nothing is in flight and the platform's books are balanced. */
export async function expectEnded(
  databaseUrl: string,
  client: Client,
  { id }: Json,
  statuses: readonly string[],
): Promise<Json> {
  const ended = await untilEnded(client, id, statuses.at(-1) ?? '');
  expect(await statusesOf(databaseUrl, id)).toEqual(statuses);
  expect(await inFlightOf(databaseUrl, id)).toEqual({});
  expect(await unbalanced(client)).toEqual([]);
  return ended;
}

/** The number of transactions of the platform. */
export const transactionCount = async (client: Client): Promise<number> =>
  expectStatus(await client.get('/transactions', { limit: '1' }), 200).totalCount;
