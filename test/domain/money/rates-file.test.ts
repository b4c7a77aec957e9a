import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { currencies } from '../../../src/domain/money/currencies.ts';
import {
  compare,
  formatDecimal,
  multiply,
  parseDecimal,
  toNumber,
} from '../../../src/domain/money/decimal.ts';
import { feesOf, fixedFeeMinor, midRate, parseRatesFile } from '../../../src/domain/money/rates-file.ts';
import { thrownBy } from '../../support/builders/spec.ts';

const text = readFileSync(new URL('../../../rates/2026-11-01.json', import.meta.url), 'utf8');
const content = JSON.parse(text);
const table = parseRatesFile(text);
const tableWith = (changes: object) => parseRatesFile(JSON.stringify({ ...content, ...changes }));

describe('a rates file', () => {
  it('carries its date in the repository', () => expect(table.date).toBe('2026-11-01'));

  it.each([...currencies.keys()])('has a rate for %s in the repository', (code) => {
    expect(midRate(table, code).coefficient).toBeGreaterThan(0n);
  });

  it('keeps decimals exactly', () => {
    const { mid } = tableWith({ mid: { ...content.mid, EUR: '1.10000000000000000001' } });
    expect(mid.EUR).toEqual({ coefficient: 110000000000000000001n, exponent: -20 });
  });

  it.each([
    ['a number', { mid: { ...content.mid, EUR: 1.2 } }, 'mid.EUR: must be a decimal as text, found 1.2'],
    [
      'no decimal',
      { mid: { ...content.mid, EUR: 'x' } },
      'mid.EUR: must be a decimal like 0.0050, found "x"',
    ],
    ['a zero rate', { mid: { ...content.mid, EUR: '0.0' } }, 'mid.EUR: must be greater than 0, found "0.0"'],
    ['a missing rate', { mid: { ...content.mid, EUR: undefined } }, 'mid.EUR: is missing'],
    ['an unknown currency', { mid: { ...content.mid, XYZ: '1' } }, 'mid: Unrecognized key: "XYZ"'],
    ['another dollar', { mid: { ...content.mid, USD: '1.1' } }, 'mid.USD: must be 1, found "1.1"'],
    ['another base', { base: 'EUR' }, 'base: Invalid input: expected "USD", found "EUR"'],
    ['no date', { date: '2026-02-30' }, 'date: Invalid ISO date, found "2026-02-30"'],
    [
      'a total fee',
      { fees: { default: { fixedUsd: '0', variableRate: '1' } } },
      'must be less than 1, found "1"',
    ],
    ['no spread', { counterpartyMultiplier: undefined }, 'counterpartyMultiplier: is missing'],
    ['a stray field', { spread: '1' }, 'file: Unrecognized key: "spread"'],
  ])('is refused with its problem: %s', (_, changes, problem) => {
    expect(() => tableWith(changes)).toThrow(problem);
  });

  it('lists all problems at once', () => {
    expect(() => tableWith({ base: 'EUR', date: 'today' })).toThrow(/date: .*\nbase: /);
  });

  it('is refused when it is not JSON', () => {
    const refusal = 'The rates file is not JSON: expected a value at line 1, column 1.';
    expect(thrownBy(() => parseRatesFile('id:secret'))).toEqual(new Error(refusal));
  });
});

describe('the fixed fee', () => {
  const mid = { ...content.mid, EUR: '1.2', VND: '0.00004', BTC: '100000' };
  const perCurrency = { EUR: { fixedUsd: '1', variableRate: '0.001' } };
  const fees = { default: { fixedUsd: '0.50', variableRate: '0.005' }, perCurrency };
  const custom = tableWith({ mid, fees });

  it.each([
    ['USD', 50n],
    ['EUR', 84n],
    ['VND', 12500n],
    ['BTC', 500n],
    ['USDC', 500000n],
  ])('in %s is %s minor units', (currency, minor) => {
    expect(fixedFeeMinor(custom, currency)).toBe(minor);
  });

  it('follows the fees of the currency', () => {
    expect(feesOf(custom, 'EUR').variableRate).toEqual(parseDecimal('0.001'));
    expect(feesOf(custom, 'USD').variableRate).toEqual(parseDecimal('0.005'));
  });
});

describe('a decimal', () => {
  it.each(['0', '1', '0.0050', '108450.00', '12345678901234567890.1'])(
    '%s is read and written alike',
    (value) => {
      expect(formatDecimal(parseDecimal(value))).toBe(value);
    },
  );

  it.each(['', '-1', '1.', '.5', '1e3', ' 1'])('is not %j', (value) => {
    expect(() => parseDecimal(value)).toThrow();
  });

  it('multiplies exactly', () => {
    expect(formatDecimal(multiply(parseDecimal('0.1'), parseDecimal('0.2')))).toBe('0.02');
  });

  it('compares by value', () => {
    expect(compare(parseDecimal('1.10'), parseDecimal('1.1'))).toBe(0);
    expect(compare(parseDecimal('0.9'), parseDecimal('1'))).toBe(-1);
  });

  it('writes whole thousands', () => expect(formatDecimal({ coefficient: 5n, exponent: 3 })).toBe('5000'));

  it('becomes a number', () => expect(toNumber(parseDecimal('0.998'))).toBe(0.998));
});
