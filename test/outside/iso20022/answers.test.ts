import { describe, expect, it } from 'vitest';
import { systemIds } from '../../../src/kernel/ids.ts';
import { openOrders } from '../../../src/outside/iso20022/files/orders.ts';
import {
  asked,
  bankThatHas,
  endToEndIdOf,
  euroPayment,
  paymentIdOf,
  sterlingPayment,
} from '../../support/bank/bank.ts';
import {
  entry,
  paymentReturn,
  statement,
  statusReport,
  sterlingAccount,
} from '../../support/bank/messages.ts';

const debit = (n: number, more: Parameters<typeof entry>[0] = {}) =>
  entry({ direction: 'DBIT', endToEndId: endToEndIdOf(n), reference: `DEBIT${n}`, ...more });
const comeBack = (n: number, more: Parameters<typeof entry>[0] = {}) =>
  entry({ endToEndId: endToEndIdOf(n), reference: `RETURN${n}`, returnCode: 'AC04', ...more });
const messageIdOf = ({ names }: { names: (part: string) => string[] }) =>
  names('sent')[0]?.replace('.xml', '') ?? expect.fail('no order');

const settled = { status: 'settled' };
const returned = { status: 'returned', reason: 'OFFRAMP_FAILED' };
const failed = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false };

describe('a status report', () => {
  it('fails a payment that the bank refuses', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const transfers = [
      { endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' },
      { endToEndId: endToEndIdOf(2), status: 'ACSP' },
    ];
    await bank.deliver(statusReport({ messageId: messageIdOf(bank), group: 'PART', transfers }));
    expect(bank.told.endings).toEqual([[paymentIdOf(1), failed]]);
    expect(await bank.rail.statusOf(euroPayment(1), asked)).toEqual(failed);
    expect(await bank.rail.statusOf(euroPayment(2), asked)).toMatchObject({ status: 'accepted' });
    expect(bank.names('done')).toEqual(['from-bank.xml']);
  });

  it('fails a payment that is refused behind a processing instruction', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' }];
    const report = statusReport({ messageId: messageIdOf(bank), transfers });
    await bank.deliver(report.replace('<TxInfAndSts>', '<?bank x?><TxInfAndSts>'));
    expect(bank.told.endings).toEqual([[paymentIdOf(1), failed]]);
  });

  it.each<[string, { group?: string; groupReason?: string; block?: string }]>([
    ['the whole order', { group: 'RJCT', groupReason: 'FF01' }],
    ['the block of the order', { block: 'RJCT' }],
  ])('fails every payment where the bank refuses %s', async (_what, { block, ...group }) => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const messageId = messageIdOf(bank);
    await bank.deliver(
      statusReport({
        messageId,
        ...group,
        ...(block && { block: { id: `${messageId}-1`, status: block } }),
      }),
    );
    expect(bank.told.endings.map(([id]) => id)).toEqual([paymentIdOf(1), paymentIdOf(2)]);
  });

  it('is told again with nothing changed', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' }];
    const report = statusReport({ messageId: messageIdOf(bank), transfers });
    await bank.deliver(report);
    await bank.deliver(report.replace('AC01', 'AM04'), 'again.xml');
    expect(new Set(bank.told.endings.map(([, ending]) => JSON.stringify(ending))).size).toBe(1);
    expect(bank.cases()).toEqual([]);
  });

  it('of a payment that is not ours is listed, and of one that has not left as well', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.rail.submit(euroPayment(2), asked);
    const transfers = [
      { endToEndId: 'SOMEBODY-ELSE', status: 'RJCT' },
      { endToEndId: endToEndIdOf(9), status: 'RJCT' },
    ];
    await bank.deliver(statusReport({ messageId: 'OTHER', transfers }));
    expect(bank.whys()).toEqual(['UNKNOWN_PAYMENT', 'UNKNOWN_PAYMENT']);
    expect(bank.told.endings).toEqual([]);
  });

  it.each([
    ['by its instruction', '<OrgnlInstrId>TO00000000000001</OrgnlInstrId>', [[paymentIdOf(1), failed]], []],
    [
      'by its instruction, and NOTPROVIDED',
      '<OrgnlInstrId>TO00000000000001</OrgnlInstrId><OrgnlEndToEndId>NOTPROVIDED</OrgnlEndToEndId>',
      [[paymentIdOf(1), failed]],
      [],
    ],
    [
      'NOTPROVIDED, and by the transfer that it was',
      `<OrgnlEndToEndId>NOTPROVIDED</OrgnlEndToEndId><OrgnlTxRef><PmtId><EndToEndId>${endToEndIdOf(1)}</EndToEndId></PmtId></OrgnlTxRef>`,
      [[paymentIdOf(1), failed]],
      [],
    ],
    [
      'NOTPROVIDED twice',
      '<OrgnlInstrId>NOTPROVIDED</OrgnlInstrId><OrgnlEndToEndId>NOTPROVIDED</OrgnlEndToEndId>',
      [],
      ['UNKNOWN_PAYMENT'],
    ],
    ['by an instruction that is none of it', '<OrgnlInstrId>OTHER</OrgnlInstrId>', [], ['UNKNOWN_PAYMENT']],
    ['by nothing', '', [], ['UNKNOWN_PAYMENT']],
  ])('that names a payment %s refuses it or is listed', async (_how, name, endings, whys) => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const transfers = [{ endToEndId: 'LEFT-OUT', status: 'RJCT', code: 'AC01' }];
    const report = statusReport({ messageId: messageIdOf(bank), group: 'PART', transfers });
    await bank.deliver(report.replace('<OrgnlEndToEndId>LEFT-OUT</OrgnlEndToEndId>', name));
    expect(bank.told.endings).toEqual(endings);
    expect(bank.whys()).toEqual(whys);
  });

  it('gives a payment the reason of the whole where the payment has none of its own', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT' }];
    await bank.deliver(
      statusReport({ messageId: messageIdOf(bank), group: 'RJCT', groupReason: 'FF01', transfers }),
    );
    expect(bank.told.endings[0]).toEqual([
      paymentIdOf(1),
      { status: 'failed', reason: 'QUOTE_EXECUTION_FAILED', refundFails: false },
    ]);
  });

  it('of a payment that has come back changes nothing', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([comeBack(1)]));
    const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' }];
    await bank.deliver(statusReport({ messageId: messageIdOf(bank), transfers }), 'late.xml');
    expect(bank.told.endings).toEqual([[paymentIdOf(1), returned]]);
    expect(bank.cases()).toEqual([]);
    expect(await bank.rail.statusOf(euroPayment(1), asked)).toEqual(returned);
  });

  it('that is told again after a debit is listed with the debit alone', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' }];
    const report = statusReport({ messageId: messageIdOf(bank), transfers });
    await bank.deliver(report);
    await bank.deliver(statement([debit(1)]), 'statement.xml');
    await bank.deliver(report.replace('STATUS1', 'STATUS2'), 'again.xml');
    expect(bank.whys()).toEqual(['DEBITED_AFTER_REFUSAL']);
  });

  it('of an order refuses what has left in it, and not what another order has taken', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const { folder } = bank;
    const queue = openOrders(
      { state: `${folder}/state`, out: `${folder}/out`, sent: `${folder}/sent` },
      systemIds,
    );
    const messageId = 'b'.repeat(32);
    const endToEndIds = [endToEndIdOf(1)];
    const createdAt = '2026-11-02T06:00:00Z';
    await queue.drop(
      await queue.begin({ messageId, createdAt, currency: 'EUR', isInstant: false, endToEndIds }),
    );
    await bank.deliver(statusReport({ messageId, group: 'RJCT' }));
    expect(bank.told.endings).toEqual([]);
    expect(bank.whys()).toEqual(['UNKNOWN_PAYMENT']);
  });

  it('that refuses what was debited is listed', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1)]));
    const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' }];
    await bank.deliver(statusReport({ messageId: messageIdOf(bank), transfers }), 'late.xml');
    expect(bank.whys()).toEqual(['REFUSED_AFTER_DEBIT']);
    expect(bank.told.endings).toEqual([[paymentIdOf(1), settled]]);
  });
});

