/** What the log says of the rows of a payment, and where a row says something else. */
import { isDeepStrictEqual } from 'node:util';
import { rowOfPayment, rowOfReceivingSide } from '../../../../../projections/models/transaction-row.ts';
import type { TransactionRow } from '../../../../../projections/tables/transactions.ts';
import type { Payment } from '../../../../domain/payments/life/progress.ts';
import { receivingSideOf } from '../../../../domain/payments/receiving-side.ts';
import type { TransactionId } from '../../../../kernel/ids.ts';
import { isObject, stringify } from '../../../../kernel/json.ts';

/** Texts about persons are left out: in the log they are sealed. */
export const paymentColumns = [
  'quote_id',
  'platform_id',
  'type',
  'status',
  'customer_id',
  'platform_customer_id',
  'agent_id',
  'source',
  'destination',
  'sender_account',
  'receiver_account',
  'sent_minor',
  'sent_currency',
  'received_minor',
  'received_currency',
  'fees',
  'exchange_rate',
  'rate_details',
  'reference',
  'pending_reason',
  'failure_reason',
  'refund',
  'expires_at',
  'settled_at',
  'receipt_delivery_confirmed_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof TransactionRow)[];
type Column = (typeof paymentColumns)[number];

/** Without what cannot be told from the payment's own events. */
export type ExpectedRow = Pick<TransactionRow, 'id'> & Partial<Pick<TransactionRow, Column>>;

/** Those of the payment, and of the side that receives it. */
export function expectedRows(state: Payment): readonly ExpectedRow[] {
  const side = receivingSideOf(state);
  const own = withoutAddresses(rowOfPayment(state), state);
  if (!side) return [own];
  if (side.recipient) return [own, withoutAddresses(rowOfReceivingSide(state, side, side.recipient), state)];
  const unnamed = rowOfReceivingSide(state, side, { customerId: null, platformCustomerId: null });
  const { customer_id: _, platform_customer_id: _own, ...row } = withoutAddresses(unnamed, state);
  return [own, row];
}

/** A payment address is sealed as well. */
function withoutAddresses(row: TransactionRow, { terms }: Payment): ExpectedRow {
  const { source, sender_account, destination, receiver_account, ...rest } = row;
  return {
    ...rest,
    ...(source.kind !== 'UMA_ADDRESS' && { source }),
    ...(destination.kind !== 'UMA_ADDRESS' && { destination }),
    ...(terms.source.kind !== 'UMA_ADDRESS' && { sender_account }),
    ...(terms.destination.kind !== 'UMA_ADDRESS' && { receiver_account }),
  };
}

type Difference = {
  readonly transactionId: TransactionId;
  readonly column: Column;
  readonly copied: unknown;
  readonly logged: unknown;
};

/** The first place that is not as the log has it. */
export function differenceIn(
  expected: readonly ExpectedRow[],
  copied: ReadonlyMap<string, TransactionRow>,
): Difference | undefined {
  for (const row of expected) {
    const there = copied.get(row.id);
    const column = there ? paymentColumns.find((name) => differs(name, row, there)) : 'status';
    if (column)
      return { transactionId: row.id, column, copied: told(there?.[column]), logged: told(row[column]) };
  }
  return undefined;
}

const differs = (column: Column, expected: ExpectedRow, copied: TransactionRow): boolean =>
  column in expected && !isDeepStrictEqual(plain(expected[column]), plain(copied[column]));

/** As JSON has it, whatever the order of its members. */
const plain = (value: unknown): unknown => (isObject(value) ? JSON.parse(stringify(value)) : value);
const told = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString();
  return isObject(value) ? stringify(value) : value;
};
