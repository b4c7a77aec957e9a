import { expect, it } from 'vitest';
import { bankThatHas, endToEndIdOf, euroPayment, paymentIdOf } from '../../support/bank/bank.ts';
import { entry, statement, statusReport } from '../../support/bank/messages.ts';

it('an order that the bank has booked as one settles what it has not refused of it', async () => {
  const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
  const messageId = bank.names('sent')[0]?.replace('.xml', '') ?? expect.fail('no order');
  const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' }];
  await bank.deliver(statusReport({ messageId, group: 'PART', transfers }), 'report.xml');
  const block = `<NtryDtls><Btch><PmtInfId>${messageId}-1</PmtInfId></Btch></NtryDtls>`;
  const batch = entry({ direction: 'DBIT' }).replace(/<NtryDtls>.*<\/NtryDtls>/s, block);
  await bank.deliver(statement([batch]), 'statement.xml');
  expect(bank.told.endings.map(([id, { status }]) => [id, status])).toEqual([
    [paymentIdOf(1), 'failed'],
    [paymentIdOf(2), 'settled'],
  ]);
  expect(bank.cases()).toEqual([]);
});
