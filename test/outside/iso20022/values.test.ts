import { describe, expect, it } from 'vitest';
import { isIban } from '../../../src/infrastructure/text/check-digits.ts';
import { toDecimal, toMinor } from '../../../src/outside/iso20022/values/amounts.ts';
import { inBankCharacters } from '../../../src/outside/iso20022/values/characters.ts';
import { isBic, ukAccountOf } from '../../../src/outside/iso20022/values/iban.ts';
import { namesDuplicate, reasonOf } from '../../../src/outside/iso20022/values/reasons.ts';

describe('an IBAN', () => {
  it.each([
    'DE89370400440532013000',
    'GB29NWBK60161331926819',
    'NL91ABNA0417164300',
    'FR1420041010050500013M02606',
  ])('of the registry is right: %s', (iban) => expect(isIban(iban)).toBe(true));

  it.each([
    ['a digit differs', 'DE89370400440532013001'],
    ['two digits are exchanged', 'DE89370400440532010300'],
    ['its length is not that of the country', 'DE8937040044053201300'],
    ['it is in small letters', 'de89370400440532013000'],
    ['it has spaces', 'DE89 3704 0044 0532 0130 00'],
  ])('is wrong where %s', (_why, iban) => expect(isIban(iban)).toBe(false));

  it('of the United Kingdom has a sort code and an account number', () => {
    expect(ukAccountOf('GB29NWBK60161331926819')).toEqual({ sortCode: '601613', accountNumber: '31926819' });
  });
});

describe('a BIC', () => {
  it.each(['COBADEFF', 'COBADEFFXXX'])('is right: %s', (bic) => expect(isBic(bic)).toBe(true));
  it.each(['COBADEF', 'COBADEFFXX', 'cobadeff', '1OBADEFF'])('is wrong: %s', (bic) =>
    expect(isBic(bic)).toBe(false),
  );
});

describe('an amount', () => {
  it.each([
    ['12.34', 1_234n],
    ['12', 1_200n],
    ['.5', 50n],
    ['12.30000', 1_230n],
    ['9999999999999999.99', 999_999_999_999_999_999n],
  ])('of %s is %s minor units', (text, minor) => expect(toMinor(text)).toBe(minor));

  it.each(['', '.', '-1', '1,5', '1e3', ' 1', '12.345', '12.3000001', '12345678901234567.89', 'NaN'])(
    'is refused as %j',
    (text) => expect(() => toMinor(text)).toThrow(/amount/),
  );

  it.each([1n, 10n, 123_456n])('is written with two decimals and read back: %s', (minor) => {
    expect(toDecimal(minor)).toMatch(/^\d+\.\d\d$/);
    expect(toMinor(toDecimal(minor))).toBe(minor);
  });
});

describe('a text for the bank', () => {
  it.each([
    ['François Müller-Łukasz', 'Francois Muller-Lukasz'],
    ['Straße & Søn', 'Strasse + Son'],
    ['a\nb\tc', 'a b c'],
    ['//a//b/', 'a/b'],
    ['a<b>"c"', 'a.b..c.'],
    ['王小明', ''],
  ])('has %j as %j', (text, plain) => expect(inBankCharacters(text, 70)).toBe(plain));

  it('is cut, and ends with no slash', () => expect(inBankCharacters('abcd/ef', 5)).toBe('abcd'));
});

describe('a reason', () => {
  it.each([
    ['AC04', 'OFFRAMP_FAILED'],
    ['AG01', 'OFFRAMP_FAILED'],
    ['AM04', 'QUOTE_EXECUTION_FAILED'],
    ['DUPL', 'QUOTE_EXECUTION_FAILED'],
    ['ZZ99', 'OFFRAMP_FAILED'],
    [undefined, 'OFFRAMP_FAILED'],
  ])('of the code %s is %s', (code, reason) => expect(reasonOf(code)).toBe(reason));

  it.each(['AM05', 'DU01', 'DU05', 'DUPL', 'Duplicate message', 'du03'])('%s names a duplicate', (code) =>
    expect(namesDuplicate(code)).toBe(true),
  );
  it.each(['AM04', 'AM051', 'DUE DATE', 'AC01'])('%s names none', (code) =>
    expect(namesDuplicate(code)).toBe(false),
  );
});
