/** What Daybook keeps of a payee in its own part of the folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPayments } from '../../../src/outside/iso20022/files/payments.ts';
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
} from '../../support/bank/bank.ts';
import { entry, statement, statusReport } from '../../support/bank/messages.ts';
import { testStart } from '../../support/time/clock.ts';

const ofAda = (n: number) =>
  euroPayment(n, {
    counterparty: payee('EUR_ACCOUNT', {
      iban: payeeIban,
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' },
    }),
    remittanceInformation: 'Rent of the engine',
  });
const words = ['Lovelace', payeeIban, 'Rent of the engine'];

/** All that is below a folder, as text. */
const textBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), 'utf8'))
    .join('\n');
const stateOf = ({ folder }: { folder: string }) => textBelow(join(folder, 'state'));

describe('the payee of a payment', () => {
  it('is known until the order is shown, and not after that', async () => {
    const bank = await openBank();
    await bank.rail.submit(ofAda(1), asked);
    for (const word of words) expect(stateOf(bank)).toContain(word);
    await bank.rail.turn(asked.signal);
    for (const word of words) {
      expect(bank.orders().join()).toContain(word);
      expect(stateOf(bank)).not.toContain(word);
    }
  });

  it('is known while the order is held', async () => {
    const former = await openBank();
    await former.rail.submit(ofAda(1), asked);
    const { folder } = former;
    const held = await openBank({ folder, settings: { accounts: bankSettings('').accounts.slice(1) } });
    await held.rail.submit(sterlingPayment(2), asked);
    await held.turns();
    const next = await openBank({ folder });
    await next.turns();
    expect(next.orders().join()).toContain('Lovelace');
    expect(stateOf(next)).not.toContain('Lovelace');
  });

  it('is known where the order that was shown is not the one that it went out in', async () => {
    const bank = await openBank();
    await bank.rail.submit(ofAda(1), asked);
    const payments = openPayments(join(bank.folder, 'state'));
    const [its, other] = ['a'.repeat(32), 'b'.repeat(32)];
    await payments.forgetPayee(endToEndIdOf(1), its);
    await payments.send(endToEndIdOf(1), its, testStart);
    await payments.forgetPayee(endToEndIdOf(1), other);
    expect(stateOf(bank)).toContain('Lovelace');
    await payments.forgetPayee(endToEndIdOf(1), its);
    expect(stateOf(bank)).not.toContain('Lovelace');
  });

  it('is not needed for what the bank says afterwards', async () => {
    const bank = await bankThatHas([1, 2, 3].map(ofAda));
    const messageId = bank.names('sent')[0]?.replace('.xml', '') ?? expect.fail('no order');
    const report = statusReport({ messageId, transfers: [{ endToEndId: 'LEFT-OUT', status: 'RJCT' }] });
    const name = `<OrgnlInstrId>${ofAda(1).reference}</OrgnlInstrId>`;
    await bank.deliver(report.replace('<OrgnlEndToEndId>LEFT-OUT</OrgnlEndToEndId>', name), 'report.xml');
    const lines = [2, 3].map((n) =>
      entry({ direction: 'DBIT', endToEndId: endToEndIdOf(n), reference: `D${n}` }),
    );
    const back = entry({ endToEndId: endToEndIdOf(3), reference: 'R3', returnCode: 'AC04' });
    await bank.deliver(statement([...lines, back]), 'statement.xml');
    expect(bank.told.endings.map(([id, { status }]) => [id, status])).toEqual([
      [paymentIdOf(1), 'failed'],
      [paymentIdOf(2), 'settled'],
      [paymentIdOf(3), 'settled'],
      [paymentIdOf(3), 'returned'],
    ]);
    expect(bank.cases()).toEqual([]);
    expect(await bank.rail.submit(ofAda(2), asked)).toMatchObject({ ending: { status: 'settled' } });
    await bank.rail.turn(asked.signal);
    expect(bank.names('out')).toHaveLength(1);
  });
});
