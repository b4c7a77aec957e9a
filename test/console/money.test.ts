import { describe, expect, it } from 'vitest';
import { jsonOf, parseExactly } from '../../console/kernel/json.ts';
import { decimalOf, minorOf } from '../../console/kernel/money.ts';

describe('an amount', () => {
  it.each([
    [0, 2, '0.00'],
    [5, 2, '0.05'],
    [123_456, 2, '1,234.56'],
    [-123_456, 2, '−1,234.56'],
    [1_234, 0, '1,234'],
    [1, 8, '0.00000001'],
    [Number.MAX_SAFE_INTEGER, 2, '90,071,992,547,409.91'],
    [9_223_372_036_854_775_807n, 2, '92,233,720,368,547,758.07'],
    [-9_223_372_036_854_775_808n, 8, '−92,233,720,368.54775808'],
    [9_223_372_036_854_775_807n, 0, '9,223,372,036,854,775,807'],
    [10n ** 20n + 1n, 3, '100,000,000,000,000,000.001'],
  ])('of %s with %i digits is %s', (minor, decimals, shown) => {
    expect(decimalOf(minor, decimals)).toBe(shown);
  });

  it.each([
    ['1,234.56', 2, 123_456],
    ['0.1', 2, 10],
    ['7', 0, 7],
    ['1,234,567', 2, 123_456_700],
    ['1234567.8', 2, 123_456_780],
  ])('%s with %i digits is taken as %i', (text, decimals, minor) => {
    expect(minorOf(text, decimals)).toBe(minor);
  });

  it.each([
    ['0', 2],
    ['1.234', 2],
    ['1.5', 0],
    ['-1', 2],
    ['1e5', 2],
    ['1,50', 2],
    ['12,34.00', 2],
    ['1,234.5,0', 3],
    [',5', 2],
    ['', 2],
    ['999999999999999', 8],
  ])('%s with %i digits is not taken', (text, decimals) => {
    expect(minorOf(text, decimals)).toBeUndefined();
  });
});

describe('JSON of the interface', () => {
  const text = '{"amount":9007199254740993,"owed":-9223372036854775808,"rate":0.1,"small":12}';

  it('is read and written with all digits of its integers', () => {
    const read = parseExactly(text);
    expect(read).toEqual({ amount: 9_007_199_254_740_993n, owed: -(2n ** 63n), rate: 0.1, small: 12 });
    expect(jsonOf(read)).toBe(text);
  });

  it('is not read where an integer is not told by its digits', () => {
    expect(() => parseExactly('{"amount":1e30}')).toThrow(RangeError);
  });
});
