import type { Rates } from '../../domain/money/rates.ts';
import { exchangeRates } from '../../domain/quotes/exchange-rates.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import { type Route, route } from '../operation.ts';
import { listExchangeRates } from './operations.ts';
import { renderExchangeRate } from './render.ts';

type Deps = { readonly commands: Commands; readonly rates: Rates };

export const exchangeRateRoutes = ({ commands, rates }: Deps): readonly Route[] => [
  route(listExchangeRates, async ({ query, principal }) => {
    const { sourceCurrency: from, destinationCurrency: to, sendingAmount: amount } = query;
    const { table, updatedAt } = rates;
    const platform = await loadPlatform(commands, principal.platformId);
    const data = exchangeRates(platform, table, { from, to, amount }).map((rate) =>
      renderExchangeRate(rate, updatedAt),
    );
    return { status: 200, body: { data } };
  }),
];
