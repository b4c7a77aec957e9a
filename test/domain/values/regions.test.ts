import { describe, expect, it } from 'vitest';
import { currencies } from '../../../src/domain/money/currencies.ts';
import { addressSchema } from '../../../src/domain/values/address.ts';
import {
  currencyOfRegion,
  isCountryCode,
  regionOfCurrency,
  regions,
} from '../../../src/domain/values/regions.ts';

describe('regions', () => {
  it('are the 249 codes of ISO 3166-1', () => {
    expect(regions.size).toBe(249);
    for (const code of regions.keys()) expect(code).toMatch(/^[A-Z]{2}$/);
  });

  it.each(['US', 'NO', 'AQ', 'XK', 'us', 'USA', ''])('know whether %j is a country code', (code) => {
    expect(isCountryCode(code)).toBe(['US', 'NO', 'AQ'].includes(code));
  });

  it.each([
    ['US', 'USD'],
    ['FR', 'EUR'],
    ['BG', 'EUR'],
    ['MX', 'MXN'],
    ['SV', 'USD'],
    ['ML', 'XOF'],
    ['GA', 'XAF'],
    ['NO', undefined],
    ['XX', undefined],
  ])('imply of a region, %s, the currency %s', (region, currency) => {
    expect(currencyOfRegion(region)).toBe(currency);
  });

  it.each([
    ['USD', 'US'],
    ['EUR', 'DE'],
    ['GBP', 'GB'],
    ['DKK', 'DK'],
    ['XOF', 'SN'],
    ['XAF', 'CM'],
    ['BTC', undefined],
    ['NOK', undefined],
  ])('imply of a currency, %s, the region %s', (currency, region) => {
    expect(regionOfCurrency(currency)).toBe(region);
  });

  it('cover every fiat currency, and nothing but known ones', () => {
    const used = new Set([...regions.values()].filter((currency) => currency !== undefined));
    const fiat = [...currencies.values()].filter(({ kind }) => kind === 'fiat').map(({ code }) => code);
    expect([...used].sort()).toEqual(fiat.sort());
  });
});

describe('an address', () => {
  const address = { line1: '1 Main Street', postalCode: '12345', country: 'US' };
  const paths = (input: unknown) =>
    addressSchema.safeParse(input).error?.issues.map(({ path }) => path.join('.'));

  it('needs line1, postalCode and country', () => {
    expect(addressSchema.parse(address)).toEqual(address);
    expect(paths({})).toEqual(['line1', 'postalCode', 'country']);
  });

  it.each([
    ['country', 'XX'],
    ['line1', 'a\u0000b'],
    ['line2', 'x'.repeat(256)],
    ['city', '\ud800'],
    ['postalCode', ''],
  ])('refuses the %s %j', (field, value) => {
    expect(paths({ ...address, [field]: value })).toEqual([field]);
  });
});
