import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  asked,
  bankThatHas,
  endToEndIdOf,
  euroPayment,
  openBank,
  paymentIdOf,
} from '../../support/bank/bank.ts';
import { entry, euroAccount, statement } from '../../support/bank/messages.ts';

type Movement = Parameters<typeof entry>[0];
const unnamed = (more: Movement = {}) => entry({ reference: 'NONREF', remittance: 'Rent', ...more });

const within = (text: string, parent: RegExp, more: string) => text.replace(parent, (all) => all + more);
/** What the statement says of itself, beside its number. */
const saying = (text: string, more: string) => within(text, /<Stmt><Id>[^<]*<\/Id>/, more);
const inMessage = (text: string, id: string) => text.replace(/<MsgId>[^<]*/, `<MsgId>${id}`);
const page = (n: number, lines: readonly string[], last = 3) =>
  saying(statement(lines), `<StmtPgntn><PgNb>${n}</PgNb><LastPgInd>${n === last}</LastPgInd></StmtPgntn>`);
const pageOfMessage = (n: number, lines: readonly string[]) =>
  within(
    statement(lines),
    /<\/CreDtTm>/,
    `<MsgPgntn><PgNb>${n}</PgNb><LastPgInd>false</LastPgInd></MsgPgntn>`,
  );

type Bank = Awaited<ReturnType<typeof openBank>>;
const deliver = async (bank: Bank, files: readonly string[]) => {
  for (const [index, text] of files.entries()) await bank.deliver(text, `${index}.xml`);
};

describe('entries without a name of the bank’s', () => {
  it.each([
    ['on pages of one statement', [1, 2, 3].map((n) => page(n, [unnamed()]))],
    ['on pages of one message', [1, 2, 3].map((n) => pageOfMessage(n, [unnamed()]))],
    [
      'on pages, of other amounts',
      ['1.00', '2.00', '3.00'].map((amount, n) => page(n + 1, [unnamed({ amount })])),
    ],
    [
      'in statements of the same number, of other years',
      ['2026', '2027', '2028'].map((year) => statement([unnamed().replace('2026-11-02', `${year}-11-02`)])),
    ],
    [
      'alike, in statements of the same number that were made at other times',
      ['2026', '2027', '2028'].map((year) =>
        saying(statement([unnamed()]), `<CreDtTm>${year}-11-02T06:00:00</CreDtTm>`),
      ),
    ],
    [
      'alike, in statements of the same number about other days',
      [2, 3, 4].map((day) =>
        saying(statement([unnamed()]), `<FrToDt><FrDtTm>2026-11-0${day}T00:00:00</FrDtTm></FrToDt>`),
      ),
    ],
    [
      'alike, in statements of the same number and another sequence number',
      ['ElctrncSeqNb', 'LglSeqNb', 'ElctrncSeqNb'].map((name, n) =>
        saying(statement([unnamed()]), `<${name}>${n}</${name}>`),
      ),
    ],
    [
      'alike, in statements of the same number that say nothing of themselves, in other messages',
      ['M1', 'M2', 'M3'].map((id) => inMessage(statement([unnamed()]), id)),
    ],
    ['alike, in one statement', [statement([unnamed(), unnamed(), unnamed()])]],
    [
      'alike, in statements of one message that are alike',
      [statement([unnamed()]).replace(/<Stmt>.*<\/Stmt>/s, (one) => `${one}${one}${one}`)],
    ],
  ])('%s are each listed', async (_where, files) => {
    const bank = await openBank();
    await deliver(bank, files);
    expect(bank.whys()).toEqual(Array(3).fill('NO_BANK_REFERENCE'));
    expect(bank.names('rejected')).toEqual([]);
  });

  it('are listed once, however often their statement is brought', async () => {
    const bank = await openBank();
    const text = saying(page(1, [unnamed(), unnamed()]), '<CreDtTm>2026-11-02T06:00:00</CreDtTm>');
    await deliver(bank, [text, text, inMessage(text, 'ANOTHER')]);
    expect(bank.cases()).toHaveLength(2);
    for (const name of bank.names('unmatched')) rmSync(join(bank.folder, 'unmatched', name));
    await bank.deliver(text, 'again.xml');
    expect(bank.cases()).toEqual([]);
  });

  it('are told with the page that they stand on', async () => {
    const bank = await openBank();
    await bank.deliver(page(2, [unnamed()]));
    expect(bank.cases()).toMatchObject([{ statement: 'STMT1/1', page: '2' }]);
  });

  it('are each credited where an operator says so', async () => {
    const bank = await openBank();
    await deliver(
      bank,
      [1, 2].map((n) => page(n, [unnamed()])),
    );
    for (const name of bank.names('unmatched'))
      writeFileSync(join(bank.folder, 'unmatched', name.replace('.json', '.account')), 'DB-ABCDEFGHIJ');
    await bank.rail.turn(asked.signal);
    const references = bank.told.arrivals.map(({ bankReference }) => bankReference);
    expect(new Set(references).size).toBe(2);
    for (const one of references) expect(one.length).toBeLessThanOrEqual(255);
  });

  it('of one payment, on two pages, are a debit and a second one', async () => {
    const bank = await bankThatHas([euroPayment(1)]);
    const debit = unnamed({ direction: 'DBIT', endToEndId: endToEndIdOf(1) });
    await deliver(
      bank,
      [1, 2, 1].map((n) => page(n, [debit])),
    );
    expect(bank.told.endings).toEqual([[paymentIdOf(1), { status: 'settled' }]]);
    expect(bank.whys()).toEqual(['DEBITED_TWICE']);
  });
});