describe('a refusal of a duplicate', () => {
  const refused = (n: number, code?: string) => ({
    endToEndId: endToEndIdOf(n),
    status: 'RJCT',
    ...(code && { code }),
  });
  type Report = Parameters<typeof statusReport>[0];
  type Says = Omit<Report, 'messageId' | 'block'> & { block?: Omit<NonNullable<Report['block']>, 'id'> };
  const twice = async ({ block, ...says }: Says) => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const messageId = messageIdOf(bank);
    await bank.deliver(statusReport({ messageId, group: 'ACCP' }), 'first-copy.xml');
    const ofBlock = block && { block: { id: `${messageId}-1`, ...block } };
    await bank.deliver(statusReport({ messageId, ...says, ...ofBlock }), 'second-copy.xml');
    return bank;
  };
  const why = (bank: { cases: () => { why: string }[] }) => bank.cases().map((one) => one.why);
  const bothAs = (code: string) => [refused(1, code), refused(2, code)];

  it.each<[string, Says, number]>([
    ['the order', { group: 'RJCT', groupReason: 'DU01' }, 1],
    ['the order as cancelled', { group: 'CANC', groupReason: 'DUPL' }, 1],
    ['its block', { block: { status: 'RJCT', reason: 'DU02' } }, 1],
    [
      'the order, and its block without a reason',
      { group: 'RJCT', groupReason: 'DU01', block: { status: 'RJCT' } },
      1,
    ],
    [
      'its block, and the order without a reason',
      { group: 'RJCT', block: { status: 'RJCT', reason: 'DU02' } },
      1,
    ],
    ['each transfer', { transfers: bothAs('AM05') }, 2],
    ['each transfer, and the order without a reason', { group: 'RJCT', transfers: bothAs('DU04') }, 2],
    [
      'the order, and each transfer without a reason',
      { group: 'RJCT', groupReason: 'DU01', transfers: [refused(1), refused(2)] },
      1,
    ],
    [
      'the order, and each transfer for a reason of its own',
      { group: 'RJCT', groupReason: 'DU01', transfers: bothAs('MS03') },
      1,
    ],
    ['the order in words', { group: 'RJCT', groupReason: 'Duplicate file' }, 1],
  ])('fails nobody where the bank names %s, and the debit settles', async (_what, says, listed) => {
    const bank = await twice(says);
    expect(bank.told.endings).toEqual([]);
    expect(why(bank)).toEqual(Array(listed).fill('DUPLICATE_REFUSED'));
    await bank.deliver(statement([debit(1), debit(2)]), 'statement.xml');
    expect(bank.told.endings).toEqual([1, 2].map((n) => [paymentIdOf(n), settled]));
    expect(why(bank)).toEqual(Array(listed).fill('DUPLICATE_REFUSED'));
  });

  it('is listed with the order, once', async () => {
    const bank = await twice({ group: 'RJCT', groupReason: 'DU01' });
    const messageId = messageIdOf(bank);
    const report = statusReport({ messageId, group: 'RJCT', groupReason: 'DU01' });
    await bank.deliver(report.replace('STATUS1', 'STATUS2'), 'again.xml');
    expect(bank.cases()).toMatchObject([{ of: 'message', messageId, reasonCode: 'DU01' }]);
  });

  it('fails the others of the order that the bank refuses for another reason', async () => {
    const bank = await twice({ group: 'RJCT', transfers: [refused(1, 'AM05'), refused(2, 'AC01')] });
    expect(bank.told.endings.map(([id]) => id)).toContain(paymentIdOf(2));
    expect(bank.told.endings.map(([id]) => id)).not.toContain(paymentIdOf(1));
    expect(bank.cases()).toMatchObject([{ why: 'DUPLICATE_REFUSED', endToEndId: endToEndIdOf(1) }]);
  });

  it('is overtaken by a refusal for another reason: the first copy is not carried either', async () => {
    const bank = await twice({ transfers: [refused(1, 'AM05')] });
    const transfers = [refused(1, 'AC01')];
    await bank.deliver(statusReport({ messageId: messageIdOf(bank), transfers }), 'late.xml');
    expect(bank.told.endings).toEqual([[paymentIdOf(1), failed]]);
  });

  it('says nothing against a batch that the bank has booked as one', async () => {
    const bank = await twice({ transfers: bothAs('AM05') });
    const block = `<NtryDtls><Btch><PmtInfId>${messageIdOf(bank)}-1</PmtInfId></Btch></NtryDtls>`;
    const batch = entry({ direction: 'DBIT', amount: '24.68' }).replace(/<NtryDtls>.*<\/NtryDtls>/s, block);
    await bank.deliver(statement([batch]), 'statement.xml');
    expect(bank.told.endings.map(([, ending]) => ending)).toEqual([settled, settled]);
  });

  it('of a payment that nobody knows is one of an unknown payment', async () => {
    const bank = await twice({ transfers: [refused(9, 'AM05')] });
    expect(why(bank)).toEqual(['UNKNOWN_PAYMENT']);
  });

  it('of a payment that was called back before it left is one of an unknown payment', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.rail.withdraw(euroPayment(2), asked);
    const transfers = [refused(2, 'AM05')];
    await bank.deliver(statusReport({ messageId: messageIdOf(bank), transfers }));
    expect(why(bank)).toEqual(['UNKNOWN_PAYMENT']);
  });

  it('is no return of one: a payment that comes back as a duplicate has come back', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(paymentReturn(endToEndIdOf(1), '12.34', 'AM05'));
    expect(bank.told.endings).toEqual([
      [paymentIdOf(1), { status: 'returned', reason: 'QUOTE_EXECUTION_FAILED' }],
    ]);
  });
});

