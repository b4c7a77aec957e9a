import type { Money } from '../../kernel/money.ts';
import { findCurrency } from './currencies.ts';

/** In major units, with all digits that the currency has: `1234.50`. Minor units of a currency that is not known. */
export function majorUnits({ minor, currency }: Money): string {
  const decimals = findCurrency(currency)?.decimals ?? 0;
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const fraction = decimals > 0 ? `.${digits.slice(cut)}` : '';
  return `${minor < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction}`;
}

/** `USD 1234.50` */
export const inWords = (money: Money): string => `${money.currency} ${majorUnits(money)}`;
