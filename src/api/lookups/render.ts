import { z } from 'zod';
import { requiredField } from '../../domain/lookups/events.ts';
import type { LookupDetails } from '../../domain/lookups/lookup.ts';
import { currencyView } from '../../domain/money/currencies.ts';
import type { RatesTable } from '../../domain/money/rates-file.ts';
import { priceOfOne } from '../../domain/quotes/pricing.ts';
import { largestPayment } from '../../domain/values/amount.ts';
import { idField } from '../../kernel/ids.ts';
import { currencySchema } from '../fields/amounts.ts';
import { int64 } from '../fields/fields.ts';

const result = {
  lookupId: idField('Lookup'),
  supportedCurrencies: z.array(
    z.object({
      currency: currencySchema,
      estimatedExchangeRate: z.number().meta({
        description: "Receiving units per sending unit: the other way round from a quote's exchangeRate.",
      }),
      min: int64,
      max: int64,
    }),
  ),
  requiredPayerDataFields: z.array(requiredField),
};
export const accountLookupSchema = z
  .object({ accountId: idField('ExternalAccount'), ...result })
  .meta({ id: 'AccountLookup' });
export const addressLookupSchema = z
  .object({ receiverUmaAddress: z.string(), ...result })
  .meta({ id: 'AddressLookup' });

/** The rates are those from the sender's first currency. */
export const renderLookup = (
  { lookupId, currencies, requiredPayerDataFields }: LookupDetails,
  table: RatesTable,
  [from = 'USD']: readonly string[],
) => ({
  lookupId,
  supportedCurrencies: currencies.map((code) => ({
    currency: currencyView(code),
    estimatedExchangeRate: priceOfOne(table, from, code),
    min: 1n,
    max: largestPayment,
  })),
  requiredPayerDataFields,
});
