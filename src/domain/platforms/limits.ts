/** What a platform's configuration allows: kinds of payments and amounts, per currency. */

import type { Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { type ActivePlatform, settingsOf } from './platform.ts';

/** Whether the platform's configuration allows this kind of payment in the currency. */
export const isEnabled = (
  platform: ActivePlatform,
  currency: string,
  type: 'INCOMING' | 'OUTGOING',
): boolean => settingsOf(platform, currency)?.enabledTransactionTypes.includes(type) ?? true;

/** Throws `Rejected` (INVALID_CURRENCY) where the platform has switched this kind of payment off. */
export function requireEnabled(
  platform: ActivePlatform,
  currency: string,
  type: 'INCOMING' | 'OUTGOING',
): void {
  if (isEnabled(platform, currency, type)) return;
  const message = `The platform's configuration allows no ${type.toLowerCase()} payments in ${currency}.`;
  throw new Rejected('INVALID_CURRENCY', message, { currencies: [currency] });
}

/** Throws `Rejected` (AMOUNT_OUT_OF_RANGE) for an amount outside the platform's bounds for its currency. */
export function requireWithinLimits(platform: ActivePlatform, { minor, currency }: Money): void {
  const settings = settingsOf(platform, currency);
  if (!settings || (minor >= settings.minAmount && minor <= settings.maxAmount)) return;
  const { minAmount, maxAmount } = settings;
  const message = `The platform's configuration allows amounts from ${minAmount} to ${maxAmount} in ${currency}.`;
  throw new Rejected('AMOUNT_OUT_OF_RANGE', message, { currency, minAmount, maxAmount });
}
