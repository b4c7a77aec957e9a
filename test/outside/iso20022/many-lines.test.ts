/** How often the facts of payments are read for one report. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemIds } from '../../../src/kernel/ids.ts';
import { openOrders } from '../../../src/outside/iso20022/files/orders.ts';
import { openPayments, type Payments } from '../../../src/outside/iso20022/files/payments.ts';
import type { BankMessage } from '../../../src/outside/iso20022/messages/model.ts';
import { createOutcomes } from '../../../src/outside/iso20022/work/outcomes.ts';
import { createOwnPayments } from '../../../src/outside/iso20022/work/own-payments.ts';
import { createRefusals } from '../../../src/outside/iso20022/work/refusals.ts';
import { asked, bankThatHas, endToEndIdOf, euroPayment, paymentIdOf } from '../../support/bank/bank.ts';
import { testStart } from '../../support/time/clock.ts';

type Line = Extract<BankMessage, { kind: 'status-report' }>['lines'][number];

/** An order of so many payments, all at once, and how often their facts were read since. */
async function orderOf(count: number) {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  const bank = await bankThatHas(
    numbers.map((n) => euroPayment(n)),
    { settings: { orderTransfersMax: count } },
  );
  const { folder } = bank;
  const real = openPayments(join(folder, 'state'));
  const seen = { reads: 0, atOnce: 0, mostAtOnce: 0, ended: [] as string[] };
  const payments: Payments = {
    ...real,
    async factsOf(endToEndId) {
      seen.reads += 1;
      seen.atOnce += 1;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce);
      const facts = await real.factsOf(endToEndId);
      seen.atOnce -= 1;
      return facts;
    },
  };
  const ended = async (paymentId: string) => {
    seen.ended.push(paymentId);
    return 'recorded' as const;
  };
  const parts = { state: join(folder, 'state'), out: join(folder, 'out'), sent: join(folder, 'sent') };
  const own = createOwnPayments({ payments, orders: openOrders(parts, systemIds) });
  const outcomes = createOutcomes({ payments, reports: { ended }, now: () => testStart });
  const messageId = bank.names('sent')[0]?.replace('.xml', '') ?? expect.fail('no order');
  return { numbers, messageId, own, refusals: createRefusals({ own, outcomes }), seen };
}

const refused = { status: 'RJCT', reasonCode: 'AC01', isDuplicate: false };

describe('a status report that names each transfer by its instruction alone', () => {
  it.each([20, 80])('reads the facts of %i payments a few times each', async (count) => {
    const { numbers, messageId, refusals, seen } = await orderOf(count);
    const lines = numbers.map((n): Line => {
      const instructionId = euroPayment(n).reference;
      return { ...refused, subject: { of: 'transfer', messageId, endToEndId: undefined, instructionId } };
    });
    const cases = await refusals({ kind: 'status-report', messageId: 'STATUS1', lines }, asked.signal);
    expect(cases).toEqual([]);
    expect(seen.ended).toEqual(numbers.map((n) => paymentIdOf(n)));
    expect(seen.reads).toBeLessThanOrEqual(4 * count);
  });
});

describe('a report on an order of many payments', () => {
  it('reads no more than some of them at once', async () => {
    const { numbers, messageId, own, refusals, seen } = await orderOf(80);
    const members = await own.membersOf(messageId);
    expect(members.map(({ endToEndId }) => endToEndId)).toEqual(numbers.map((n) => endToEndIdOf(n)));
    expect(seen.mostAtOnce).toBeLessThanOrEqual(32);
    const subject: Line['subject'] = { of: 'message', messageId };
    await refusals(
      { kind: 'status-report', messageId: 'STATUS1', lines: [{ ...refused, subject }] },
      asked.signal,
    );
    expect(seen.ended).toHaveLength(80);
    expect(seen.reads).toBeLessThanOrEqual(5 * 80);
  });
});
