import { z } from 'zod';
import { requiredField } from '../../domain/lookups/events.ts';
import type { LookupDetails } from '../../domain/lookups/lookup.ts';
import type { Offer } from '../../domain/lookups/offers.ts';
import { currencyView } from '../../domain/money/currencies.ts';
import { idField } from '../../kernel/ids.ts';
import { currencySchema } from '../fields/amounts.ts';
import { int64 } from '../fields/fields.ts';

const limits = 'What a quote of the sender may lock on the receiving side.';

const result = {
  lookupId: idField('Lookup'),
  supportedCurrencies: z.array(
    z.object({
      currency: currencySchema,
      estimatedExchangeRate: z.number().meta({
        description: "Receiving units per sending unit: the other way round from a quote's exchangeRate.",
      }),
      min: int64.meta({ description: limits }),
      max: int64.meta({ description: limits }),
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

export const renderLookup = (
  { lookupId, requiredPayerDataFields }: LookupDetails,
  offers: readonly Offer[],
) => ({
  lookupId,
  supportedCurrencies: offers.map(({ currency, rate, min, max }) => ({
    currency: currencyView(currency),
    estimatedExchangeRate: rate,
    min,
    max,
  })),
  requiredPayerDataFields,
});
