/**
 * What a platform's configuration allows: currencies, kinds of payments, amounts. Whatever tells bounds or keeps to them
 * asks here: rates and lookups, quotes, transfers, and agents' payments (docs/reference/configuration.md).
 */

import { int64Max, type Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { requireKnownCurrencies } from '../money/currencies.ts';
import { noBound } from './currencies.ts';
import type { SupportedCurrency } from './events.ts';
import { type ActivePlatform, settingsOf } from './platform.ts';

/** In minor units, both included. */
export type AmountBounds = { readonly min: bigint; readonly max: bigint };

type Kind = 'INCOMING' | 'OUTGOING';

/** Throws `Rejected` (INVALID_CURRENCY) for currencies that nobody knows, or that are not on the platform's list. */
export function requireSupported(platform: ActivePlatform, codes: readonly string[]): void {
  requireKnownCurrencies(codes);
  const missing = [...new Set(codes)].filter((code) => !settingsOf(platform, code));
  if (missing.length > 0) throw unsupported(missing);
}

/** Whether payments of the kind may be made in the currency. */
export const isEnabled = (platform: ActivePlatform, currency: string, kind: Kind): boolean =>
  settingsOf(platform, currency)?.enabledTransactionTypes.includes(kind) ?? false;

/** The currencies in which payments of the kind may be made, in the order of the configuration. */
export const enabledCurrencies = (platform: ActivePlatform, kind: Kind): readonly string[] =>
  platform.supportedCurrencies
    .map(({ currencyCode }) => currencyCode)
    .filter((currency) => isEnabled(platform, currency, kind));

/** Throws `Rejected` (INVALID_CURRENCY) where the platform has not the currency, or has switched the kind off. */
export function requireEnabled(platform: ActivePlatform, currency: string, kind: Kind): void {
  requireSupported(platform, [currency]);
  if (isEnabled(platform, currency, kind)) return;
  const message = `The platform's configuration allows no ${kind.toLowerCase()} payments in ${currency}.`;
  throw new Rejected('INVALID_CURRENCY', message, { currencies: [currency] });
}

/** What one payment may move in the currency. Throws `Rejected` (INVALID_CURRENCY) where the platform has it not. */
export function boundsOf(platform: ActivePlatform, currency: string): AmountBounds {
  const { minAmount, maxAmount } = knownSettings(platform, currency);
  return {
    min: minAmount > 1n ? minAmount : 1n,
    max: maxAmount < noBound ? maxAmount : int64Max,
  };
}

/** Throws `Rejected` (AMOUNT_OUT_OF_RANGE) for an amount outside the bounds of its currency; `whose` is who has set them. */
export function requireWithinBounds(
  platform: ActivePlatform,
  { minor, currency }: Money,
  whose = 'the platform',
): void {
  const { min, max } = boundsOf(platform, currency);
  if (minor >= min && minor <= max) return;
  const maxAmount = max < noBound ? max : noBound;
  const message = `The amount in ${currency} would be ${minor}; the configuration of ${whose} allows ${min} to ${maxAmount}.`;
  throw new Rejected('AMOUNT_OUT_OF_RANGE', message, { currency, minAmount: min, maxAmount });
}

function knownSettings(platform: ActivePlatform, currency: string): SupportedCurrency {
  const settings = settingsOf(platform, currency);
  if (settings) return settings;
  requireKnownCurrencies([currency]);
  throw unsupported([currency]);
}

const unsupported = (codes: readonly string[]) =>
  new Rejected('INVALID_CURRENCY', `The platform's configuration has not ${codes.join(', ')}.`, {
    currencies: codes,
  });
