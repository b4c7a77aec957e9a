/** What an amount comes to in other currencies: for showing. A quote fixes the rate; this does not. */

import { int64Max } from '../../kernel/money.ts';
import { railOfCurrency } from '../external-accounts/definitions.ts';
import type { PaymentRail } from '../external-accounts/payment-rails.ts';
import { fixedFeeMinor, type RatesTable } from '../money/rates-file.ts';
import { enabledCurrencies, requireEnabled, requireSupported } from '../platforms/limits.ts';
import type { ActivePlatform } from '../platforms/platform.ts';
import { sendingBounds } from './bounds.ts';
import { priceOfSending } from './pricing.ts';

type Question = {
  /** Every currency that the platform's customers may send where none is named. */
  readonly from: string | undefined;
  /** Every currency of the platform where none is named. */
  readonly to: readonly string[] | undefined;
  /** In minor units of each currency that is sent. */
  readonly amount: bigint;
};

export type ExchangeRate = {
  readonly from: string;
  readonly to: string;
  /** By which the currency arrives where a payment names no rail. */
  readonly rail: PaymentRail;
  /** What a quote may send. */
  readonly smallest: bigint;
  readonly largest: bigint;
  /** What was asked about, whether or not a quote may send it. */
  readonly sending: bigint;
  readonly receiving: bigint;
  /** Sending units per receiving unit, in major units, as a decimal. */
  readonly rate: string;
  readonly fees: { readonly fixed: bigint; readonly total: bigint };
};

/** One for each pair of currencies. Throws `Rejected` (INVALID_CURRENCY) for one in which a quote would be refused. */
export function exchangeRates(
  platform: ActivePlatform,
  table: RatesTable,
  { from, to, amount }: Question,
): ExchangeRate[] {
  requireSupported(platform, [...(from === undefined ? [] : [from]), ...(to ?? [])]);
  if (from !== undefined) requireEnabled(platform, from, 'OUTGOING');
  const sources = from === undefined ? enabledCurrencies(platform, 'OUTGOING') : [from];
  const all = platform.supportedCurrencies.map(({ currencyCode }) => currencyCode);
  const destinations = [...new Set(to ?? all)];
  return sources.flatMap((source) =>
    destinations.flatMap(
      (destination) => exchangeRate(platform, table, { from: source, to: destination }, amount) ?? [],
    ),
  );
}

/**
 * `undefined` for a pair without exchange, for one of which no amount fits, for a currency that no rail pays out, and
 * where more would arrive than the interface can carry.
 */
function exchangeRate(
  platform: ActivePlatform,
  table: RatesTable,
  { from, to }: { readonly from: string; readonly to: string },
  amount: bigint,
): ExchangeRate | undefined {
  const rail = railOfCurrency(to);
  if (from === to || !rail) return undefined;
  const bounds = sendingBounds(platform, table, { from, to });
  if (!bounds) return undefined;
  const { receive, fees, exchangeRate } = priceOfSending(table, from, to, amount);
  if (receive > int64Max) return undefined;
  return {
    from,
    to,
    rail,
    smallest: bounds.min,
    largest: bounds.max,
    sending: amount,
    receiving: receive,
    rate: exchangeRate,
    fees: { fixed: fixedFeeMinor(table, from), total: fees },
  };
}
