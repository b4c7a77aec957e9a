import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bankThatHas, euroPayment, paymentIdOf, sterlingPayment } from '../../support/bank/bank.ts';

const fileOf = (name: string) => readFileSync(join(import.meta.dirname, 'statements', name), 'utf8');

describe('a file made by hand in the way of a bank', () => {
  it('in Germany settles an order as one, credits what was collected, and brings a payment back', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const order = bank.names('sent')[0]?.replace('.xml', '') ?? '';
    const text = fileOf('german-bank-camt.053.001.02.xml').replace('ORDER-1', `${order}-1`);
    await bank.deliver(text);
    expect(bank.told.endings).toEqual([
      [paymentIdOf(1), { status: 'settled' }],
      [paymentIdOf(2), { status: 'settled' }],
      [paymentIdOf(2), { status: 'returned', reason: 'OFFRAMP_FAILED' }],
    ]);
    expect(bank.told.arrivals).toMatchObject([
      {
        bankReference: 'DE89370400440532013000/credit/2026110211213141000/1',
        amount: { minor: 6_000n },
        named: expect.arrayContaining(['SVWZ+DB-ABCDEFGHIJ']),
      },
      {
        bankReference: 'DE89370400440532013000/credit/2026110211213141000/2',
        named: ['DB-KLMNOPQRST', 'NOTPROVIDED'],
      },
    ]);
    expect(bank.cases()).toEqual([]);
  });

  it('in Germany, of an order that is not as it was sent, is listed', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const order = bank.names('sent')[0]?.replace('.xml', '') ?? '';
    await bank.deliver(fileOf('german-bank-camt.053.001.02.xml').replace('ORDER-1', `${order}-1`));
    expect(bank.whys().toSorted()).toEqual(['AMOUNT_DIFFERS', 'UNKNOWN_RETURN']);
  });

  it('in the United Kingdom settles what was debited with charges, and leaves what is pending', async () => {
    const bank = await bankThatHas([sterlingPayment(3)]);
    await bank.deliver(fileOf('british-bank-camt.053.001.08.xml'));
    expect(bank.told.endings).toEqual([[paymentIdOf(3), { status: 'settled' }]]);
    expect(bank.told.arrivals).toMatchObject([
      { amount: { minor: 1_500n, currency: 'GBP' }, named: ['A LOVELACE DB-UVWXYZ2345'] },
    ]);
    expect(bank.cases()).toEqual([]);
  });

  it('refuses one payment of an order', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    await bank.deliver(fileOf('refused-pain.002.001.03.xml'));
    expect(bank.told.endings).toEqual([
      [paymentIdOf(1), { status: 'failed', reason: 'QUOTE_EXECUTION_FAILED', refundFails: false }],
    ]);
  });

  it('returns one payment', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(fileOf('return-pacs.004.001.02.xml'));
    expect(bank.told.endings).toEqual([[paymentIdOf(1), { status: 'returned', reason: 'OFFRAMP_FAILED' }]]);
  });
});
