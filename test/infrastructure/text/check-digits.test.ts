import { describe, expect, it } from 'vitest';
import { isAbaRoutingNumber, isIban } from '../../../src/infrastructure/text/check-digits.ts';

describe('an IBAN', () => {
  it.each([
    'DE89370400440532013000',
    'GB29NWBK60161331926819',
    'BY13NBRB3600900000002Z00AB00',
    'DJ2100010000000154000100186',
    'FK88SC123456789012',
    'LY83002048000020100120361',
    'OM810180000001299123456',
  ])('is %s', (text) => expect(isIban(text)).toBe(true));

  it.each([
    ['with another check digit', 'DE88370400440532013000'],
    ['with two digits swapped', 'DE89370400440532010300'],
    ['of another length', 'DE8937040044053201300'],
    ['with spaces', 'DE89 3704 0044 0532 0130 00'],
    ['of no country', 'XX89370400440532013000'],
  ])('is none %s', (_what, text) => expect(isIban(text)).toBe(false));
});

describe('an ABA routing number', () => {
  it('has check digits that fit', () => {
    expect(['021000021', '021000012', '21000021'].map(isAbaRoutingNumber)).toEqual([true, false, false]);
  });
});
