import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bankThatHas, endToEndIdOf, euroPayment, paymentIdOf } from '../../support/bank/bank.ts';
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