describe('a name that the bank has given twice', () => {
  it('is listed for each of its entries, on whichever page or in whichever year', async () => {
    const bank = await openBank();
    const years = ['2027', '2028'].map((year) =>
      statement([entry({}).replace('2026-11-02', `${year}-11-02`)]),
    );
    const files = [page(1, [entry({})]), page(2, [entry({})]), page(3, [entry({})]), ...years];
    await deliver(bank, [...files, ...files]);
    expect(bank.told.arrivals).toHaveLength(1);
    expect(bank.whys()).toEqual(Array(4).fill('REFERENCE_REUSED'));
  });

  it('is one entry where the statement is made anew', async () => {
    const bank = await openBank();
    const madeAt = (hour: string) =>
      saying(statement([entry({})]), `<CreDtTm>2026-11-02T${hour}:00:00</CreDtTm>`);
    await deliver(bank, [madeAt('06'), madeAt('07')]);
    expect(bank.told.arrivals).toHaveLength(1);
    expect(bank.cases()).toEqual([]);
  });
});

/** What an installation has in its folder that knew entries without a name by statement and number alone. */
describe('a folder from before pages were told apart', () => {
  const digestOf = (...parts: readonly unknown[]) =>
    createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  const place = 'STMT1/1';
  const dealtWith = digestOf('1234', 'EUR', '2026-11-02', undefined, ['Rent']);
  const keep = (folder: string, part: string, name: string, content: unknown) => {
    const path = join(folder, 'state', part, name.slice(-2), `${name}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(content));
  };
  const paged = [1, 2].map((n) => page(n, [entry({ remittance: 'Rent' })]));

  it('has the credit of an entry with a name: it is not credited again, from any page', async () => {
    const bank = await openBank();
    keep(bank.folder, 'entries', digestOf(`${euroAccount}/credit/BANKREF1`), { digest: dealtWith, place });
    await deliver(bank, [statement([entry({ remittance: 'Rent' })]), ...paged]);
    expect(bank.told.arrivals).toEqual([]);
    expect(bank.cases()).toEqual([]);
  });

  it('has the credit of an entry by the bank’s way to write the account: it is not credited again', async () => {
    const bank = await openBank();
    const account = 'DE89 3704 0044 0532 0130 00';
    keep(bank.folder, 'entries', digestOf(`${account}/credit/BANKREF1`), { digest: dealtWith, place });
    await bank.deliver(statement([entry({ remittance: 'Rent' })], { account }));
    expect(bank.told.arrivals).toEqual([]);
    expect(bank.cases()).toEqual([]);
  });

  it('has the case of an entry without one: it is listed again, with the name of that case', async () => {
    const bank = await openBank();
    const key = `${euroAccount}/credit/@${place}`;
    const listed = digestOf('NO_BANK_REFERENCE', key);
    keep(bank.folder, 'entries', digestOf(key), { digest: dealtWith, place });
    keep(bank.folder, 'listed', listed, { why: 'NO_BANK_REFERENCE' });
    await deliver(bank, [statement([unnamed()]), statement([unnamed()])]);
    expect(bank.cases()).toMatchObject([{ why: 'NO_BANK_REFERENCE', compareWith: [listed] }]);
    expect(bank.told.arrivals).toEqual([]);
  });

  it('has the case of a name given twice: it is listed again, with the name of that case', async () => {
    const bank = await openBank();
    const key = `${euroAccount}/credit/BANKREF1`;
    const listed = digestOf('REFERENCE_REUSED', `${key} STMT1/2`);
    keep(bank.folder, 'entries', digestOf(key), { digest: dealtWith, place });
    keep(bank.folder, 'listed', listed, { why: 'REFERENCE_REUSED' });
    const named = entry({ remittance: 'Rent' });
    await bank.deliver(statement([named, named]));
    expect(bank.cases()).toMatchObject([{ why: 'REFERENCE_REUSED', compareWith: [listed] }]);
    expect(bank.told.arrivals).toEqual([]);
  });
});
