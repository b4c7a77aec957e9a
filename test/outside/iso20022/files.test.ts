import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { xmlCleanupInputProvider, xmlRegisterInputProvider } from 'libxml2-wasm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asked, bankSettings, openBank, sterlingPayment, temporaryFolder } from '../../support/bank/bank.ts';
import { entry, statement } from '../../support/bank/messages.ts';

const credit = entry({ remittance: 'DB-ABCDEFGHIJ' });
const good = statement([credit, entry({ reference: 'B', remittance: 'DB-ABCDEFGHIJ' })]);
const total = (count: number, sum: string, of = 'TtlNtries') =>
  `<TxsSummry><${of}><NbOfNtries>${count}</NbOfNtries><Sum>${sum}</Sum></${of}></TxsSummry>`;
const debit = entry({ direction: 'DBIT', amount: '1.00', reference: 'D', remittance: 'Charges' });
const withType = (type: string, body = good) => body.replace('<Document', `${type}\n<Document`);

describe('a file of the bank', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['is torn', good.slice(0, good.length / 2), /not XML/],
    ['ends within a tag', good.slice(0, -3), /not XML/],
    ['is empty', '', /not XML/],
    ['is no XML', 'Dear customer,', /not XML/],
    ['is a ZIP archive', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), /not XML/],
    ['is another document', '<a xmlns="urn:b"/>', /not a message that is read here: pain\.002/],
    ['is a version that nobody reads', good.replaceAll('053.001.08', '053.001.99'), /not a message/],
    ['is another message', good.replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'), /no BkToCstmrStmt/],
    [
      'has a second message',
      good.replace('</Document>', '<BkToCstmrStmt/></Document>'),
      /more than one message/,
    ],
    ['has a document type', withType('<!DOCTYPE Document>'), /document type/],
    [
      'expands entities',
      withType(
        '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>',
        good.replace('DB-', '&c;'),
      ),
      /document type|not XML/,
    ],
    [
      'asks for another file',
      withType('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', good.replace('DB-', '&b;')),
      /document type|not XML/,
    ],
    ['has more elements than allowed', statement(Array(90_000).fill('<Ntry/>')), /more than \d+ elements/],
    ['is larger than allowed', `${good}${' '.repeat(1_000_000)}`, /larger than 1000000 bytes/],
    ['has no account', good.replace(/<Acct>.*?<\/Acct>/s, ''), /no account/],
    [
      'is of an account of somebody else',
      good.replace('DE89370400440532013000', 'DE02120300000000202051'),
      /settings/,
    ],
    ['has an amount with three decimals', good.replace('12.34', '12.345'), /decimals/],
    ['has an amount that is none', good.replace('12.34', '12,34'), /amount/],
    ['has an amount without a currency', good.replace(' Ccy="EUR"', ''), /no currency/],
    ['has an entry in another currency', good.replaceAll('Ccy="EUR"', 'Ccy="USD"'), /EUR or GBP/],
    [
      'has an entry in the currency of another account',
      good.replaceAll('Ccy="EUR"', 'Ccy="GBP"'),
      /its account/,
    ],
    ['has an entry that is neither credit nor debit', good.replace('CRDT', 'BOTH'), /credit nor debit/],
    ['has an entry without a status', good.replace(/<Sts>.*?<\/Sts>/s, ''), /no status/],
    ['has an identifier of 36 characters', good.replace('STMT1', 's'.repeat(36)), /1 to 35 characters/],
    [
      'has an entry of no namespace',
      good.replace('<Ntry>', '<Ntry xmlns="">'),
      /Stmt has an element of another/,
    ],
    [
      'has a second statement of no namespace',
      good.replace('</Stmt>', '</Stmt><Stmt xmlns=""/>'),
      /BkToCstmrStmt has an element of another namespace/,
    ],
    [
      'has an element of another namespace in a text',
      good.replace('DB-', 'DB-<x:y xmlns:x="urn:x"/>'),
      /Ustrd has an element of another namespace/,
    ],
    [
      'has the currency of an amount in another namespace',
      good.replace('Ccy=', 'xmlns:x="urn:x" x:Ccy='),
      /no currency/,
    ],
    ['lost an entry on the way', statement([credit], { summary: total(2, '24.68') }), /1 entries and says 2/],
    ['has amounts that do not add up', statement([credit], { summary: total(1, '24.68') }), /add up/],
    [
      'lost a credit on the way',
      statement([credit, debit], { summary: total(2, '13.34', 'TtlCdtNtries') }),
      /1 credits and says 2/,
    ],
    [
      'has credits that do not add up',
      statement([credit, debit], { summary: total(1, '13.34', 'TtlCdtNtries') }),
      /credits do not add up/,
    ],
    [
      'lost its debits on the way',
      statement([credit], { summary: total(1, '1.00', 'TtlDbtNtries') }),
      /0 debits and says 1/,
    ],
    [
      'has debits that do not add up',
      statement([credit, debit], { summary: total(1, '1.01', 'TtlDbtNtries') }),
      /debits do not add up/,
    ],
  ])('that %s is put aside with the reason, and nothing of it is done', async (_what, text, reason) => {
    const bank = await openBank();
    await bank.deliver(text, 'a.xml');
    expect(bank.names('in')).toEqual([]);
    expect(bank.names('rejected')).toEqual(['a.xml', 'a.xml.reason.txt']);
    expect(bank.read('rejected', 'a.xml.reason.txt')).toMatch(reason);
    expect(bank.told.arrivals).toEqual([]);
    expect(bank.told.lines).toContain('a file of the bank was put aside: see rejected');
  });

  it('has nothing loaded for it, whatever it asks for', async () => {
    const wanted: string[] = [];
    const isRegistered = xmlRegisterInputProvider({
      match: (name) => wanted.push(name) > 0,
      open: () => undefined,
      read: () => -1,
      close: () => true,
    });
    expect(isRegistered).toBe(true);
    onTestFinished(() => xmlCleanupInputProvider());
    const bank = await openBank();
    const entity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>';
    await bank.deliver(withType(entity, good.replace('DB-', '&b;')), 'a.xml');
    await bank.deliver(withType('<!DOCTYPE Document SYSTEM "file:///a.dtd">'), 'b.xml');
    expect(wanted).toEqual([]);
    expect(bank.names('rejected')).toHaveLength(4);
  });

  it('is read whatever its name, and holds up no other', async () => {
    const bank = await openBank();
    const inLatin1 = Buffer.from(join(bank.folder, 'in', 'ums\xE4tze.xml'), 'latin1');
    writeFileSync(inLatin1, good);
    await bank.deliver(statement([entry({ reference: 'C', remittance: 'DB-ABCDEFGHIJ' })]));
    expect(bank.told.arrivals).toHaveLength(3);
    expect(bank.names('in')).toEqual([]);
    writeFileSync(inLatin1, good.replaceAll('BANKREF1', 'D'));
    await bank.turns();
    expect(bank.told.arrivals).toHaveLength(4);
    expect(bank.names('done')).toHaveLength(3);
  });

  it('is read while an order cannot leave', async () => {
    const { accounts } = bankSettings('');
    const former = await openBank();
    await former.rail.submit(sterlingPayment(1), asked);
    const bank = await openBank({ folder: former.folder, settings: { accounts: accounts.slice(0, 1) } });
    await bank.deliver(good, 'a.xml');
    expect(bank.told.lines).toContain('an order for the bank could not leave; trying again');
    expect(bank.names('done')).toEqual(['a.xml']);
    expect(bank.told.arrivals).toHaveLength(2);
  });

  it('is read while what an operator has said cannot be done', async () => {
    let isAway = false;
    const bank = await openBank({
      arrival: ({ named }) => {
        if (isAway && named.includes('DB-BBBBBBBBBB')) throw new Error('the log is away');
        return { status: 'unmatched' };
      },
    });
    await bank.deliver(statement([credit]));
    const [name = ''] = bank.names('unmatched');
    writeFileSync(join(bank.folder, 'unmatched', name.replace('.json', '.account')), 'DB-BBBBBBBBBB');
    isAway = true;
    await expect(bank.deliver(good)).rejects.toThrow('the log is away');
    await expect(bank.rail.turn(asked.signal)).rejects.toThrow('the log is away');
    expect(bank.names('in')).toEqual([]);
  });

  it.each([
    ['of all entries', total(2, '13.34')],
    ['of credits', total(1, '12.34', 'TtlCdtNtries')],
    ['of debits', total(1, '1', 'TtlDbtNtries')],
  ])('is read where its totals %s are right', async (_of, summary) => {
    const bank = await openBank();
    await bank.deliver(statement([credit, debit], { summary }));
    expect(bank.told.arrivals).toHaveLength(1);
  });

  it('is read after it was put right and brought again', async () => {
    const bank = await openBank();
    await bank.deliver(good.slice(0, -3), 'a.xml');
    await bank.deliver(good, 'a.xml');
    expect(bank.told.arrivals).toHaveLength(2);
    expect(bank.names('done')).toEqual(['a.xml']);
  });

  it.each(['latin1', 'utf16le'] as const)('in %s is read', async (encoding) => {
    const name = encoding === 'latin1' ? 'ISO-8859-1' : 'UTF-16';
    const mark = encoding === 'latin1' ? '' : '\uFEFF';
    const text = `${mark}${statement([entry({ remittance: 'für DB-ABCDEFGHIJ' })]).replace('UTF-8', name)}`;
    const bank = await openBank();
    await bank.deliver(Buffer.from(text, encoding));
    expect(bank.told.arrivals[0]?.named).toEqual(['für DB-ABCDEFGHIJ']);
  });

  it('with a prefix, comments and what banks add in an envelope of another namespace is read', async () => {
    const added = '<SplmtryData><Envlp><x:y xmlns:x="urn:x">no</x:y></Envlp></SplmtryData>';
    const text = statement([entry({ remittance: 'DB-ABCDEF<!-- x -->GHIJ' })])
      .replace('</TxDtls>', `${added}</TxDtls>`)
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1p:')
      .replace('xmlns=', 'xmlns:p=');
    const bank = await openBank();
    await bank.deliver(text);
    expect(bank.told.arrivals[0]?.named).toEqual(['DB-ABCDEFGHIJ']);
  });

  it.each([
    ['before the first entry', '<Ntry>'],
    ['between two entries', '</Ntry>'],
    ['in an entry', '<CdtDbtInd>'],
    ['within a text', '-ABC'],
    ['before the statement', '<Stmt>'],
    ['beside a CDATA section', '<![CDATA[DB-]]>'],
  ])('is read whole where it has processing instructions %s', async (_where, at) => {
    const bank = await openBank();
    const text = good.replace('DB-', '<![CDATA[DB-]]>');
    await bank.deliver(text.replaceAll(at, `<?a?>${at}<?b c?><?d?>`));
    expect(bank.told.arrivals.map(({ amount, named }) => [amount.minor, named])).toEqual([
      [1_234n, ['DB-ABCDEFGHIJ']],
      [1_234n, ['DB-ABCDEFGHIJ']],
    ]);
  });

  it('has the currency of its amounts, whatever an attribute of another namespace says', async () => {
    const bank = await openBank();
    await bank.deliver(good.replaceAll('Ccy="EUR"', 'Ccy="EUR" xmlns:x="urn:x" x:Ccy="GBP"'));
    expect(bank.told.arrivals.map(({ amount }) => amount.currency)).toEqual(['EUR', 'EUR']);
  });

  it('is left alone while it grows, or has the name of one that is being written', async () => {
    const bank = await openBank();
    const at = (name: string) => join(bank.folder, 'in', name);
    writeFileSync(at('a.xml'), good.slice(0, 100));
    writeFileSync(at('b.xml.part'), good);
    writeFileSync(at('.c.xml'), good);
    await bank.rail.turn(asked.signal);
    writeFileSync(at('a.xml'), good);
    await bank.rail.turn(asked.signal);
    expect(bank.told.arrivals).toEqual([]);
    await bank.rail.turn(asked.signal);
    expect(bank.told.arrivals).toHaveLength(2);
    expect(bank.names('in')).toEqual(['b.xml.part']);
    expect(bank.names('rejected')).toEqual([]);
  });

  it('is not followed through a link, nor is a folder read', async () => {
    const bank = await openBank();
    const elsewhere = join(temporaryFolder(), 'secret.xml');
    writeFileSync(elsewhere, good);
    symlinkSync(elsewhere, join(bank.folder, 'in', 'a.xml'));
    mkdirSync(join(bank.folder, 'in', 'b.xml'));
    await bank.turns();
    expect(bank.told.arrivals).toEqual([]);
    expect(readFileSync(elsewhere, 'utf8')).toBe(good);
  });

  it('with a very long name is moved under a shorter one', async () => {
    const bank = await openBank();
    await bank.deliver('torn', `${'n'.repeat(250)}.xml`);
    expect(bank.names('rejected')).toHaveLength(2);
  });

  it('and the next are read in the order of their names; one that is put aside holds up none', async () => {
    const bank = await openBank();
    const at = (name: string) => join(bank.folder, 'in', name);
    writeFileSync(at('2.xml'), statement([entry({ reference: 'SECOND' })], { id: 'B' }));
    writeFileSync(at('0.xml'), 'torn');
    writeFileSync(at('1.xml'), statement([entry({ reference: 'FIRST' })], { id: 'A' }));
    await bank.turns();
    expect(bank.told.arrivals.map(({ bankReference }) => bankReference.split('/').at(-1))).toEqual([
      'FIRST',
      'SECOND',
    ]);
  });
});

describe('a schema that the operator provides', () => {
  const schema = (namespace: string) =>
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}"><xs:element name="Document"><xs:complexType/></xs:element></xs:schema>`;

  it('is applied to what comes in', async () => {
    const schemas = temporaryFolder();
    const message = 'camt.053.001.08';
    writeFileSync(join(schemas, `${message}.xsd`), schema(`urn:iso:std:iso:20022:tech:xsd:${message}`));
    const bank = await openBank({ settings: { schemas } });
    await bank.deliver(good, 'a.xml');
    expect(bank.read('rejected', 'a.xml.reason.txt')).toMatch(/breaks the schema: line \d+/);
  });

  it('that is none stops the start', async () => {
    const schemas = temporaryFolder();
    writeFileSync(join(schemas, 'pain.002.001.10.xsd'), '<a/>');
    await expect(openBank({ settings: { schemas } })).rejects.toThrow();
  });
});
