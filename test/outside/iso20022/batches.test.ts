import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bankThatHas, endToEndIdOf, euroPayment, openBank, paymentIdOf } from '../../support/bank/bank.ts';
import { entry, statement, statusReport } from '../../support/bank/messages.ts';

/** A bank with two payments in an order: its report refuses the first, and its statement has debited the rest as one. */
async function bankWithOrder() {
  const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
  const messageId = bank.names('sent')[0]?.replace('.xml', '') ?? expect.fail('no order');
  const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' }];
  const block = `<NtryDtls><Btch><PmtInfId>${messageId}-1</PmtInfId></Btch></NtryDtls>`;
  const batch = entry({ direction: 'DBIT' }).replace(/<NtryDtls>.*<\/NtryDtls>/s, block);
  const report = statusReport({ messageId, group: 'PART', transfers });
  return { ...bank, report, debit: statement([batch]) };
}

it('an order that the bank has booked as one settles what it has not refused of it', async () => {
  const bank = await bankWithOrder();
  await bank.deliver(bank.report, 'report.xml');
  await bank.deliver(bank.debit, 'statement.xml');
  expect(bank.told.endings.map(([id, { status }]) => [id, status])).toEqual([
    [paymentIdOf(1), 'failed'],
    [paymentIdOf(2), 'settled'],
  ]);
  expect(bank.cases()).toEqual([]);
});

it('what the bank refuses of an order is read before the debit of the rest, whatever the files are called', async () => {
  const bank = await bankWithOrder();
  writeFileSync(join(bank.folder, 'in', 'a-statement.xml'), bank.debit);
  writeFileSync(join(bank.folder, 'in', 'b-report.xml'), bank.report);
  await bank.turns();
  expect(bank.told.endings.map(([id, { status }]) => [id, status])).toEqual([
    [paymentIdOf(1), 'failed'],
    [paymentIdOf(2), 'settled'],
  ]);
  expect([bank.cases(), bank.names('in')]).toEqual([[], []]);
});

/** A bank that has booked an order of two payments as one debit, once under each of these names. */
async function bankThatDebited(...references: readonly string[]) {
  const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
  const messageId = bank.names('sent')[0]?.replace('.xml', '') ?? expect.fail('no order');
  const block = `<NtryDtls><Btch><PmtInfId>${messageId}-1</PmtInfId></Btch></NtryDtls>`;
  const debitOf = (reference: string) =>
    entry({ direction: 'DBIT', amount: '24.68', reference }).replace(/<NtryDtls>.*<\/NtryDtls>/s, block);
  await bank.deliver(statement(references.map(debitOf)));
  return bank;
}

it.each([
  ['DEBITED_TWICE', ['D1', 'D2']],
  ['REFERENCE_REUSED', ['D1', 'D1']],
] as const)(
  'a second debit of an order, %s, names the payments that it has paid again',
  async (why, names) => {
    const bank = await bankThatDebited(...names);
    expect(bank.cases()).toMatchObject([{ why, endToEndIds: [endToEndIdOf(1), endToEndIdOf(2)] }]);
  },
);

it('a second debit of a payment that it names itself has no list of them', async () => {
  const bank = await bankThatDebited('D1');
  const again = entry({ direction: 'DBIT', endToEndId: endToEndIdOf(2), reference: 'D2' });
  await bank.deliver(statement([again], { id: 'AGAIN' }));
  expect(bank.cases()).toMatchObject([{ why: 'DEBITED_TWICE', endToEndId: endToEndIdOf(2) }]);
  expect(bank.cases()[0]).not.toHaveProperty('endToEndIds');
});

describe('an entry that says of how many transactions it is, and lists less', () => {
  const part = (n: number) =>
    `<TxDtls><Refs><EndToEndId>${endToEndIdOf(n)}</EndToEndId></Refs><Amt Ccy="EUR">12.34</Amt></TxDtls>`;
  const cut = (amount: string, count: number, listed: string, batch = '') =>
    entry({ direction: 'DBIT', amount }).replace(
      /<NtryDtls>.*<\/NtryDtls>/s,
      `<NtryDtls><Btch>${batch}<NbOfTxs>${count}</NbOfTxs></Btch>${listed}</NtryDtls>`,
    );
  const statuses = (told: {
    readonly endings: readonly (readonly [string, { readonly status: string }])[];
  }) => told.endings.map(([id, { status }]) => [id, status]);

  it.each([
    ['one of two', [1, 2], part(1)],
    ['two of three', [1, 2, 3], part(1) + part(2)],
  ])('settles all of the order that it names: %s', async (_how, all, listed) => {
    const bank = await bankThatHas(all.map((n) => euroPayment(n)));
    const messageId = bank.names('sent')[0]?.replace('.xml', '') ?? expect.fail('no order');
    const amount = ((1_234 * all.length) / 100).toFixed(2);
    const line = cut(amount, all.length, listed, `<PmtInfId>${messageId}-1</PmtInfId>`);
    await bank.deliver(statement([line]));
    expect(statuses(bank.told)).toEqual(all.map((n) => [paymentIdOf(n), 'settled']));
    expect(bank.cases()).toEqual([]);
  });

  it('is for an operator where it names no order', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    await bank.deliver(statement([cut('24.68', 2, part(1))]));
    expect(bank.told.endings).toEqual([]);
    expect(bank.cases()).toMatchObject([{ why: 'AMOUNT_DIFFERS', endToEndIds: [endToEndIdOf(1)] }]);
  });

  it('is what it lists where that is all of its amount', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    await bank.deliver(statement([cut('12.34', 2, part(1))]));
    expect(statuses(bank.told)).toEqual([[paymentIdOf(1), 'settled']]);
  });

  it('gives nobody a credit of several for what it lists of one', async () => {
    const bank = await openBank({ arrival: () => ({ status: 'unmatched' }) });
    const listed = '<TxDtls><Amt Ccy="EUR">12.34</Amt><RmtInf><Ustrd>DB-ABCDEFGHIJ</Ustrd></RmtInf></TxDtls>';
    const line = cut('24.68', 2, listed).replace('DBIT', 'CRDT');
    await bank.deliver(statement([line]));
    expect(bank.told.arrivals.map(({ named }) => named)).toEqual([[]]);
    expect(bank.whys()).toEqual(['UNKNOWN_CREDIT']);
  });
});
