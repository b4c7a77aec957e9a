/** What the bank has debited more than once for one payment, and what comes back of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPayments } from '../../../../src/outside/iso20022/files/payments.ts';
import { asked, bankThatHas, endToEndIdOf, euroPayment, paymentIdOf } from '../../../support/bank/bank.ts';
import { entry, euroAccount, paymentReturn, statement } from '../../../support/bank/messages.ts';
import { testStart } from '../../../support/time/clock.ts';

type Movement = Parameters<typeof entry>[0];
const debit = (reference: string, more: Movement = {}) =>
  entry({ direction: 'DBIT', endToEndId: endToEndIdOf(1), reference, ...more });
const credit = (reference: string, more: Movement = {}) =>
  entry({ endToEndId: endToEndIdOf(1), reference, ...more });
const returnOf = (n: number) =>
  paymentReturn(endToEndIdOf(1), '12.34', 'AM05').replace('<RtrId>R1', `<RtrId>R${n}`);

const settled = [paymentIdOf(1), { status: 'settled' }];
const returned = [paymentIdOf(1), { status: 'returned', reason: 'OFFRAMP_FAILED' }];

/** A bank that has paid the first payment as often as it has debits. */
async function bankThatPaid(...debits: readonly string[]) {
  const bank = await bankThatHas([euroPayment(1)]);
  await bank.deliver(statement(debits), 'debits.xml');
  let days = 0;
  const bring = (...lines: readonly string[]) => {
    days += 1;
    return bank.deliver(statement(lines, { id: `DAY${days}` }), `day-${days}.xml`);
  };
  const whysOf = (why: string) => bank.cases().filter((one) => one.why === why);
  return { ...bank, bring, given: () => whysOf('RETURNED_AFTER_SECOND_DEBIT') };
}

