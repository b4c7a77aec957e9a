import { describe, expect, it } from 'vitest';
import { openBank } from '../../support/bank/bank.ts';
import { entry, euroAccount, statement } from '../../support/bank/messages.ts';

const credit = (more: Parameters<typeof entry>[0] = {}) =>
  entry({ remittance: 'DB-ABCDEFGHIJ thanks', ...more });

describe('money that comes in', () => {
  it('is told with what the payer named, under the name that the bank gave it', async () => {
    const bank = await openBank();
    await bank.deliver(statement([credit()]));
    expect(bank.told.arrivals).toEqual([
      {
        bankReference: `${euroAccount}/credit/BANKREF1`,
        amount: { minor: 1_234n, currency: 'EUR' },
        named: ['DB-ABCDEFGHIJ thanks'],
      },
    ]);
    expect(bank.names('unmatched')).toEqual([]);
  });

  it('is told once: the same file, and the same entry in another statement, change nothing', async () => {
    const bank = await openBank();
    await bank.deliver(statement([credit()]));
    await bank.deliver(statement([credit()]));
    await bank.deliver(statement([credit()], { id: 'STMT2' }), 'other.xml');
    expect(bank.told.arrivals).toHaveLength(1);
    expect(bank.cases()).toEqual([]);
  });

  it('twice alike, under two names of the bank, is two', async () => {
    const bank = await openBank();
    await bank.deliver(statement([credit({ reference: 'A' }), credit({ reference: 'B' })]));
    expect(bank.told.arrivals.map(({ bankReference }) => bankReference)).toEqual([
      `${euroAccount}/credit/A`,
      `${euroAccount}/credit/B`,
    ]);
  });

  it.each([
    ['in one statement', [credit(), credit()], []],
    ['for another amount, in another', [credit()], [credit({ amount: '99.00' })]],
  ])('under a name that the bank has used already, %s, is listed', async (_where, first, second) => {
    const bank = await openBank();
    await bank.deliver(statement(first));
    if (second.length > 0) await bank.deliver(statement(second, { id: 'STMT2' }), 'other.xml');
    expect(bank.told.arrivals).toHaveLength(1);
    expect(bank.cases()).toMatchObject([{ why: 'REFERENCE_REUSED' }]);
  });

  it.each(['', 'NONREF', 'NOTPROVIDED'])('without a name (%j) is listed', async (reference) => {
    const bank = await openBank();
    await bank.deliver(statement([credit({ reference })]));
    expect(bank.told.arrivals).toEqual([]);
    expect(bank.cases()).toMatchObject([{ why: 'NO_BANK_REFERENCE', amount: '12.34', currency: 'EUR' }]);
  });

  it('that Daybook finds no account for is listed once, with what an operator needs', async () => {
    const bank = await openBank({ arrival: () => ({ status: 'unmatched' }) });
    await bank.deliver(statement([credit({ endToEndId: 'INVOICE-7' })]));
    await bank.deliver(statement([credit({ endToEndId: 'INVOICE-7' })], { id: 'STMT2' }), 'other.xml');
    expect(bank.cases()).toEqual([
      expect.objectContaining({
        why: 'UNKNOWN_CREDIT',
        account: euroAccount,
        amount: '12.34',
        bookedOn: '2026-11-02',
        bankReference: 'BANKREF1',
        named: ['DB-ABCDEFGHIJ thanks', 'INVOICE-7'],
      }),
    ]);
  });

  it('that Daybook refuses is listed with the refusal', async () => {
    const refused = {
      status: 'refused',
      code: 'CUSTOMER_DELETED',
      message: 'The customer is deleted.',
    } as const;
    const bank = await openBank({ arrival: () => refused });
    await bank.deliver(statement([credit()]));
    expect(bank.cases()).toMatchObject([{ why: 'CREDIT_REFUSED', refusedWith: 'CUSTOMER_DELETED' }]);
  });

  it('that Daybook cannot take now is told again, and its file stays', async () => {
    let isAway = true;
    const bank = await openBank({
      arrival: () => {
        if (isAway) throw new Error('the log is away');
        return { status: 'known', transactionId: 'Transaction:1' };
      },
    });
    await expect(bank.deliver(statement([credit()]))).rejects.toThrow('the log is away');
    expect(bank.names('in')).toEqual(['from-bank.xml']);
    isAway = false;
    await bank.turns();
    expect(bank.told.arrivals).toHaveLength(2);
    expect(bank.names('in')).toEqual([]);
    expect(bank.names('done')).toEqual(['from-bank.xml']);
  });

  it('an operator has taken from the list is not listed again', async () => {
    const bank = await openBank({ arrival: () => ({ status: 'unmatched' }) });
    await bank.deliver(statement([credit()]));
    const { rmSync } = await import('node:fs');
    rmSync(`${bank.folder}/unmatched/${bank.names('unmatched')[0]}`);
    await bank.deliver(statement([credit()]), 'again.xml');
    expect(bank.cases()).toEqual([]);
  });
});
