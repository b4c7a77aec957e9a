/** Two processes that read what the bank says of one payment at once, of which one was cut off for a while. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../src/domain/ports/payment-rail.ts';
import { openPayments } from '../../../src/outside/iso20022/files/payments.ts';
import { createOutcomes } from '../../../src/outside/iso20022/work/outcomes.ts';
import { asked, bankThatHas, endToEndIdOf, euroPayment } from '../../support/bank/bank.ts';
import { testStart } from '../../support/time/clock.ts';

const endToEndId = endToEndIdOf(1);

/** A payment that has left, and what is said of it on what was known before anything was. */
async function leftPayment() {
  const { rail, folder } = await bankThatHas([euroPayment(1)]);
  const payments = openPayments(join(folder, 'state'));
  const endings: Ending[] = [];
  const ended = async (_id: string, ending: Ending) => {
    endings.push(ending);
    return 'recorded' as const;
  };
  const outcomes = createOutcomes({ payments, reports: { ended }, now: () => testStart });
  const facts = (await payments.factsOf(endToEndId)) ?? expect.fail('not taken');
  const say = (what: keyof typeof outcomes, source: string = what) =>
    outcomes[what]({ endToEndId, facts, source });
  return { rail, endings, say };
}

describe('a refusal and a debit of one payment', () => {
  it('leave it debited where the debit was read first, whoever asks', async () => {
    const { rail, endings, say } = await leftPayment();
    expect(await say('debited')).toBeUndefined();
    expect(await say('refused')).toBe('REFUSED_AFTER_DEBIT');
    expect(endings).toEqual([{ status: 'settled' }]);
    const payment = euroPayment(1, { recorded: 'settled' });
    expect(await rail.statusOf(payment, asked)).toEqual({ status: 'settled' });
  });

  it('leave it refused where the refusal was read first', async () => {
    const { rail, endings, say } = await leftPayment();
    expect(await say('refused')).toBeUndefined();
    expect(await say('debited')).toBe('DEBITED_AFTER_REFUSAL');
    expect(endings).toMatchObject([{ status: 'failed' }]);
    const payment = euroPayment(1, { recorded: 'submitted' });
    expect(await rail.statusOf(payment, asked)).toMatchObject({ status: 'failed' });
  });
});

describe('a credit that is read again since the process stopped', () => {
  it('is what it was, whatever was debited meanwhile', async () => {
    const { endings, say } = await leftPayment();
    await say('debited', 'D1');
    expect(await say('credited', 'C1')).toBeUndefined();
    expect(await say('debited', 'D2')).toBe('DEBITED_TWICE');
    expect(await say('credited', 'C1')).toBeUndefined();
    expect(await say('credited', 'C2')).toBe('RETURNED_AFTER_SECOND_DEBIT');
    expect(await say('credited', 'C1')).toBeUndefined();
    expect(new Set(endings.map(({ status }) => status))).toEqual(new Set(['settled', 'returned']));
  });
});
