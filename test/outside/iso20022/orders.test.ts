import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PaymentOrder } from '../../../src/outside/iso20022/messages/model.ts';
import { orderVersions, writeOrder } from '../../../src/outside/iso20022/messages/pain-001.ts';
import { openSchemas } from '../../../src/outside/iso20022/schema/schemas.ts';
import { at, textAt } from '../../../src/outside/iso20022/xml/element.ts';
import { parseXml } from '../../../src/outside/iso20022/xml/xml.ts';
import { bankSettings } from '../../support/bank/bank.ts';
import { testStart } from '../../support/time/clock.ts';

type Transfer = PaymentOrder['transfers'][number];

const transfer = (more: Partial<Transfer> = {}): Transfer => ({
  endToEndId: '00000000000040008000000000000001',
  instructionId: 'TO00000000000001',
  amount: { minor: 1_234n, currency: 'EUR' },
  creditorName: 'Ada Lovelace',
  creditor: { kind: 'iban', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
  remittance: 'TO00000000000001 Invoice 7',
  isInstant: false,
  ...more,
});

const [euro, sterling] = bankSettings('/tmp').accounts;

const order = (more: Partial<PaymentOrder> = {}): PaymentOrder => ({
  messageId: '0199a0000000700080000000000000aa',
  paymentInformationId: '0199a0000000700080000000000000aa-1',
  createdAt: testStart,
  initiatingParty: 'Daybook Ltd',
  account: euro ?? expect.fail(),
  isInstant: false,
  transfers: [transfer()],
  ...more,
});

const sterlingOrder = () =>
  order({
    account: sterling ?? expect.fail(),
    transfers: [
      transfer({
        amount: { minor: 1_234n, currency: 'GBP' },
        creditor: { kind: 'sort-code', sortCode: '200000', accountNumber: '55779911' },
      }),
    ],
  });

/** A folder with the schemas as ISO 20022 publishes them, for whoever has them. */
const published = process.env.DAYBOOK_TEST_ISO20022_SCHEMAS;

describe.each(orderVersions)('an order by %s', (version) => {
  const { ofOrders } = openSchemas(version, published, orderVersions);
  const written = (one: PaymentOrder) =>
    parseXml(Buffer.from(writeOrder(one, version, ofOrders)), { elementsMax: 10_000 }, () => undefined);

  it('has one block, whose count and sum are those of its transfers', () => {
    const transfers = [transfer(), transfer({ amount: { minor: 1n, currency: 'EUR' } })];
    const { root, namespace } = written(order({ transfers }));
    expect(namespace).toBe(`urn:iso:std:iso:20022:tech:xsd:${version}`);
    for (const part of ['GrpHdr', 'PmtInf']) {
      expect(textAt(root, `CstmrCdtTrfInitn/${part}/NbOfTxs`)).toBe('2');
      expect(textAt(root, `CstmrCdtTrfInitn/${part}/CtrlSum`)).toBe('12.35');
    }
  });

  it('names the payment, the payee and the amount', () => {
    const { root } = written(order());
    const line = at(root, 'CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf') ?? expect.fail();
    expect(textAt(line, 'PmtId/EndToEndId')).toBe('00000000000040008000000000000001');
    expect(at(line, 'Amt/InstdAmt')).toMatchObject({ text: '12.34', attributes: { Ccy: 'EUR' } });
    expect(textAt(line, 'CdtrAcct/Id/IBAN')).toBe('NL91ABNA0417164300');
    expect(textAt(line, 'RmtInf/Ustrd')).toBe('TO00000000000001 Invoice 7');
  });

  it('finds an account in the United Kingdom by its sort code', () => {
    const line = at(written(sterlingOrder()).root, 'CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf') ?? expect.fail();
    expect(textAt(line, 'CdtrAgt/FinInstnId/ClrSysMmbId/MmbId')).toBe('200000');
    expect(textAt(line, 'CdtrAcct/Id/Othr/Id')).toBe('55779911');
  });

  it('says where it is to be instant', () => {
    const { root } = written(order({ isInstant: true }));
    expect(textAt(root, 'CstmrCdtTrfInitn/PmtInf/PmtTpInf/LclInstrm/Cd')).toBe('INST');
  });

  it.each<[string, Partial<PaymentOrder>]>([
    ['an identifier of 36 characters', { messageId: 'm'.repeat(36) }],
    [
      'an identifier of a transfer of 36 characters',
      { transfers: [transfer({ endToEndId: 'e'.repeat(36) })] },
    ],
    ['a name of 71 characters', { transfers: [transfer({ creditorName: 'n'.repeat(71) })] }],
    ['a name with other characters', { transfers: [transfer({ creditorName: 'François' })] }],
    ['a name that is empty', { transfers: [transfer({ creditorName: '' })] }],
    ['a remittance of 141 characters', { transfers: [transfer({ remittance: 'r'.repeat(141) })] }],
    ['an amount of nothing', { transfers: [transfer({ amount: { minor: 0n, currency: 'EUR' } })] }],
    [
      'an amount over the bound of SEPA',
      { transfers: [transfer({ amount: { minor: 100_000_000_000n, currency: 'EUR' } })] },
    ],
    ['what is no IBAN', { transfers: [transfer({ creditor: { kind: 'iban', iban: 'NL9' } })] }],
    [
      'what is no BIC',
      { transfers: [transfer({ creditor: { kind: 'iban', iban: 'NL91ABNA0417164300', bic: 'ABNA' } })] },
    ],
    [
      'what is no sort code',
      {
        transfers: [transfer({ creditor: { kind: 'sort-code', sortCode: '20', accountNumber: '55779911' } })],
      },
    ],
    ['no transfers', { transfers: [] }],
  ])('is refused with %s', (_what, more) => {
    expect(() => writeOrder(order(more), version, ofOrders)).toThrow(/breaks the schema/);
  });

  it('escapes what XML has a meaning for', () => {
    const name = "O'Neil (A+B)";
    const { root } = written(order({ initiatingParty: name }));
    expect(textAt(root, 'CstmrCdtTrfInitn/GrpHdr/InitgPty/Nm')).toBe(name);
  });

  it.runIf(published && existsSync(`${published}/${version}.xsd`))('is valid by the published schema', () => {
    expect(written(order())).toBeDefined();
    expect(written(sterlingOrder())).toBeDefined();
  });
});
