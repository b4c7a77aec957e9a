/** Entries that the bank has booked for several transactions at once, and the names that it gives to either. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEntries } from '../../../../src/outside/iso20022/files/entries.ts';
import type { Entry } from '../../../../src/outside/iso20022/messages/model.ts';
import { readMessage } from '../../../../src/outside/iso20022/messages/read.ts';
import { openBank } from '../../../support/bank/bank.ts';
import { entry, euroAccount, statement } from '../../../support/bank/messages.ts';

const transaction = (remittance: string, reference?: string) =>
  [
    '<TxDtls><Refs>',
    reference === undefined ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`,
    `</Refs><Amt Ccy="EUR">12.34</Amt><RmtInf><Ustrd>${remittance}</Ustrd></RmtInf></TxDtls>`,
  ].join('');

const entryOf = (amount: string, reference: string, ...transactions: readonly string[]) =>
  entry({ amount, reference }).replace(/<TxDtls>.*<\/TxDtls>/s, transactions.join(''));
const two = (reference: string, first = 'DB-ABCDEFGHIJ', second = 'DB-KLMNOPQRST') =>
  entryOf('24.68', reference, transaction(first), transaction(second));
/** What the bank says of an entry, beside its transactions. */
const about = (line: string, text: string) =>
  line.replace('</NtryDtls>', `</NtryDtls><AddtlNtryInf>${text}</AddtlNtryInf>`);

describe('an entry of several transactions', () => {
  it.each(['NONREF', 'NOTPROVIDED', ''])('without a name (%j) has none for its parts', async (reference) => {
    const bank = await openBank();
    await bank.deliver(statement([two(reference)]), 'a.xml');
    await bank.deliver(statement([two(reference, 'DB-UVWXYZ2345')], { id: 'STMT2' }), 'b.xml');
    await bank.deliver(statement([two(reference)]), 'a-again.xml');
    expect(bank.told.arrivals).toEqual([]);
    expect(bank.whys()).toEqual(Array(4).fill('NO_BANK_REFERENCE'));
  });

  it('has a name for each of its parts that has none of its own', async () => {
    const bank = await openBank();
    const parts = [transaction('DB-ABCDEFGHIJ', 'NOTPROVIDED'), transaction('DB-ABCDEFGHIJ', 'OWN')];
    await bank.deliver(statement([entryOf('24.68', 'E1', ...parts)]));
    expect(bank.told.arrivals.map(({ bankReference }) => bankReference)).toEqual([
      `${euroAccount}/credit/E1/1`,
      `${euroAccount}/credit/OWN`,
    ]);
  });

  it('says nothing of one part by what is said of the whole, and an operator sees it', async () => {
    const bank = await openBank({
      arrival: ({ named }) =>
        named.some((text) => text.includes('DB-ABCDEFGHIJ'))
          ? { status: 'credited', transactionId: 'Transaction:1' }
          : { status: 'unmatched' },
    });
    const text = statement([about(two('E1', 'DB-ABCDEFGHIJ', 'Rent'), '2 payments, DB-ABCDEFGHIJ')]);
    await bank.deliver(text, 'a.xml');
    await bank.deliver(text, 'b.xml');
    expect(bank.told.arrivals.map(({ named }) => named)).toEqual([['DB-ABCDEFGHIJ'], ['Rent']]);
    expect(bank.cases()).toMatchObject([
      { why: 'UNKNOWN_CREDIT', named: ['Rent'], ofEntry: '2 payments, DB-ABCDEFGHIJ' },
    ]);
  });
});

/** As an earlier version has dealt with the entries of a statement. */
async function dealtWith(folder: string, text: string, formerly: (entry: Entry) => Partial<Entry>) {
  const message = readMessage(Buffer.from(text), { elementsMax: 1_000 }, () => undefined);
  const entries = openEntries(join(folder, 'state'), join(folder, 'unmatched'));
  if (message.kind !== 'statement') expect.fail('no statement');
  for (const one of message.entries) await entries.dealtWith({ ...one, ...formerly(one) });
}

it('an entry of several transactions that was credited by what is said of the whole is not credited again', async () => {
  const bank = await openBank();
  const text = statement([about(two('E1'), 'DB-ABCDEFGHIJ')]);
  await dealtWith(bank.folder, text, ({ named }) => ({
    named: [...new Set([...named, 'DB-ABCDEFGHIJ'])],
    ofEntry: undefined,
  }));
  await bank.deliver(text);
  expect(bank.told.arrivals).toEqual([]);
  expect(bank.cases()).toEqual([]);
});

describe('an entry of one transaction', () => {
  const one = entryOf('12.34', 'E1', transaction('Rent', 'NOTPROVIDED'));

  it('has the name of the entry where the transaction has none', async () => {
    const bank = await openBank();
    await bank.deliver(statement([one]));
    expect(bank.told.arrivals.map(({ bankReference }) => bankReference)).toEqual([
      `${euroAccount}/credit/E1`,
    ]);
  });

  it('may name an account in what is said of the entry', async () => {
    const bank = await openBank();
    await bank.deliver(statement([about(one, 'DB-ABCDEFGHIJ')]));
    expect(bank.told.arrivals.map(({ named }) => named)).toEqual([['Rent', 'DB-ABCDEFGHIJ']]);
  });

  it('that was dealt with when its name was not seen is not credited again', async () => {
    const bank = await openBank();
    const text = statement([one]);
    await dealtWith(bank.folder, text, () => ({ bankReference: 'NOTPROVIDED' }));
    await bank.deliver(text);
    expect(bank.told.arrivals).toEqual([]);
    expect(bank.cases()).toEqual([]);
  });
});
