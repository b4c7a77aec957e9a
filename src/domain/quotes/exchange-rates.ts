/** What an amount comes to in other currencies: for showing. A quote fixes the rate; this does not. */

import { accountTypeOfCurrency, railsOf } from '../external-accounts/definitions.ts';
import type { PaymentRail } from '../external-accounts/payment-rails.ts';
import { currencies, requireKnownCurrencies } from '../money/currencies.ts';
import { fixedFeeMinor, type RatesTable } from '../money/rates-file.ts';
import { largestPayment } from '../values/amount.ts';
import { largestSending, price, smallestSending } from './pricing.ts';

type Question = {
  /** Every currency where none is named. */
  readonly from: string | undefined;
  readonly to: readonly string[] | undefined;
  /** In minor units of each currency that is sent. */
  readonly amount: bigint;
};

export type ExchangeRate = {
  readonly from: string;
  readonly to: string;
  /** The default rail of an account in the currency. */
  readonly rail: PaymentRail;
  readonly smallest: bigint;
  readonly largest: bigint;
  /** At most the largest amount. */
  readonly sending: bigint;
  /** Nothing for less than the smallest amount. */
  readonly receiving: bigint;
  /** Sending units per receiving unit, in major units, as a decimal. */
  readonly rate: string;
  readonly fees: { readonly fixed: bigint; readonly total: bigint };
};

/** One for each pair of currencies. Throws `Rejected` for a currency that nobody knows. */
export function exchangeRates(table: RatesTable, { from, to, amount }: Question): ExchangeRate[] {
  requireKnownCurrencies([...(from === undefined ? [] : [from]), ...(to ?? [])]);
  const sources = from === undefined ? [...currencies.keys()] : [from];
  const destinations = [...new Set(to ?? currencies.keys())];
  return sources.flatMap((source) =>
    destinations.flatMap((destination) => exchangeRate(table, source, destination, amount) ?? []),
  );
}

/** `undefined` for a pair without exchange, and for a currency that no rail pays out. */
function exchangeRate(table: RatesTable, from: string, to: string, amount: bigint): ExchangeRate | undefined {
  const accountType = accountTypeOfCurrency(to);
  const rail = accountType && railsOf(accountType)[0];
  if (from === to || !rail) return undefined;
  const smallest = smallestSending(table, from, to);
  const largest = largestSending(table, from, to, largestPayment);
  const priced = amount < smallest ? smallest : amount > largest ? largest : amount;
  const { receiving, exchangeRate, fees } = price(table, {
    sendingCurrency: from,
    receivingCurrency: to,
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: priced,
  });
  return {
    from,
    to,
    rail,
    smallest,
    largest,
    sending: amount < smallest ? amount : priced,
    receiving: amount < smallest ? 0n : receiving.minor,
    rate: exchangeRate,
    fees: { fixed: fixedFeeMinor(table, from), total: fees },
  };
}
