import { describe, expect, it } from 'vitest';
import { currencies, currencyView, decimalsOf, findCurrency } from '../../../src/domain/money/currencies.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';

describe('currencies', () => {
  it.each([
    [0, ['VND', 'RWF', 'UGX', 'XAF', 'XOF']],
    [6, ['USDC', 'USDT', 'USDB']],
    [8, ['BTC']],
  ])('%i decimals belong to %j alone', (decimals, codes) => {
    const found = [...currencies.values()].filter((currency) => currency.decimals === decimals);
    expect(found.map(({ code }) => code).sort()).toEqual([...codes].sort());
  });

  it('have two decimals otherwise', () => {
    const others = [...currencies.values()].filter(({ decimals }) => ![0, 6, 8].includes(decimals));
    expect(others.every(({ decimals }) => decimals === 2)).toBe(true);
  });

  it.each(['COP', 'KES', 'HTG', 'GTQ', 'JMD', 'BWP', 'ARS', 'CNY'])('include %s as fiat', (code) => {
    expect(findCurrency(code)).toMatchObject({ code, kind: 'fiat' });
  });

  it('tell cryptocurrencies apart', () => {
    const crypto = [...currencies.values()].filter(({ kind }) => kind === 'crypto').map(({ code }) => code);
    expect(crypto.sort()).toEqual(['BTC', 'USDB', 'USDC', 'USDT']);
  });

  it('have a name and a symbol each', () => {
    for (const { name, symbol } of currencies.values()) expect([name, symbol]).not.toContain('');
  });

  it('are shown with the four fields of the interface', () => {
    const usd = { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 };
    expect(currencyView('USD')).toStrictEqual(usd);
  });

  it.each(['XYZ', 'usd', ''])('do not include %j', (code) => {
    expect(findCurrency(code)).toBeUndefined();
    expect(() => currencyView(code)).toThrow(InvariantViolation);
    expect(() => decimalsOf(code)).toThrow(InvariantViolation);
  });
});
