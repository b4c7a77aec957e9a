/** Money that arrives at a bank for a quote: it runs by it, once, or is left to an operator. */
import { describe, expect, it } from 'vitest';
import type { ArrivedMoney, RailReports } from '../../src/domain/ports/rail-module.ts';
import type { Json } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { unbalanced, untilEnded } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { balanceOf, quote } from '../support/resources/payments.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

let reports: RailReports;
const clock = movableClock();
const service = serviceOfTests({
  clock,
  rail: async (own) => {
    reports = own;
    return fickleRail;
  },
});
const { client } = service;

let arrivals = 0;
/** A quote that is paid in, to an account here, and what its payer states. */
async function paidIn() {
  const [payer, payee] = [await createCustomer(client), await createCustomer(client)];
  const account = await accountOf(client, payee.id);
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: payer.id };
  const made = await quote(client, { ...quoteBody('', account.id), source });
  const [{ accountOrWalletInfo }] = made.paymentInstructions;
  const reference = String(accountOrWalletInfo.reference);
  const minor = BigInt(made.totalSendingAmount);
  arrivals += 1;
  const money: ArrivedMoney = {
    named: [`invoice 7, ${reference.toLowerCase()}`],
    amount: { minor, currency: 'USD' },
    bankReference: `quotes/${arrivals}`,
    refusalIsFinal: true,
  };
  return { made, money, payee, account, reference };
}
const statusOf = async ({ transactionId }: Json): Promise<string> =>
  expectStatus(await client.get(`/transactions/${transactionId}`), 200).status;

describe('money that arrives for a quote', () => {
  it('runs it, once, however often it is told of', async () => {
    const { made, money, payee, reference } = await paidIn();
    const answers = await together(4, () => reports.arrived(money));
    const { transactionId } = made;
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['credited', 'known', 'known', 'known']);
    expect(answers.every((one) => 'transactionId' in one && one.transactionId === transactionId)).toBe(true);
    await untilEnded(client, transactionId, 'COMPLETED');
    expect(await balanceOf(client, payee.id)).toBe(made.totalReceivingAmount);
    const found = expectStatus(await client.get('/transactions', { reference }), 200);
    expect(found.data.map(({ id }: Json) => id)).toContain(transactionId);
    expect(await reports.arrived(money)).toEqual({ status: 'known', transactionId });
    const second = { ...money, bankReference: `${money.bankReference} again` };
    expect(await reports.arrived(second)).toMatchObject({ status: 'refused', code: 'CONFLICT' });
    expect(await unbalanced(client)).toEqual([]);
  });

  it.each([
    ['too little', -1n],
    ['too much', 1n],
  ])('is refused where it is %s, and the quote waits on', async (_what, more) => {
    const { made, money } = await paidIn();
    const other = { ...money, amount: { ...money.amount, minor: money.amount.minor + more } };
    const refused = { status: 'refused', code: 'INVALID_AMOUNT', stays: true };
    expect(await reports.arrived(other)).toMatchObject(refused);
    expect(await statusOf(made)).toBe('PENDING');
    expect(await reports.arrived({ ...money, bankReference: `${money.bankReference} right` })).toMatchObject({
      status: 'credited',
    });
  });

  it('is nobody’s in another currency', async () => {
    const { money } = await paidIn();
    const euros = { ...money, amount: { ...money.amount, currency: 'EUR' } };
    expect(await reports.arrived(euros)).toEqual({ status: 'unmatched' });
  });

  it('is refused where who is paid by it takes nothing', async () => {
    const { made, money, account } = await paidIn();
    const path = `/sandbox/internal-accounts/${account.id}/status`;
    expectStatus(await client.post(path, { status: 'FROZEN' }), 200);
    expect(await reports.arrived(money)).toMatchObject({ status: 'refused', code: 'USER_NOT_READY' });
    expect(await statusOf(made)).toBe('PENDING');
  });

  it('is refused once the quote has expired', async () => {
    const { money } = await paidIn();
    clock.advance(3_600_000);
    expect(await reports.arrived(money)).toMatchObject({ status: 'refused', code: 'QUOTE_EXPIRED' });
  });
});
