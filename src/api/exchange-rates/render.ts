import { z } from 'zod';
import { paymentRail } from '../../domain/external-accounts/payment-rails.ts';
import { currencyView } from '../../domain/money/currencies.ts';
import type { ExchangeRate } from '../../domain/quotes/exchange-rates.ts';
import { currencySchema } from '../fields/amounts.ts';
import { int64, timestamp } from '../fields/fields.ts';

export const exchangeRateSchema = z
  .object({
    sourceCurrency: currencySchema,
    sendingAmount: int64,
    minSendingAmount: int64,
    maxSendingAmount: int64,
    destinationCurrency: currencySchema,
    destinationPaymentRail: paymentRail,
    receivingAmount: int64,
    exchangeRate: z.number().meta({ description: 'Sending units per receiving unit, in major units.' }),
    fees: z.object({ fixed: int64, total: int64 }),
    updatedAt: timestamp,
  })
  .meta({ id: 'ExchangeRate' });

export const renderExchangeRate = (
  { from, to, rail, smallest, largest, sending, receiving, rate, fees }: ExchangeRate,
  updatedAt: Date,
): z.input<typeof exchangeRateSchema> => ({
  sourceCurrency: currencyView(from),
  sendingAmount: sending,
  minSendingAmount: smallest,
  maxSendingAmount: largest,
  destinationCurrency: currencyView(to),
  destinationPaymentRail: rail,
  receivingAmount: receiving,
  exchangeRate: Number(rate),
  fees,
  updatedAt: updatedAt.toISOString(),
});