describe('a payment that the bank has debited twice', () => {
  it.each<[string, Movement]>([
    ['as a credit', {}],
    ['as a reversal', { reversal: true }],
    ['as a return', { returnCode: 'AM05' }],
  ])('stays paid where the bank gives one of the two back %s', async (_how, more) => {
    const bank = await bankThatPaid(debit('D1'), debit('D2'));
    await bank.bring(credit('C1', more));
    expect(bank.told.endings).toEqual([settled]);
    expect(bank.given()).toMatchObject([{ direction: 'credit', bankReference: 'C1', amount: '12.34' }]);
    expect(await bank.rail.statusOf(euroPayment(1), asked)).toEqual({ status: 'settled' });
  });

  it('stays paid where a statement has what comes back before the second debit', async () => {
    const bank = await bankThatPaid(debit('D1'));
    await bank.bring(credit('C1'), debit('D2'));
    expect(bank.told.endings).toEqual([settled]);
    expect(bank.whys().toSorted()).toEqual(['DEBITED_TWICE', 'RETURNED_AFTER_SECOND_DEBIT']);
  });

  it('comes back by the next credit', async () => {
    const bank = await bankThatPaid(debit('D1'), debit('D2'));
    await bank.bring(credit('C1'));
    await bank.bring(credit('C2'));
    expect(bank.told.endings).toEqual([settled, returned]);
    expect(bank.given()).toHaveLength(1);
    await bank.bring(credit('C3'));
    expect(bank.whys()).toContain('RETURNED_TWICE');
  });

  it('is read again with nothing changed', async () => {
    const bank = await bankThatPaid(debit('D1'), debit('D2'));
    await bank.bring(debit('D2'), credit('C1'));
    await bank.bring(debit('D1'), debit('D2'), credit('C1'));
    expect(bank.told.endings).toEqual([settled]);
    expect(bank.whys().toSorted()).toEqual(['DEBITED_TWICE', 'RETURNED_AFTER_SECOND_DEBIT']);
  });

  it('stays paid where the second debit had the name of another entry', async () => {
    const bank = await bankThatPaid(debit('D1'), debit('D1'));
    expect(bank.whys()).toEqual(['REFERENCE_REUSED']);
    await bank.bring(credit('C1'));
    expect(bank.told.endings).toEqual([settled]);
    expect(bank.given()).toHaveLength(1);
  });

  it('stays paid where a message and an entry say that the second debit comes back', async () => {
    const bank = await bankThatPaid(debit('D1'), debit('D2'));
    await bank.deliver(returnOf(1), 'first.xml');
    await bank.deliver(returnOf(1), 'first-again.xml');
    await bank.bring(credit('C1', { returnCode: 'AM05' }));
    expect(bank.told.endings).toEqual([settled]);
    expect(bank.given()).toHaveLength(2);
    await bank.deliver(returnOf(2), 'second.xml');
    expect(bank.told.endings.map(([, { status }]) => status)).toEqual(['settled', 'returned']);
  });

  it('had come back before the second: what comes back then is the second', async () => {
    const bank = await bankThatPaid(debit('D1'), credit('C1'));
    await bank.bring(debit('D2'), credit('C2'));
    expect(bank.told.endings).toEqual([settled, returned]);
    expect(bank.whys().toSorted()).toEqual(['DEBITED_TWICE', 'RETURNED_AFTER_SECOND_DEBIT']);
  });

  it('had come back by a message before the second: the money that comes then is that of the message', async () => {
    const bank = await bankThatPaid(debit('D1'));
    await bank.deliver(returnOf(1), 'return.xml');
    await bank.bring(debit('D2'), credit('C1', { returnCode: 'AM05' }));
    expect(bank.whys()).toEqual(['DEBITED_TWICE']);
    await bank.bring(credit('C2'));
    expect(bank.given()).toMatchObject([{ bankReference: 'C2' }]);
    await bank.bring(credit('C1', { returnCode: 'AM05' }), credit('C2'));
    expect(bank.told.endings.filter(([, { status }]) => status === 'settled')).toEqual([settled]);
    expect(bank.whys().toSorted()).toEqual(['DEBITED_TWICE', 'RETURNED_AFTER_SECOND_DEBIT']);
  });

  it('stays listed as money of the second where it was listed so before', async () => {
    const bank = await bankThatPaid(debit('D1'));
    await bank.deliver(returnOf(1), 'return.xml');
    await bank.bring(debit('D2'));
    const said = { source: `${euroAccount}/credit/C1`, at: testStart.toISOString() };
    await openPayments(join(bank.folder, 'state')).say(endToEndIdOf(1), 'credited-2', said);
    await bank.bring(credit('C1'));
    expect(bank.given()).toMatchObject([{ bankReference: 'C1' }]);
  });

  it('is money of the second where a message told of both returns after it', async () => {
    const bank = await bankThatPaid(debit('D1'), debit('D2'));
    for (const n of [1, 2]) await bank.deliver(returnOf(n), `return-${n}.xml`);
    await bank.bring(credit('C1'));
    await bank.bring(credit('C2'));
    expect(bank.given()).toHaveLength(2);
    expect(bank.whys()).not.toContain('RETURNED_TWICE');
  });

  it('and three times comes back by the third credit', async () => {
    const bank = await bankThatPaid(debit('D1'), debit('D2'), debit('D3'));
    await bank.bring(credit('C1'), credit('C2'));
    expect(bank.told.endings).toEqual([settled]);
    await bank.bring(credit('C3'));
    expect(bank.told.endings).toEqual([settled, returned]);
    expect(bank.given()).toHaveLength(2);
  });

  it('is money that an operator may say whose it is', async () => {
    const bank = await bankThatPaid(debit('D1'), debit('D2'));
    await bank.bring(credit('C1'));
    const name = bank.names('unmatched').find((one) => bank.read('unmatched', one).includes('RETURNED_'));
    writeFileSync(`${bank.folder}/unmatched/${name?.replace('.json', '.account')}`, 'DB-ABCDEFGHIJ');
    await bank.rail.turn(asked.signal);
    expect(bank.told.arrivals).toMatchObject([{ bankReference: `${euroAccount}/credit/C1` }]);
  });
});