describe('a debit', () => {
  it('settles the payment', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1)]));
    expect(bank.told.endings).toEqual([[paymentIdOf(1), settled]]);
    expect(await bank.rail.statusOf(euroPayment(1), asked)).toEqual(settled);
  });

  it('settles a payment in GBP, of an account that is named by sort code', async () => {
    const bank = await bankThatHas([sterlingPayment(1)]);
    const account = `60161331926819`;
    const text = statement([debit(1, { currency: 'GBP' })], { account: sterlingAccount });
    await bank.deliver(text.replace(`<IBAN>${sterlingAccount}</IBAN>`, `<Othr><Id>${account}</Id></Othr>`));
    expect(bank.told.endings).toEqual([[paymentIdOf(1), settled]]);
  });

  it('settles once: the same file, and the same entry in another statement, change nothing', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1)]));
    await bank.deliver(statement([debit(1)]), 'from-bank.xml');
    await bank.deliver(statement([debit(1)], { id: 'STMT2' }), 'second.xml');
    expect(bank.told.endings).toHaveLength(1);
    expect(bank.cases()).toEqual([]);
    expect(bank.names('done')).toEqual(['2-from-bank.xml', 'from-bank.xml', 'second.xml']);
  });

  it('settles each payment of several under one name of the bank’s, once', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2), euroPayment(3)]);
    const text = statement([1, 2, 3].map((n) => debit(n, { reference: 'BULK' })));
    await bank.deliver(text);
    await bank.deliver(text, 'again.xml');
    const all = [1, 2, 3].map((n) => paymentIdOf(n));
    expect([...new Set(bank.told.endings.map(([id]) => id))]).toEqual(all);
    for (const n of [1, 2, 3]) expect(await bank.rail.statusOf(euroPayment(n), asked)).toEqual(settled);
    expect(bank.cases()).toEqual([]);
  });

  it.each([
    ['of a payment that is settled', debit(1, { reference: 'BULK' })],
    ['of another amount', debit(2, { reference: 'BULK', amount: '1.00' })],
    ['of no payment', entry({ direction: 'DBIT', reference: 'BULK' })],
    ['that is a return', debit(2, { reference: 'BULK', returnCode: 'AC04' })],
  ])('under a name that another has, %s, is listed', async (_what, line) => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    await bank.deliver(statement([debit(1, { reference: 'BULK' }), line]));
    expect(bank.told.endings).toEqual([[paymentIdOf(1), settled]]);
    expect(bank.cases()).toMatchObject([{ why: 'REFERENCE_REUSED' }]);
  });

  const orderBlock = (bank: Parameters<typeof messageIdOf>[0]) =>
    `<Btch><PmtInfId>${messageIdOf(bank)}-1</PmtInfId></Btch>`;
  const details = /<NtryDtls>.*<\/NtryDtls>/s;
  /** An order that the bank has booked as one, with what it says of its transactions. */
  const batch = (
    bank: Parameters<typeof messageIdOf>[0],
    transactions = '',
    more: Parameters<typeof entry>[0] = {},
  ) =>
    entry({ direction: 'DBIT', amount: '24.68', ...more }).replace(
      details,
      `<NtryDtls>${orderBlock(bank)}${transactions}</NtryDtls>`,
    );
  const both = [1, 2].map((n) => [paymentIdOf(n), settled]);

  it.each([
    ['has no name', '<TxDtls><BkTxCd/></TxDtls>'],
    ['is named NOTPROVIDED', '<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs></TxDtls>'],
    ['has the name of nothing of ours', '<TxDtls><Refs><EndToEndId>BULK-7</EndToEndId></Refs></TxDtls>'],
    ['is without the charges', '<TxDtls><Amt Ccy="EUR">24.68</Amt></TxDtls>', '24.99'],
  ])(
    'of an order as one settles it, where its one transaction %s',
    async (_how, transaction, amount = '24.68') => {
      const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
      await bank.deliver(statement([batch(bank, transaction, { amount })]));
      expect(bank.told.endings).toEqual(both);
      expect(bank.cases()).toEqual([]);
    },
  );

  it('of an order as one settles it, where its transactions have no names', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const transaction = '<TxDtls><Amt Ccy="EUR">12.34</Amt></TxDtls>';
    await bank.deliver(statement([batch(bank, transaction.repeat(2))]));
    expect(bank.told.endings).toEqual(both);
    expect(bank.cases()).toEqual([]);
  });

  it('of one payment of an order settles that one, whatever the order', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    await bank.deliver(statement([debit(1).replace('<NtryDtls>', `<NtryDtls>${orderBlock(bank)}`)]));
    expect(bank.told.endings).toEqual([[paymentIdOf(1), settled]]);
  });

  it('of an order as one, under a name that another has, settles it once', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const text = statement([
      entry({ direction: 'DBIT', reference: 'BULK', amount: '1.00' }),
      batch(bank, '', { reference: 'BULK' }),
    ]);
    await bank.deliver(text);
    await bank.deliver(text, 'again.xml');
    expect(bank.told.endings.slice(0, 2)).toEqual(both);
    expect(bank.whys()).toEqual(['UNKNOWN_DEBIT']);
  });

  it.each([
    ['is settled in part', '24.68', [debit(1)]],
    ['is of another amount', '24.67', []],
  ])('of an order that %s, as one under a name that another has, is listed', async (_what, amount, lines) => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const charges = entry({ direction: 'DBIT', reference: 'BULK', amount: '1.00' });
    await bank.deliver(statement([...lines, charges, batch(bank, '', { reference: 'BULK', amount })]));
    expect(bank.whys().toSorted()).toEqual(['REFERENCE_REUSED', 'UNKNOWN_DEBIT']);
    expect(bank.told.endings).toHaveLength(lines.length);
  });

  it('that takes a credit back does not settle the order that it names', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    await bank.deliver(statement([batch(bank, '', { reversal: true })]));
    expect(bank.cases()).toMatchObject([{ why: 'CREDIT_REVERSED' }]);
    expect(bank.told.endings).toEqual([]);
  });

  it('of an order as one settles it, by the name of the message', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    const text = batch(bank).replace(/<PmtInfId>.*<\/PmtInfId>/, `<MsgId>${messageIdOf(bank)}</MsgId>`);
    await bank.deliver(statement([text]));
    expect(bank.told.endings).toEqual(both);
    expect(bank.cases()).toEqual([]);
  });

  it('in capitals is known', async () => {
    const bank = await bankThatHas([euroPayment(0xab)]);
    await bank.deliver(statement([debit(0xab, { endToEndId: endToEndIdOf(0xab).toUpperCase() })]));
    expect(bank.told.endings).toHaveLength(1);
  });

  it.each([
    ['of another amount', debit(1, { amount: '12.35' }), 'AMOUNT_DIFFERS'],
    ['of a payment that nobody knows', debit(7), 'UNKNOWN_DEBIT'],
    ['of charges', entry({ direction: 'DBIT', remittance: 'Charges' }), 'UNKNOWN_DEBIT'],
    ['that takes a credit back', entry({ direction: 'DBIT', reversal: true }), 'CREDIT_REVERSED'],
    [
      'that takes a credit back, as a number says',
      entry({ direction: 'DBIT', reversal: true }).replace('<RvslInd>true', '<RvslInd>1'),
      'CREDIT_REVERSED',
    ],
  ])('%s is listed', async (_what, line, why) => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([line]));
    expect(bank.cases()).toMatchObject([{ why, direction: 'debit' }]);
    expect(bank.told.endings).toEqual([]);
  });

  const together = (total: string, ...lines: readonly string[]) => {
    const part = (line: string) => /<TxDtls>.*<\/TxDtls>/s.exec(line)?.[0] ?? '';
    const whole = debit(9, { amount: total, reference: 'TOGETHER' });
    return statement([whole.replace(/<TxDtls>.*<\/TxDtls>/s, lines.map(part).join(''))]);
  };

  it('of more than its payments, by charges, settles them', async () => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    await bank.deliver(together('25.00', debit(1), debit(2)));
    expect(bank.told.endings).toEqual([1, 2].map((n) => [paymentIdOf(n), settled]));
    expect(bank.cases()).toEqual([]);
  });

  it.each([
    ['its payment', '0.01', [debit(1)], { endToEndId: endToEndIdOf(1) }],
    [
      'its payments together',
      '24.67',
      [debit(1), debit(2)],
      { endToEndIds: [endToEndIdOf(1), endToEndIdOf(2)] },
    ],
  ])('of less than %s settles nothing, and is listed', async (_what, total, lines, named) => {
    const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
    await bank.deliver(together(total, ...lines));
    expect(bank.told.endings).toEqual([]);
    expect(bank.cases()).toMatchObject([{ why: 'AMOUNT_DIFFERS', amount: total, ...named }]);
  });

  it('of less than what it is of, none of it a payment, is unknown', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(together('5.00', debit(7), entry({ direction: 'DBIT' })));
    expect(bank.cases()).toMatchObject([{ why: 'UNKNOWN_DEBIT', amount: '5.00' }]);
  });

  it.each([
    ['UNKNOWN_DEBIT', 'of nothing of ours', [7, 8]],
    ['AMOUNT_DIFFERS', 'that name a payment', [1, 7]],
  ])(
    'with transactions in another currency is %s of its own, %s, beside all else',
    async (why, _of, names) => {
      const bank = await bankThatHas([euroPayment(1), euroPayment(2)]);
      const lines = names.map((n) => debit(n, { currency: 'USD' }));
      const text = together('24.68', ...lines).replace('</Stmt>', `${debit(2)}${entry({})}</Stmt>`);
      await bank.deliver(text);
      expect(bank.cases()).toMatchObject([{ why, amount: '24.68', currency: 'EUR' }]);
      expect(bank.told.endings).toEqual([[paymentIdOf(2), settled]]);
      expect(bank.told.arrivals).toHaveLength(1);
    },
  );

  const net = (total: string) =>
    together(total, debit(1, { amount: '20.00' }), debit(2, { direction: 'CRDT' }));
  const amount = { minor: 2_000n, currency: 'EUR' };

  it('that is what is left of a payment and a return settles the one and brings back the other', async () => {
    const bank = await bankThatHas([euroPayment(1, { amount }), euroPayment(2)]);
    await bank.deliver(statement([debit(2)]));
    await bank.deliver(net('7.66'), 'net.xml');
    expect(bank.told.endings).toEqual([
      [paymentIdOf(2), settled],
      [paymentIdOf(1), settled],
      [paymentIdOf(2), returned],
    ]);
    expect(bank.cases()).toEqual([]);
  });

  it('of both directions that do not add up is listed', async () => {
    const bank = await bankThatHas([euroPayment(1, { amount }), euroPayment(2)]);
    await bank.deliver(net('8.00'));
    expect(bank.cases()).toMatchObject([{ why: 'AMOUNT_DIFFERS', amount: '8.00' }]);
    expect(bank.told.endings).toEqual([]);
  });

  it.each([
    ['debits', statement([debit(1)]), 'UNKNOWN_DEBIT'],
    ['returns', statement([comeBack(1)]), 'UNKNOWN_RETURN'],
    [
      'refuses',
      statusReport({ messageId: 'X', transfers: [{ endToEndId: endToEndIdOf(1), status: 'RJCT' }] }),
      'UNKNOWN_PAYMENT',
    ],
  ])('of a payment that the books do not have: what the bank %s is listed', async (_what, text, why) => {
    const bank = await bankThatHas([euroPayment(1)], { became: 'unknown' });
    await bank.deliver(text);
    expect(bank.cases()).toMatchObject([{ why }]);
  });

  it('that is not booked yet is left for the statement that has it booked', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1, { status: 'PDNG' })]));
    expect(bank.told.endings).toEqual([]);
    await bank.deliver(statement([debit(1)], { id: 'STMT2' }), 'next.xml');
    expect(bank.told.endings).toHaveLength(1);
  });

  it('that comes twice is listed: the bank has paid twice', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1), debit(1, { reference: 'ANOTHER' })]));
    expect(bank.told.endings).toHaveLength(1);
    expect(bank.cases()).toMatchObject([{ why: 'DEBITED_TWICE', bankReference: 'ANOTHER' }]);
  });

  it('of a payment that the bank has refused is listed', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const transfers = [{ endToEndId: endToEndIdOf(1), status: 'RJCT', code: 'AC01' }];
    await bank.deliver(statusReport({ messageId: messageIdOf(bank), transfers }));
    await bank.deliver(statement([debit(1)]), 'statement.xml');
    expect(bank.whys()).toEqual(['DEBITED_AFTER_REFUSAL']);
    expect(await bank.rail.statusOf(euroPayment(1), asked)).toEqual(failed);
  });
});

