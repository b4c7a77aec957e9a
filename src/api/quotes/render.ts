import { z } from 'zod';
import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import type { TransactionRow } from '../../../projections/tables/transactions.ts';
import { paymentInstructionSchema } from '../../domain/accounts/payment-instructions.ts';
import { paymentRail } from '../../domain/external-accounts/payment-rails.ts';
import { currencyView } from '../../domain/money/currencies.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import { quoteInstructions } from '../../domain/quotes/instructions.ts';
import { idField } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { currencySchema } from '../fields/amounts.ts';
import { cryptoNetwork } from '../fields/enumerations.ts';
import { int64, present, timestamp } from '../fields/fields.ts';
import { quoteRateDetailsSchema, renderQuoteRates } from '../transactions/rates.ts';

const sourceSchema = z
  .discriminatedUnion('sourceType', [
    z
      .object({
        sourceType: z.literal('ACCOUNT'),
        accountId: z.string(),
        customerId: idField('Customer').optional(),
      })
      .meta({ id: 'QuoteAccountSource' }),
    z
      .object({
        sourceType: z.literal('REALTIME_FUNDING'),
        currency: z.string(),
        customerId: idField('Customer').optional(),
        cryptoNetwork: cryptoNetwork.optional(),
      })
      .meta({ id: 'QuoteFundingSource' }),
  ])
  .meta({ id: 'QuoteSource' });

const destinationSchema = z
  .discriminatedUnion('destinationType', [
    z
      .object({
        destinationType: z.literal('ACCOUNT'),
        accountId: z.string(),
        paymentRail: paymentRail.optional(),
      })
      .meta({ id: 'QuoteAccountDestination' }),
    z
      .object({ destinationType: z.literal('UMA_ADDRESS'), umaAddress: z.string(), currency: z.string() })
      .meta({ id: 'QuoteAddressDestination' }),
  ])
  .meta({ id: 'QuoteDestination' });

export const quoteSchema = z
  .object({
    id: idField('Quote'),
    status: z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED']),
    createdAt: timestamp,
    expiresAt: timestamp,
    source: sourceSchema,
    destination: destinationSchema,
    sendingCurrency: currencySchema,
    receivingCurrency: currencySchema,
    totalSendingAmount: int64.meta({ description: 'In sendingCurrency, with the fees.' }),
    totalReceivingAmount: int64.meta({ description: 'In receivingCurrency.' }),
    exchangeRate: z
      .number()
      .meta({ description: 'Sending units per receiving unit, in major units, after fees.' }),
    feesIncluded: int64.meta({ description: 'In sendingCurrency, a part of totalSendingAmount.' }),
    transactionId: idField('Transaction'),
    paymentInstructions: z.array(paymentInstructionSchema).optional(),
    counterpartyInformation: z.record(z.string(), z.string()).optional(),
    rateDetails: quoteRateDetailsSchema,
  })
  .meta({ id: 'Quote' });

/** A refused or refunded payment leaves its quote FAILED. */
const quoteStatus = (status: TransactionRow['status']) =>
  status === 'REJECTED' || status === 'REFUNDED' ? 'FAILED' : status;

/** Renders a payment that began as a quote. */
export function renderQuote(row: TransactionRow) {
  const { rate_details: rates } = row;
  invariant(row.quote_id && rates && row.expires_at, `${row.id} did not begin as a quote`);
  return present({
    id: row.quote_id,
    status: quoteStatus(row.status),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    source: renderSource(row),
    destination: renderDestination(row),
    sendingCurrency: currencyView(row.sent_currency),
    receivingCurrency: currencyView(row.received_currency),
    totalSendingAmount: row.sent_minor,
    totalReceivingAmount: row.received_minor,
    exchangeRate: Number(row.exchange_rate),
    feesIncluded: row.fees,
    transactionId: row.id,
    paymentInstructions: quoteInstructions(row.id, row.source, row.sent_currency),
    counterpartyInformation: row.counterparty_information ?? undefined,
    rateDetails: renderQuoteRates(rates),
  });
}

/** The same in a state that was just decided. */
export const renderQuoted = (payment: Payment) => renderQuote(rowOfPayment(payment));

function renderSource({ source, customer_id, sent_currency }: TransactionRow) {
  const customerId = customer_id ?? undefined;
  if (source.kind === 'REALTIME_FUNDING') {
    const { cryptoNetwork } = source;
    return present({ sourceType: source.kind, currency: sent_currency, customerId, cryptoNetwork });
  }
  invariant(source.kind !== 'UMA_ADDRESS', 'a quote from a payment address');
  return present({ sourceType: 'ACCOUNT', accountId: source.accountId, customerId });
}

function renderDestination({ destination, received_currency }: TransactionRow) {
  if (destination.kind === 'UMA_ADDRESS') {
    return {
      destinationType: destination.kind,
      umaAddress: destination.umaAddress,
      currency: received_currency,
    };
  }
  const rail = destination.kind === 'EXTERNAL' ? destination.paymentRail : undefined;
  return present({ destinationType: 'ACCOUNT', accountId: destination.accountId, paymentRail: rail });
}
