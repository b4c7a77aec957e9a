/** Money that arrives under one reference: it is for one account or quote, and one amount, whatever is told of it later. */
import { describe, expect, it } from 'vitest';
import type { ArrivedMoney, RailReports } from '../../src/domain/ports/rail-module.ts';
import { unbalanced } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { balanceOf, quote } from '../support/resources/payments.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

let reports: RailReports;
const service = serviceOfTests({
  rail: async (own) => {
    reports = own;
    return fickleRail;
  },
});
const { client } = service;

async function payee() {
  const { id: customerId } = await createCustomer(client);
  const { id: accountId, fundingPaymentInstructions } = await accountOf(client, customerId);
  return {
    customerId,
    accountId,
    reference: String(fundingPaymentInstructions[0].accountOrWalletInfo.reference),
  };
}
type Payee = Awaited<ReturnType<typeof payee>>;

let told = 0;
const money = ({ reference }: Payee, more: Partial<ArrivedMoney> = {}): ArrivedMoney => {
  told += 1;
  const amount = { minor: 700n, currency: 'USD' };
  return { named: [reference], amount, bankReference: `once/${told}`, ...more };
};
const conflict = { status: 'refused', code: 'CONFLICT' };
const held = async (payees: readonly Payee[]) => {
  const balances = await Promise.all(payees.map(({ customerId }) => balanceOf(client, customerId)));
  return balances.reduce((sum, one) => sum + one, 0);
};

describe('money that arrives under one reference', () => {
  it('for two accounts at once is credited to one of them', async () => {
    const payees = [await payee(), await payee()];
    for (let n = 1; n <= 10; n++) {
      const { bankReference, ...first } = money(payees[0] as Payee);
      const all = payees.map(({ reference }) => ({ ...first, bankReference, named: [reference] }));
      const answers = await Promise.all(all.map((one) => reports.arrived(one)));
      expect(answers.filter(({ status }) => status === 'credited')).toHaveLength(1);
      await expect.poll(() => held(payees)).toBe(700 * n);
    }
    expect(await unbalanced(client)).toEqual([]);
  });

  it('of two amounts is credited with that which was told first, and the other is refused', async () => {
    const one = await payee();
    for (const more of [1n, -1n]) {
      const first = money(one);
      const second = { ...first, amount: { ...first.amount, minor: first.amount.minor + more } };
      const together = await Promise.all([reports.arrived(first), reports.arrived(second)]);
      expect(together.map(({ status }) => status).toSorted()).toEqual(['credited', 'refused']);
      const winner = together[0]?.status === 'credited' ? first : second;
      expect(await reports.arrived(winner === first ? second : first)).toMatchObject(conflict);
      expect((await reports.arrived(winner)).status).toMatch(/credited|known/);
    }
  });

  it('that was credited is for nobody else afterwards, and known where nobody else is named', async () => {
    const [one, other] = [await payee(), await payee()];
    const first = money(one);
    expect(await reports.arrived(first)).toMatchObject({ status: 'credited' });
    expect(await reports.arrived({ ...first, named: [other.reference] })).toMatchObject(conflict);
    for (const named of [first.named, [one.accountId], []])
      expect(await reports.arrived({ ...first, named })).toMatchObject({ status: 'known' });
    // A bank's statement is read again as it was, whatever an operator has decided since.
    const again = { ...first, named: [other.reference], refusalIsFinal: true };
    expect(await reports.arrived(again)).toMatchObject(conflict);
    expect(await reports.arrived({ ...again, isOnStatement: true })).toMatchObject({ status: 'known' });
    expect(await held([one, other])).toBe(700);
  });

  it('that has run a quote is for no account', async () => {
    const [payer, one] = [await payee(), await payee()];
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: payer.customerId };
    const made = await quote(client, { ...quoteBody('', one.accountId), source });
    const [{ accountOrWalletInfo }] = made.paymentInstructions;
    const amount = { minor: BigInt(made.totalSendingAmount), currency: 'USD' };
    const first = money(payer, { named: [String(accountOrWalletInfo.reference)], amount });
    expect(await reports.arrived(first)).toMatchObject({ status: 'credited' });
    expect(await reports.arrived({ ...first, named: [payer.reference] })).toMatchObject(conflict);
    const other = { ...first, amount: { ...amount, minor: amount.minor + 1n } };
    expect(await reports.arrived(other)).toMatchObject(conflict);
    expect(await held([payer])).toBe(0);
  });

  it.each([true, false])('that one account refuses is for another (finally: %s)', async (refusalIsFinal) => {
    const [closed, open] = [await payee(), await payee()];
    const path = `/sandbox/internal-accounts/${closed.accountId}/status`;
    expectStatus(await client.post(path, { status: 'FROZEN' }), 200);
    const first = money(closed, { refusalIsFinal });
    expect(await reports.arrived(first)).toMatchObject({ status: 'refused', code: 'USER_NOT_READY' });
    const assigned = money(open, { bankReference: first.bankReference });
    expect(await reports.arrived(assigned)).toMatchObject({ status: 'credited' });
    expectStatus(await client.post(path, { status: 'ACTIVE' }), 200);
    expect((await reports.arrived({ ...first, refusalIsFinal: false })).status).not.toBe('credited');
    await expect.poll(() => held([closed, open])).toBe(700);
  });
});
