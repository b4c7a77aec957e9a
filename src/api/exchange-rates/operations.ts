import { z } from 'zod';
import { bounds } from '../../domain/values/bounds.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { currencyCode } from '../fields/amounts.ts';
import type { Operation } from '../operation.ts';
import { exchangeRateSchema } from './render.ts';

/** A non-negative amount in a query, where numbers arrive as text. */
const queryAmount = z
  .string()
  .regex(/^\d{1,16}$/, 'must be an integer of at most 16 digits')
  .transform(BigInt)
  .meta({ override: { type: 'integer', format: 'int64', minimum: 0, exclusiveMaximum: 1e16 } });

export const listExchangeRates = {
  operationId: 'listExchangeRates',
  method: 'get',
  path: '/exchange-rates',
  tag: 'Exchange rates',
  summary: 'List exchange rates and fees',
  description:
    'For each pair of currencies, what arrives of an amount, also of one that a quote may not send: minSendingAmount and maxSendingAmount say what it may. A pair of which more would arrive than int64 holds is left out, and so is one into a cryptocurrency, which no payment rail pays out, and one of a currency to itself, in which nothing is exchanged: of these a quote says rate and fees. destinationPaymentRail is that of the account type which is named after the currency, and SWIFT for a currency that has none, such as ARS. A quote fixes the rate; this list does not.',
  permission: ['VIEW'],
  query: z.object({
    sourceCurrency: currencyCode.optional(),
    destinationCurrency: z
      .union([z.array(currencyCode).max(bounds.currencies), currencyCode.transform((code) => [code])])
      .optional(),
    sendingAmount: queryAmount.default(10_000n),
  }),
  responses: {
    200: {
      description: 'One item per pair of currencies.',
      schema: z.object({ data: z.array(exchangeRateSchema) }).meta({ id: 'ExchangeRateList' }),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT', 'INVALID_CURRENCY'] }),
} as const satisfies Operation;
