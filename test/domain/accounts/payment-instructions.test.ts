import { describe, expect, it } from 'vitest';
import { createDocument } from 'zod-openapi';
import { referenceFor, referencesIn } from '../../../src/domain/accounts/funding-identifiers.ts';
import { canBePaidIn, fundingInstructions } from '../../../src/domain/accounts/funding-instructions.ts';
import { paymentInstructionSchema } from '../../../src/domain/accounts/payment-instructions.ts';
import { currencies } from '../../../src/domain/money/currencies.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';

const key = 'InternalAccount:019a3c1e-0000-7000-8000-000000000001';
const otherKey = 'InternalAccount:019a3c1e-0000-7000-8000-000000000002';
const infosOf = (currency: string, accountKey = key) =>
  fundingInstructions(currency, accountKey).map(({ accountOrWalletInfo }) => accountOrWalletInfo);
const fieldOf = (currency: string, field: string, accountKey = key): unknown =>
  Reflect.get(infosOf(currency, accountKey)[0] ?? {}, field);
const typesOf = (currency: string) => infosOf(currency).map(({ accountType }) => accountType);

const codes = [...currencies.keys()];
const exceptions = ['ARS', 'BRL', 'COP', 'INR'];
const fiat = codes.filter((code) => currencies.get(code)?.kind === 'fiat');
const ordinary = fiat.filter((code) => !exceptions.includes(code));

/** Each field of a Pix code, and what is in it: two digits name it, two more say how long it is. */
function fieldsOfPix(code: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < code.length; ) {
    const end = at + 4 + Number(code.slice(at + 2, at + 4));
    fields.set(code.slice(at, at + 2), code.slice(at + 4, end));
    at = end;
  }
  return fields;
}

/** What a statement may have of a payment that was made by the instructions: the identifier of a Pix code among it. */
const statedBy = (currency: string): string[] =>
  fundingInstructions(currency, key).flatMap(({ accountOrWalletInfo, instructionsNotes = '' }) => {
    const { qrCode, ...texts } = { qrCode: '', ...accountOrWalletInfo };
    const identifier = fieldsOfPix(fieldsOfPix(qrCode).get('62') ?? '').get('05') ?? '';
    return [
      instructionsNotes,
      identifier,
      ...Object.values(texts).filter((text) => typeof text === 'string'),
    ];
  });

describe('funding instructions', () => {
  it.each(codes)('in %s satisfy the interface, for any key', (currency) => {
    for (let count = 0; count < 25; count++) {
      const instructions = fundingInstructions(currency, `Quote:${count}`);
      expect(paymentInstructionSchema.array().min(1).parse(instructions)).toEqual(instructions);
    }
  });

  it.each(codes)('in %s follow from the key', (currency) => {
    expect(infosOf(currency)).toEqual(infosOf(currency));
    for (const [index, info] of infosOf(currency, otherKey).entries()) {
      expect(info).not.toEqual(infosOf(currency)[index]);
    }
  });

  it.each(ordinary)('in %s name rails and a reference', (currency) => {
    expect(infosOf(currency)).toEqual([
      expect.objectContaining({
        accountType: `${currency}_ACCOUNT`,
        reference: expect.stringMatching(/^DB-[A-Z2-7]{10}$/),
        paymentRails: expect.arrayContaining([expect.any(String)]),
      }),
    ]);
  });

  it.each(fiat)('in %s tell what the money is found by', (currency) => {
    expect(statedBy(currency).flatMap(referencesIn)).toContain(referenceFor(key));
  });

  it('are there outside the sandbox where money is found by them', () => {
    expect(codes.filter((code) => canBePaidIn(code, 'production'))).toEqual(fiat);
    expect(codes.filter((code) => canBePaidIn(code, 'sandbox'))).toEqual(codes);
  });

  it('have another reference for every key', () => {
    const keys = Array.from({ length: 500 }, (_, index) => `Quote:${index}`);
    expect(new Set(keys.map((accountKey) => fieldOf('USD', 'reference', accountKey))).size).toBe(500);
  });

  it.each([
    ['USD', ['accountType', 'accountNumber', 'routingNumber', 'bankName', 'paymentRails', 'reference']],
    ['ARS', ['accountType', 'accountNumber', 'paymentRails', 'reference']],
    ['BRL', ['accountType', 'qrCode']],
    ['COP', ['accountType', 'paymentUrl']],
    ['INR', ['accountType', 'vpa', 'accountNumber', 'ifsc', 'bankName', 'paymentRails']],
    ['BTC', ['accountType', 'address', 'assetType']],
  ])('in %s have the fields %j', (currency, fields) => {
    expect(Object.keys(infosOf(currency)[0] ?? {}).sort()).toEqual([...fields].sort());
  });

  it.each([
    ['BTC', ['SPARK_WALLET', 'BITCOIN_L1']],
    ['USDB', ['SPARK_WALLET']],
    ['USDC', ['SOLANA_WALLET', 'ETHEREUM_WALLET', 'BASE_WALLET', 'POLYGON_WALLET']],
    ['USDT', ['SOLANA_WALLET', 'ETHEREUM_WALLET', 'TRON_WALLET', 'PLASMA_WALLET']],
  ])('in %s offer %j', (currency, accountTypes) => {
    expect(typesOf(currency)).toEqual(accountTypes);
  });

  it('keep the calling code and vary the number', () => {
    expect(fieldOf('KES', 'phoneNumber')).toMatch(/^\+254\d{9}$/);
    expect(fieldOf('KES', 'phoneNumber')).not.toBe(fieldOf('KES', 'phoneNumber', otherKey));
  });

  it('exist for known currencies only', () => {
    expect(() => fundingInstructions('XYZ', key)).toThrow(InvariantViolation);
  });
});

describe('the schema of payment instructions', () => {
  const content = { 'application/json': { schema: paymentInstructionSchema } };
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/': { get: { responses: { 200: { description: 'Instructions', content } } } } },
  });

  it.each(['PaymentInstruction', 'AccountOrWalletInfo', 'UsdAccountPaymentInfo', 'BitcoinL1PaymentInfo'])(
    'has the component %s',
    (name) => expect(document.components?.schemas).toHaveProperty(name),
  );
});
