import { accountTypeOfCurrency, railsOf } from '../../domain/external-accounts/definitions.ts';
import { currencies, currencyView, unknownCurrencies } from '../../domain/money/currencies.ts';
import type { Rates } from '../../domain/money/rates.ts';
import { fixedFeeMinor } from '../../domain/money/rates-file.ts';
import { largestSending, price, smallestSending } from '../../domain/quotes/pricing.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { type Route, route } from '../operation.ts';
import { type ExchangeRate, listExchangeRates } from './operations.ts';

/** Service.md, Limits. */
const sendingMax = 9_000_000_000_000_000n;

export function exchangeRateRoutes({ rates }: { readonly rates: Rates }): readonly Route[] {
  return [
    route(listExchangeRates, async ({ query: { sourceCurrency, destinationCurrency, sendingAmount } }) => {
      const unknown = unknownCurrencies([
        ...(sourceCurrency ? [sourceCurrency] : []),
        ...(destinationCurrency ?? []),
      ]);
      if (unknown.length > 0) {
        throw new Rejected('INVALID_CURRENCY', `Not supported: ${unknown.join(', ')}.`, {
          currencies: unknown,
        });
      }
      const sources = sourceCurrency ? [sourceCurrency] : [...currencies.keys()];
      const destinations = [...new Set(destinationCurrency ?? currencies.keys())];
      const data = sources.flatMap((from) =>
        destinations.flatMap((to) => exchangeRate(rates, from, to, sendingAmount) ?? []),
      );
      return { status: 200, body: { data } };
    }),
  ];
}

/** `undefined` for a pair without exchange, and for a currency that no rail pays out. */
function exchangeRate(
  { table, updatedAt }: Rates,
  from: string,
  to: string,
  amount: bigint,
): ExchangeRate | undefined {
  const accountType = accountTypeOfCurrency(to);
  const rail = accountType && railsOf(accountType)[0];
  if (from === to || !rail) return undefined;
  const minSendingAmount = smallestSending(table, from, to);
  const maxSendingAmount = largestSending(table, from, to, sendingMax);
  const priced =
    amount < minSendingAmount ? minSendingAmount : amount > maxSendingAmount ? maxSendingAmount : amount;
  const request = { sendingCurrency: from, receivingCurrency: to, lockedCurrencySide: 'SENDING' } as const;
  const { receiving, exchangeRate: rate, fees } = price(table, { ...request, lockedCurrencyAmount: priced });
  return {
    sourceCurrency: currencyView(from),
    sendingAmount: amount < minSendingAmount ? amount : priced,
    minSendingAmount,
    maxSendingAmount,
    destinationCurrency: currencyView(to),
    destinationPaymentRail: rail,
    receivingAmount: amount < minSendingAmount ? 0n : receiving.minor,
    exchangeRate: Number(rate),
    fees: { fixed: fixedFeeMinor(table, from), total: fees },
    updatedAt: updatedAt.toISOString(),
  };
}
