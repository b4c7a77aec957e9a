import { describe, expect, it } from 'vitest';
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
  ])('of %i with %i digits is %s', (minor, decimals, shown) => {
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
