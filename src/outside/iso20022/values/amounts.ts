/** Amounts as the messages have them: decimal numbers of the major unit. */
import type { Money } from '../../../kernel/money.ts';
import { type Element, need, Unreadable } from '../xml/element.ts';

/** The currencies that this rail carries. Each has two decimals. */
export const currencies = ['EUR', 'GBP'] as const;
export type RailCurrency = (typeof currencies)[number];

const minorPerMajor = 100n;
const decimals = 2;
/** Of the schemas' decimal type. */
const digitsMax = 18;
const fractionMax = 5;

export const isRailCurrency = (text: string): text is RailCurrency =>
  currencies.some((currency) => currency === text);

/** `1234n` gives `12.34`. */
export const toDecimal = (minor: bigint): string =>
  `${minor / minorPerMajor}.${String(minor % minorPerMajor).padStart(decimals, '0')}`;

/**
 * Minor units of a decimal number. Throws `Unreadable` for what the schemas refuse, and for a fraction of a minor unit.
 */
export function toMinor(text: string): bigint {
  const [, whole = '', fraction = ''] = /^\+?(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  const significant = fraction.replace(/0+$/, '');
  const isNumber = whole !== '' || fraction !== '';
  if (!isNumber || significant.length > fractionMax || whole.length + significant.length > digitsMax)
    throw new Unreadable('an amount is not a decimal number of at most 18 digits, 5 of them decimals');
  if (significant.length > decimals)
    throw new Unreadable(`an amount has more than ${decimals} decimals, which EUR and GBP do not have`);
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

/** The amount at a path, with its currency. Throws `Unreadable`. */
export function amountAt(element: Element, path: string): Money {
  const { text, attributes } = need(element, path);
  const { Ccy: currency = '' } = attributes;
  if (!/^[A-Z]{3}$/.test(currency)) throw new Unreadable(`${path} of ${element.name} has no currency`);
  // An amount in a currency that the rail does not carry is told as it stands, and matches nothing.
  return { minor: isRailCurrency(currency) ? toMinor(text) : 0n, currency };
}
