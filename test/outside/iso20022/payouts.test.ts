import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemIds } from '../../../src/kernel/ids.ts';
import { openOrders } from '../../../src/outside/iso20022/files/orders.ts';
import { orderSchema } from '../../../src/outside/iso20022/schema/pain-001.ts';
import {
  asked,
  bankSettings,
  bankThatHas,
  endToEndIdOf,
  euroPayment,
  openBank,
  payee,
  payeeIban,
  paymentIdOf,
  sterlingPayment,
  temporaryFolder,
} from '../../support/bank/bank.ts';
import { euroAccount } from '../../support/bank/messages.ts';
import { validAccountInfo } from '../../support/builders/external-accounts.ts';
import { usd } from '../../support/builders/money.ts';
import { testStart } from '../../support/time/clock.ts';

const ordersIn = (folder: string) =>
  openOrders({ state: `${folder}/state`, out: `${folder}/out`, sent: `${folder}/sent` }, systemIds);

const countOf = (text: string, part: string) => text.split(part).length - 1;

describe('a payment to a bank account', () => {
  it('leaves in one order, with its identifier, payee and reference', async () => {
    const { rail, orders } = await openBank();
    const payment = euroPayment(1, { remittanceInformation: 'Invoice 7' });
    expect(await rail.submit(payment, asked)).toMatchObject({
      status: 'accepted',
      reference: endToEndIdOf(1),
      underway: true,
    });
    await rail.turn(asked.signal);
    const [order = ''] = orders();
    expect(orders()).toHaveLength(1);
    expect(order).toContain(`<EndToEndId>${endToEndIdOf(1)}</EndToEndId>`);
    expect(order).toContain(`<IBAN>${payeeIban}</IBAN>`);
    expect(order).toContain('<InstdAmt Ccy="EUR">12.34</InstdAmt>');
    expect(order).toContain('<Ustrd>TO00000000000001 Invoice 7</Ustrd>');
  });

  it('leaves once, however often it is submitted and whatever the turn', async () => {
    const { rail, orders } = await openBank();
    await Promise.all([rail.submit(euroPayment(), asked), rail.submit(euroPayment(), asked)]);
    await rail.turn(asked.signal);
    await rail.submit(euroPayment(), asked);
    await rail.turn(asked.signal);
    expect(orders()).toHaveLength(1);
    expect(countOf(orders().join(), '<CdtTrfTxInf>')).toBe(1);
  });

  it('leaves once, where a slow repeat puts it into the queue again', async () => {
    const bank = await bankThatHas([euroPayment()]);
    const queue = ordersIn(bank.folder);
    await queue.wait(endToEndIdOf(1));
    await bank.rail.turn(asked.signal);
    expect(bank.orders()).toHaveLength(1);
    expect(await queue.waiting()).toEqual([]);
  });

  it('leaves once, where a second process goes on with an order while the first is still at it', async () => {
    const { rail, folder, orders } = await openBank();
    await rail.submit(euroPayment(), asked);
    const first = ordersIn(folder);
    const endToEndIds = [endToEndIdOf(1)];
    const createdAt = testStart.toISOString();
    const plan = {
      messageId: 'a'.repeat(32),
      createdAt,
      currency: 'EUR',
      isInstant: false,
      endToEndIds,
    } as const;
    const begun = await first.begin({ ...plan, endToEndIds });
    await rail.turn(asked.signal);
    rmSync(`${folder}/out/${plan.messageId}.xml`);
    await expect(first.stage(begun, '<too-late/>')).rejects.toThrow('another process has claimed the order');
    await rail.turn(asked.signal);
    expect(orders()).toEqual([]);
  });

  it('waits in the folder, where another process puts it into an order', async () => {
    const { rail, folder } = await openBank();
    await rail.submit(euroPayment(), asked);
    const other = await openBank({ folder });
    await other.rail.turn(asked.signal);
    expect(other.orders()).toHaveLength(1);
    expect(await other.rail.statusOf(euroPayment(), asked)).toMatchObject({ status: 'accepted' });
  });

  it('leaves in an order of its currency and of its speed', async () => {
    const instant = euroPayment(3, { paymentRail: 'SEPA_INSTANT' });
    const { orders } = await bankThatHas([euroPayment(1), sterlingPayment(2), instant, euroPayment(4)]);
    expect(
      orders()
        .map((order) => countOf(order, '<CdtTrfTxInf>'))
        .toSorted(),
    ).toEqual([1, 1, 2]);
    expect(countOf(orders().join(), '<Cd>INST</Cd>')).toBe(1);
  });

  it('leaves with at most so many others', async () => {
    const payments = Array.from({ length: 11 }, (_, n) => euroPayment(n + 1));
    const { orders } = await bankThatHas(payments);
    const counts = orders().map((order) => countOf(order, '<CdtTrfTxInf>'));
    expect(counts.toSorted((a, b) => a - b)).toEqual([1, 10]);
  });

  it('is named by an order that no other is named like', async () => {
    const { rail, names } = await bankThatHas([euroPayment(1)]);
    await rail.submit(euroPayment(2), asked);
    await rail.turn(asked.signal);
    expect(new Set(names('out')).size).toBe(2);
    expect(names('sent')).toEqual(names('out'));
  });

  it.each([
    ['pulls money', euroPayment(1, { kind: 'transfer-in' })],
    ['goes to an address', euroPayment(1, { counterparty: { kind: 'address', umaAddress: '$a@b.example' } })],
    ['is in another currency', euroPayment(1, { amount: usd(1n), counterparty: payee('USD_ACCOUNT') })],
    [
      'is in a currency that the account does not hold',
      euroPayment(1, { counterparty: payee('GBP_ACCOUNT') }),
    ],
    ['is of nothing', euroPayment(1, { amount: { minor: 0n, currency: 'EUR' } })],
    [
      'is of more than SEPA carries',
      euroPayment(1, { amount: { minor: 100_000_000_000n, currency: 'EUR' } }),
    ],
    [
      'goes to the own account',
      euroPayment(1, { counterparty: payee('EUR_ACCOUNT', { iban: euroAccount }) }),
    ],
    [
      'goes to the own account in GBP',
      {
        ...sterlingPayment(1),
        counterparty: payee('GBP_ACCOUNT', { sortCode: '601613', accountNumber: '31926819' }),
      },
    ],
    [
      'goes to an IBAN with wrong check digits',
      euroPayment(1, { counterparty: payee('EUR_ACCOUNT', { iban: 'DE88370400440532013000' }) }),
    ],
    [
      'goes to a name that no bank can write',
      euroPayment(1, {
        counterparty: payee('EUR_ACCOUNT', {
          iban: payeeIban,
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: '王小明' },
        }),
      }),
    ],
  ])('fails at once where it %s', async (_what, payment) => {
    const { rail, orders } = await openBank();
    const submission = await rail.submit(payment, asked);
    expect(submission).toMatchObject({ status: 'ended', ending: { status: 'failed' } });
    await rail.turn(asked.signal);
    expect(orders()).toEqual([]);
    expect({ status: 'ended', ending: await rail.statusOf(payment, asked) }).toEqual(submission);
  });

  it('that one process could not carry is carried by no other, whatever its settings', async () => {
    const { accounts } = bankSettings('');
    const former = await openBank({ settings: { accounts: accounts.slice(0, 1) } });
    const refused = await former.rail.submit(sterlingPayment(1), asked);
    expect(refused).toMatchObject({ ending: { reason: 'QUOTE_EXECUTION_FAILED' } });
    const next = await openBank({ folder: former.folder });
    expect(await next.rail.submit(sterlingPayment(1), asked)).toEqual(refused);
    await next.rail.turn(asked.signal);
    expect(next.orders()).toEqual([]);
    expect({ status: 'ended', ending: await next.rail.statusOf(sterlingPayment(1), asked) }).toEqual(refused);
    expect({ status: 'ended', ending: await next.rail.withdraw(sterlingPayment(1), asked) }).toEqual(refused);
  });

  it('fails for the reason of whoever came first', async () => {
    const info = {
      iban: payeeIban,
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: '王小明' },
    } as const;
    const nameless = euroPayment(1, { counterparty: payee('EUR_ACCOUNT', info) });
    const former = await openBank();
    const refused = await former.rail.submit(nameless, asked);
    expect(refused).toMatchObject({ ending: { reason: 'OFFRAMP_FAILED' } });
    const { accounts } = bankSettings('');
    const next = await openBank({ folder: former.folder, settings: { accounts: accounts.slice(1) } });
    expect(await next.rail.submit(nameless, asked)).toEqual(refused);
  });

  it('is carried once one process has taken it, where another could not carry it at that moment', async () => {
    const { accounts } = bankSettings('');
    const folder = temporaryFolder();
    const rails = await Promise.all([
      openBank({ folder }),
      openBank({ folder, settings: { accounts: accounts.slice(0, 1) } }),
    ]);
    const payments = Array.from({ length: 20 }, (_, n) => sterlingPayment(n + 1));
    const answers = await Promise.all(
      payments.map((payment) => Promise.all(rails.map(({ rail }) => rail.submit(payment, asked)))),
    );
    for (const [one, other] of answers) expect(other).toEqual(one);
    await rails[0].rail.turn(asked.signal);
    const taken = answers.filter(([one]) => one?.status === 'accepted').length;
    expect(countOf(rails[0].orders().join(), '<CdtTrfTxInf>')).toBe(taken);
  });

  it('holds up none in another currency, where its account was taken out of the settings', async () => {
    const former = await openBank();
    await former.rail.submit(euroPayment(1), asked);
    const { folder } = former;
    const next = await openBank({ folder, settings: { accounts: bankSettings('').accounts.slice(1) } });
    for (const n of [2, 3]) {
      await next.rail.submit(sterlingPayment(n), asked);
      await next.rail.turn(asked.signal);
      expect(countOf(next.orders().join(), 'Ccy="GBP"')).toBe(n - 1);
    }
    expect(countOf(next.told.lines.join(), 'an order for the bank could not leave')).toBe(2);
    expect(await next.rail.statusOf(euroPayment(1), asked)).toMatchObject({ status: 'accepted' });
    const again = await openBank({ folder });
    await again.turns();
    expect(countOf(again.orders().join(), endToEndIdOf(1))).toBe(1);
    expect(again.orders()).toHaveLength(3);
  });

  it.each([
    ['IBAN', (text: string) => text.replace(/(?<=IBAN2007Identifier.*?value=")[^"]*/, 'DE.*'), payeeIban],
    [
      'Nm',
      (text: string) => text.replace(/(?<=Max70Text".*?pattern value=")[^"]*/, 'Daybook Ltd'),
      'Lovelace',
    ],
  ])(
    'tells nobody in the log, where the schema of the bank refuses its %s',
    async (element, narrow, secret) => {
      const former = await openBank();
      const info = {
        iban: payeeIban,
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' },
      } as const;
      await former.rail.submit(euroPayment(1, { counterparty: payee('EUR_ACCOUNT', info) }), asked);
      const schemas = temporaryFolder();
      const message = 'pain.001.001.09';
      writeFileSync(join(schemas, `${message}.xsd`), narrow(orderSchema(message)));
      const next = await openBank({ folder: former.folder, settings: { schemas } });
      await next.rail.turn(asked.signal);
      expect(next.told.lines).toEqual(['an order for the bank could not leave; trying again']);
      expect(next.told.fields.join()).toMatch(new RegExp(`breaks the schema: line \\d+: ${element}\\b`));
      expect(next.told.fields.join()).not.toContain(secret);
    },
  );

  it('is ordered for the day on which its order can leave', async () => {
    const former = await openBank();
    await former.rail.submit(euroPayment(1), asked);
    const { folder } = former;
    const held = await openBank({ folder, settings: { accounts: bankSettings('').accounts.slice(1) } });
    await held.rail.turn(asked.signal);
    expect(held.names('state/orders')).toHaveLength(1);
    const next = await openBank({ folder, now: () => new Date('2027-02-01T09:30:00.250Z') });
    await next.rail.turn(asked.signal);
    expect(next.orders().join()).toMatch(/<ReqdExctnDt>\s*<Dt>2027-02-01</);
    expect(next.orders().join()).toContain('<CreDtTm>2027-02-01T09:30:00Z<');
  });

  it('is in one open order, however often that cannot be written', async () => {
    const { rail, folder, names } = await openBank();
    await rail.submit(euroPayment(1), asked);
    await rail.submit(sterlingPayment(2), asked);
    // Nobody can tell whether it has left.
    const fact = join(folder, 'state/payments', endToEndIdOf(1).slice(-2), `${endToEndIdOf(1)}.sent.json`);
    const queue = ordersIn(folder);
    const createdAt = testStart.toISOString();
    const endToEndIds = [endToEndIdOf(1)];
    const messageId = 'a'.repeat(32);
    await queue.begin({ messageId, createdAt, currency: 'EUR', isInstant: false, endToEndIds });
    writeFileSync(fact, 'torn');
    for (const _ of [1, 2]) await rail.turn(asked.signal);
    expect(names('out')).toHaveLength(1);
    expect(names('state/orders')).toHaveLength(1);
    rmSync(fact);
    await rail.turn(asked.signal);
    expect(names('out')).toHaveLength(2);
  });

  it('never leaves once it was called back', async () => {
    const { rail, orders } = await openBank();
    expect(await rail.withdraw(euroPayment(), asked)).toEqual({ status: 'unknown' });
    expect(await rail.submit(euroPayment(), asked)).toMatchObject({
      status: 'ended',
      ending: { status: 'failed' },
    });
    await rail.turn(asked.signal);
    expect(orders()).toEqual([]);
  });

  it('leaves or is called back, whichever came first', async () => {
    const { rail, orders } = await openBank();
    const payments = Array.from({ length: 20 }, (_, n) => euroPayment(n + 1));
    const answers = await Promise.all(
      payments.map(async (payment) => {
        const [submission, withdrawn] = await Promise.all([
          rail.submit(payment, asked),
          rail.withdraw(payment, asked),
        ]);
        return [submission.status === 'accepted', withdrawn.status === 'accepted'];
      }),
    );
    await rail.turn(asked.signal);
    for (const [wasTaken, isKept] of answers) expect(wasTaken).toBe(isKept);
    const taken = answers.filter(([wasTaken]) => wasTaken).length;
    expect(countOf(orders().join(), '<CdtTrfTxInf>')).toBe(taken);
  });

  it('is unknown before it was handed over', async () => {
    const { rail } = await openBank();
    expect(await rail.statusOf(euroPayment(), asked)).toEqual({ status: 'unknown' });
  });

  it('keeps its files from others', async () => {
    const { folder, names } = await bankThatHas([euroPayment()]);
    expect(statSync(`${folder}/state`).mode & 0o777).toBe(0o700);
    // The bank's software may read an order as one of the group.
    expect(statSync(`${folder}/out/${names('out')[0]}`).mode & 0o777).toBe(0o640 & ~process.umask());
  });

  it('has an identifier from which the payment is known', () => {
    expect(paymentIdOf(1)).toBe('Transaction:00000000-0000-4000-8000-000000000001');
    expect(endToEndIdOf(1)).toHaveLength(32);
  });
});

describe('a new external account', () => {
  const check = async (iban: string) => {
    const { rail } = await openBank();
    return rail.checkName(validAccountInfo('EUR_ACCOUNT', { iban }), asked);
  };
  it('is refused with wrong check digits', async () => {
    await expect(check('NL92ABNA0417164300')).rejects.toMatchObject({ code: 'INVALID_BANK_ACCOUNT' });
  });
  it('is taken with right ones', async () => expect(await check(payeeIban)).toBeUndefined());
});
