import { describe, expect, it } from 'vitest';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import { uuidOf } from '../../src/kernel/ids.ts';
import { query } from '../support/database.ts';
import { eventually, expectStatus, payoutParties, quoteBody, untilTransaction } from '../support/flows.ts';
import { fickleRail } from '../support/mixed-traffic.ts';
import { serviceOfTests } from '../support/service.ts';

/** A rail that is out of order for payments of one amount. */
const broken = { is: true };
const rail: PaymentRail = {
  ...fickleRail,
  submit: async (payment) => {
    if (broken.is && payment.amount.minor === 777n) throw new TypeError('the rail is out of order');
    return fickleRail.submit(payment);
  },
};

const service = serviceOfTests({ rail });
const { client } = service;

type Row = {
  readonly consumer: string;
  readonly type: string;
  readonly error: string;
  readonly attempts: number;
};
const parked = (transactionId: string) =>
  query<Row>(
    service.databaseUrl,
    'select consumer, type, error, attempts from daybook.parked_work where stream = $1',
    [`transaction-${uuidOf(transactionId)}`],
  );

const payOut = async (amount: number) => {
  const { account, payee } = await payoutParties(client, 100_000);
  const locked = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: amount };
  const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id, locked)), 201);
  expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
  return quote.transactionId;
};

describe('an event whose reaction fails', () => {
  it('is kept and tried again, while everything else goes on', async () => {
    const stuck = await payOut(777);
    const [row] = await eventually(
      () => parked(stuck),
      ([first]) => (first?.attempts ?? 0) > 1,
    );
    expect(row).toMatchObject({
      consumer: 'reactions',
      type: 'TransactionProcessing',
      error: 'TypeError: the rail is out of order',
    });
    await untilTransaction(client, await payOut(500), 'COMPLETED');
    expect((await client.get(`/transactions/${stuck}`)).body.status).toBe('PROCESSING');
    await eventually(
      async () => (await fetch(new URL('/metrics', service.url))).text(),
      (text) => text.includes('daybook_parked{consumer="reactions"} 1'),
    );
    broken.is = false;
    await untilTransaction(client, stuck, 'COMPLETED');
    await eventually(
      () => parked(stuck),
      (rows) => rows.length === 0,
    );
  });
});
