import type { Rates } from '../../domain/money/rates.ts';
import { exchangeRates } from '../../domain/quotes/exchange-rates.ts';
import { type Route, route } from '../operation.ts';
import { listExchangeRates } from './operations.ts';
import { renderExchangeRate } from './render.ts';

export const exchangeRateRoutes = ({ rates }: { readonly rates: Rates }): readonly Route[] => [
  route(listExchangeRates, async ({ query }) => {
    const { sourceCurrency: from, destinationCurrency: to, sendingAmount: amount } = query;
    const { table, updatedAt } = rates;
    const data = exchangeRates(table, { from, to, amount }).map((rate) =>
      renderExchangeRate(rate, updatedAt),
    );
    return { status: 200, body: { data } };
  }),
];
