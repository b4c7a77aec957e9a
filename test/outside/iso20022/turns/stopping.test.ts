/** A process that is told to end while a turn is under way. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { systemIds } from '../../../../src/kernel/ids.ts';
import { openOrders } from '../../../../src/outside/iso20022/files/orders.ts';
import { openPayments } from '../../../../src/outside/iso20022/files/payments.ts';
import { createOutbox } from '../../../../src/outside/iso20022/work/outbox.ts';
import {
  asked,
  bankThatHas,
  endToEndIdOf,
  euroPayment,
  openBank,
  payeeIban,
  paymentIdOf,
  sterlingPayment,
} from '../../../support/bank/bank.ts';
import { entry, paymentReturn, statement, statusReport } from '../../../support/bank/messages.ts';
import { testStart } from '../../../support/time/clock.ts';

/** Ends with the first thing that is told. */
function endsAtOnce() {
  const ending = new AbortController();
  return { signal: ending.signal, end: () => ending.abort() };
}

type Bank = Awaited<ReturnType<typeof openBank>>;
/** A file at rest, and the turn that is told to end while it is read. */
async function takes({ rail, folder }: Bank, text: string, signal: AbortSignal) {
  writeFileSync(join(folder, 'in', 'a.xml'), text);
  await rail.turn(asked.signal);
  await rail.turn(signal);
}