describe('a return', () => {
  it('brings a settled payment back', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1)]));
    await bank.deliver(statement([comeBack(1)], { id: 'STMT2' }), 'next.xml');
    expect(bank.told.endings).toEqual([
      [paymentIdOf(1), settled],
      [paymentIdOf(1), returned],
    ]);
    expect(await bank.rail.statusOf(euroPayment(1), asked)).toEqual(returned);
    expect(bank.told.arrivals).toEqual([]);
  });

  it('is told by pacs.004 and by the statement, and is one', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1)]));
    await bank.deliver(paymentReturn(endToEndIdOf(1), '12.34', 'AC04'), 'return.xml');
    await bank.deliver(statement([comeBack(1)], { id: 'STMT2' }), 'next.xml');
    const endings = bank.told.endings.map(([, { status }]) => status);
    expect(new Set(endings)).toEqual(new Set(['settled', 'returned']));
    expect(bank.cases()).toEqual([]);
  });

  it('that is read before the debit leaves the payment returned', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([comeBack(1)]));
    await bank.deliver(statement([debit(1)], { id: 'STMT2' }), 'next.xml');
    expect(bank.told.endings).toEqual([[paymentIdOf(1), returned]]);
    expect(bank.cases()).toEqual([]);
    expect(await bank.rail.statusOf(euroPayment(1), asked)).toEqual(returned);
  });

  it.each([
    ['of less than was paid', comeBack(1, { amount: '10.00' }), 'AMOUNT_DIFFERS'],
    ['of a payment that nobody knows', comeBack(7), 'UNKNOWN_RETURN'],
  ])('%s is listed, and credited to nobody', async (_what, line, why) => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1), line]));
    expect(bank.cases().map((one) => one.why)).toEqual([why]);
    expect(bank.told.arrivals).toEqual([]);
    expect(bank.told.endings).toHaveLength(1);
  });

  it('has a reason also in the bank’s own words', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const text = comeBack(1, { returnCode: 'AM05' }).replace(/<Cd>AM05<\/Cd>/, '<Prtry>AM05 double</Prtry>');
    await bank.deliver(statement([debit(1), text]));
    expect(bank.told.endings.at(-1)).toEqual([
      paymentIdOf(1),
      { status: 'returned', reason: 'QUOTE_EXECUTION_FAILED' },
    ]);
  });

  it('that comes twice is listed', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(statement([debit(1), comeBack(1), comeBack(1, { reference: 'ANOTHER' })]));
    expect(bank.cases()).toMatchObject([{ why: 'RETURNED_TWICE' }]);
  });

  it('of less than was paid says whether another has brought the payment back', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const less = comeBack(1, { amount: '10.00', reference: 'LESS' });
    await bank.deliver(statement([debit(1), less]));
    expect(bank.cases()[0]).not.toHaveProperty('alreadyReturned');
    await bank.deliver(paymentReturn(endToEndIdOf(1), '12.34', 'AC04'), 'a.xml');
    const charged = comeBack(1, { amount: '12.00', reference: 'CHARGED' });
    await bank.deliver(statement([charged], { id: 'STMT2' }), 'b.xml');
    await bank.deliver(
      paymentReturn(endToEndIdOf(1), '12.01', 'AC04').replace('RETURN1', 'RETURN2'),
      'c.xml',
    );
    for (const amount of ['12.00', '12.01'])
      expect(bank.cases().find((one) => one.amount === amount)).toMatchObject({
        why: 'AMOUNT_DIFFERS',
        alreadyReturned: true,
      });
  });

  it('by pacs.004 names the payment by the transfer that it was, where it says NOTPROVIDED', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const name = `<OrgnlTxRef><PmtId><EndToEndId>${endToEndIdOf(1)}</EndToEndId></PmtId></OrgnlTxRef></TxInf>`;
    await bank.deliver(paymentReturn('NOTPROVIDED', '12.34', 'AC04').replace('</TxInf>', name));
    expect(bank.told.endings).toEqual([[paymentIdOf(1), returned]]);
    expect(bank.cases()).toEqual([]);
  });

  it('by pacs.004 without a name of its own is known by where it stands', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const text = paymentReturn('NOT-OURS', '12.00', 'AC04').replace('<RtrId>R1</RtrId>', '');
    const line = /<TxInf>.*<\/TxInf>/s.exec(text)?.[0] ?? '';
    await bank.deliver(text.replace('</PmtRtr>', `${line}</PmtRtr>`));
    expect(bank.cases().map((one) => one.return)).toEqual(
      expect.arrayContaining(['pacs.004/RETURN1/RETURN1/1', 'pacs.004/RETURN1/RETURN1/2']),
    );
  });

  it('by pacs.004 of less, or of nothing of ours, is listed', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    await bank.deliver(paymentReturn(endToEndIdOf(1), '12.00', 'AC04'), 'a.xml');
    await bank.deliver(paymentReturn('NOT-OURS', '12.00', 'AC04').replace('RETURN1', 'RETURN2'), 'b.xml');
    expect(bank.whys().toSorted()).toEqual(['AMOUNT_DIFFERS', 'UNKNOWN_RETURN']);
  });
});
