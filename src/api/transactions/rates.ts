/** At which rates and fees a payment was priced: whole for its quote, without the counterparty's part after that. */
import { z } from 'zod';
import type { TransactionRow } from '../../../projections/tables/transactions.ts';
import { int64 } from '../fields/fields.ts';

const serviceRates = {
  serviceApiMultiplier: z.number(),
  serviceApiFixedFee: int64,
  serviceApiVariableFeeRate: z.number(),
  serviceApiVariableFeeAmount: int64,
};

export const transactionRateDetailsSchema = z.object(serviceRates).meta({ id: 'TransactionRateDetails' });

export const quoteRateDetailsSchema = z
  .object({ counterpartyMultiplier: z.number(), counterpartyFixedFee: int64, ...serviceRates })
  .meta({ id: 'RateDetails' });

type RateDetails = NonNullable<TransactionRow['rate_details']>;

export const renderTransactionRates = (details: RateDetails) => ({
  serviceApiMultiplier: Number(details.serviceApiMultiplier),
  serviceApiFixedFee: BigInt(details.serviceApiFixedFee),
  serviceApiVariableFeeRate: Number(details.serviceApiVariableFeeRate),
  serviceApiVariableFeeAmount: BigInt(details.serviceApiVariableFeeAmount),
});

export const renderQuoteRates = (details: RateDetails) => ({
  counterpartyMultiplier: Number(details.counterpartyMultiplier),
  counterpartyFixedFee: BigInt(details.counterpartyFixedFee),
  ...renderTransactionRates(details),
});