describe('a turn that is told to end', () => {
  it('stops after the entry that it is at, and the file is read whole by the next', async () => {
    const { signal, end } = endsAtOnce();
    const bank = await openBank({
      arrival: () => {
        end();
        return { status: 'credited', transactionId: 'Transaction:1' };
      },
    });
    const lines = ['A', 'B', 'C'].map((reference) => entry({ reference, remittance: 'DB-ABCDEFGHIJ' }));
    await takes(bank, statement(lines), signal);
    expect(bank.told.arrivals).toHaveLength(1);
    expect(bank.names('in')).toEqual(['a.xml']);
    await bank.turns();
    const references = bank.told.arrivals.map(({ bankReference }) => bankReference.split('/').at(-1));
    expect(new Set(references)).toEqual(new Set(['A', 'B', 'C']));
    expect(bank.names('done')).toEqual(['a.xml']);
  });

  const payments = [1, 2, 3].map((n) => euroPayment(n));
  const messageIdOf = (bank: Bank) => bank.names('sent')[0]?.replace('.xml', '') ?? '';
  const returns = [1, 2, 3].map((n) => paymentReturn(endToEndIdOf(n), '12.34', 'AC04'));
  const lineOf = (text: string) => /<TxInf>.*<\/TxInf>/s.exec(text)?.[0] ?? '';

  it.each<[string, (bank: Bank) => string]>([
    [
      'of an order that is debited as one',
      (bank) =>
        statement([
          entry({ direction: 'DBIT', amount: '37.02' }).replace(
            /<NtryDtls>.*<\/NtryDtls>/s,
            `<NtryDtls><Btch><PmtInfId>${messageIdOf(bank)}-1</PmtInfId></Btch></NtryDtls>`,
          ),
        ]),
    ],
    [
      'of an order that is refused as one',
      (bank) => statusReport({ messageId: messageIdOf(bank), group: 'RJCT' }),
    ],
    [
      'of lines that refuse one each',
      (bank) =>
        statusReport({
          messageId: messageIdOf(bank),
          transfers: [1, 2, 3].map((n) => ({ endToEndId: endToEndIdOf(n), status: 'RJCT' })),
        }),
    ],
    ['of returns', () => returns.join('').replace(/<TxInf>.*<\/TxInf>/s, returns.map(lineOf).join(''))],
  ])('stops after the payment that it is at, %s', async (_what, textFor) => {
    const { signal, end } = endsAtOnce();
    const bank = await bankThatHas(payments, { onEnding: end });
    await takes(bank, textFor(bank), signal);
    expect(bank.told.endings.map(([id]) => id)).toEqual([paymentIdOf(1)]);
    expect(bank.names('in')).toEqual(['a.xml']);
    await bank.turns();
    expect(new Set(bank.told.endings.map(([id]) => id))).toEqual(
      new Set([1, 2, 3].map((n) => paymentIdOf(n))),
    );
    expect(bank.cases()).toEqual([]);
    expect(bank.names('done')).toEqual(['a.xml']);
  });

  it('credits no more than the money that it is at of what an operator has said', async () => {
    const { signal, end } = endsAtOnce();
    let isKnown = false;
    const bank = await openBank({
      arrival: () => {
        if (!isKnown) return { status: 'unmatched' };
        end();
        return { status: 'credited', transactionId: 'Transaction:1' };
      },
    });
    await bank.deliver(statement(['A', 'B'].map((reference) => entry({ reference, remittance: 'Rent' }))));
    for (const name of bank.names('unmatched'))
      writeFileSync(join(bank.folder, 'unmatched', name.replace('.json', '.account')), 'DB-ABCDEFGHIJ');
    isKnown = true;
    await bank.rail.turn(signal);
    expect(bank.names('unmatched/credited')).toHaveLength(1);
    await bank.turns();
    expect(bank.names('unmatched/credited')).toHaveLength(2);
  });

  it('before it has begun sends nothing', async () => {
    const bank = await openBank();
    await bank.rail.submit(euroPayment(1), asked);
    await bank.rail.turn(AbortSignal.abort());
    expect(bank.names('out')).toEqual([]);
    expect(bank.names('state/waiting')).toHaveLength(1);
    await bank.rail.turn(asked.signal);
    expect(bank.names('out')).toHaveLength(1);
  });

  it.each([
    ['plans', 1, 0],
    ['fills', 5, 1],
    ['shows', 7, 3],
  ])('while it %s an order leaves the order to the next', async (what, readsMax, sendsMax) => {
    const { signal, end } = endsAtOnce();
    const bank = await openBank();
    for (const payment of [...payments, sterlingPayment(4)]) await bank.rail.submit(payment, asked);
    const { folder } = bank;
    const parts = { state: join(folder, 'state'), out: join(folder, 'out'), sent: join(folder, 'sent') };
    const real = openPayments(parts.state);
    let [sends, reads] = [0, 0];
    const outbox = createOutbox({
      payments: {
        ...real,
        async factsOf(endToEndId) {
          reads += 1;
          if (what === 'plans') end();
          return real.factsOf(endToEndId);
        },
        async send(...fact) {
          sends += 1;
          if (what === 'fills') end();
          return real.send(...fact);
        },
        async forgetPayee(...fact) {
          end();
          await real.forgetPayee(...fact);
        },
      },
      orders: openOrders(parts, systemIds),
      write: () => (what === 'shows' ? '<order/>' : expect.fail('an order is written')),
      transfersMax: 10,
      ids: systemIds,
      now: () => testStart,
      log: { error: (fields) => expect.fail(inspect(fields)) },
    });
    expect(await outbox(signal)).toBe(0);
    expect([reads, sends]).toEqual([readsMax, sendsMax]);
    expect(bank.names('out')).toHaveLength(what === 'shows' ? 1 : 0);
    if (what !== 'plans') expect(bank.names('state/orders')).toHaveLength(1);
    // Nor does it go on with what is open.
    expect(await outbox(signal)).toBe(0);
    expect([reads, sends]).toEqual([readsMax, sendsMax]);
    await bank.rail.turn(asked.signal);
    expect(bank.names('out')).toHaveLength(2);
    expect(bank.names('state/orders')).toEqual([]);
    for (const n of [1, 2, 3])
      expect(bank.read(`state/payments/0${n}`, `${endToEndIdOf(n)}.first.json`)).not.toContain(payeeIban);
  });
});
