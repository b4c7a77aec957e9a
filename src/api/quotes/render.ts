import { z } from 'zod';
import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import type { TransactionRow } from '../../../projections/tables/transactions.ts';
import { paymentInstructionSchema } from '../../domain/accounts/payment-instructions.ts';
import { paymentRail } from '../../domain/external-accounts/account-type.ts';
import { currencyView } from '../../domain/money/currencies.ts';
import { cryptoNetworks } from '../../domain/payments/events.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import { quoteInstructions } from '../../domain/quotes/instructions.ts';
import { idField, idSchema } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { currencyCode, currencySchema } from '../fields/amounts.ts';
import { int64, positiveAmount, present, timestamp } from '../fields/fields.ts';
import { quoteRateDetailsSchema, renderServiceRates } from '../transactions/render.ts';

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const accountId = z.string().regex(new RegExp(`^(Internal|External)Account:${uuid}$`));

/** Completion 2 and 20: twelve purposes are documented, fourteen accepted. */
const purposes = [
  'GIFT',
  'SELF',
  'GOODS_OR_SERVICES',
  'EDUCATION',
  'HEALTH_OR_MEDICAL',
  'REAL_ESTATE_PURCHASE',
  'TAX_PAYMENT',
  'LOAN_PAYMENT',
  'UTILITY_BILL',
  'DONATION',
  'TRAVEL',
  'OTHER',
] as const;
export const purposeOfPayment = z
  .enum([...purposes, 'FAMILY_SUPPORT', 'SALARY_PAYMENT'])
  .meta({ override: { type: 'string', enum: [...purposes] } });

/** Service.md, Limits. */
const lockedAmountMax = 9_000_000_000_000_000n;

const sourceRequest = z.object({
  sourceType: z.enum(['ACCOUNT', 'REALTIME_FUNDING']).default('ACCOUNT'),
  accountId: accountId.optional().meta({ description: 'For ACCOUNT.' }),
  customerId: idSchema('Customer').optional(),
  currency: currencyCode.optional().meta({ description: 'For REALTIME_FUNDING.' }),
  cryptoNetwork: z.enum(cryptoNetworks).optional(),
});

const destinationRequest = z.object({
  destinationType: z.enum(['ACCOUNT', 'UMA_ADDRESS']).default('ACCOUNT'),
  accountId: accountId.optional().meta({ description: 'For ACCOUNT.' }),
  paymentRail: paymentRail.optional(),
  umaAddress: z.string().min(1).max(320).optional().meta({ description: 'For UMA_ADDRESS.' }),
  currency: currencyCode
    .optional()
    .meta({ description: 'For UMA_ADDRESS: one that the receiver takes; its first when left out.' }),
});

/** Service.md, POST /agents/me/quotes, and completion 9.1. */
export const createQuoteRequest = z
  .object({
    source: sourceRequest,
    destination: destinationRequest,
    lockedCurrencySide: z.enum(['SENDING', 'RECEIVING']),
    lockedCurrencyAmount: positiveAmount(lockedAmountMax),
    lookupId: idSchema('Lookup').optional(),
    immediatelyExecute: z.boolean().default(false),
    description: z.string().min(1).max(1000).optional(),
    purposeOfPayment: purposeOfPayment.optional(),
    remittanceInformation: z.string().min(1).max(80).optional(),
    senderCustomerInfo: z.record(z.string().min(1).max(64), z.string().max(1000)).optional(),
  })
  .superRefine(({ source, destination, lookupId, immediatelyExecute }, context) => {
    const require = (field: string, value: unknown, message = 'is required') => {
      if (value === undefined) context.addIssue({ code: 'custom', path: field.split('.'), message });
    };
    if (source.sourceType === 'ACCOUNT') require('source.accountId', source.accountId);
    else require('source.currency', source.currency);
    if (destination.destinationType === 'ACCOUNT') require('destination.accountId', destination.accountId);
    else {
      require('destination.umaAddress', destination.umaAddress);
      require('lookupId', lookupId, 'is required for a payment address: look the receiver up first');
    }
    if (immediatelyExecute && source.sourceType === 'REALTIME_FUNDING') {
      const message = 'is not for REALTIME_FUNDING: the quote runs when the money arrives';
      context.addIssue({ code: 'custom', path: ['immediatelyExecute'], message });
    }
  })
  .meta({ id: 'QuoteCreateRequest' });
export type CreateQuoteRequest = z.output<typeof createQuoteRequest>;

const sourceSchema = z
  .discriminatedUnion('sourceType', [
    z.object({
      sourceType: z.literal('ACCOUNT'),
      accountId: z.string(),
      customerId: idField('Customer').optional(),
    }),
    z.object({
      sourceType: z.literal('REALTIME_FUNDING'),
      currency: z.string(),
      customerId: idField('Customer').optional(),
      cryptoNetwork: z.enum(cryptoNetworks).optional(),
    }),
  ])
  .meta({ id: 'QuoteSource' });

const destinationSchema = z
  .discriminatedUnion('destinationType', [
    z.object({
      destinationType: z.literal('ACCOUNT'),
      accountId: z.string(),
      paymentRail: paymentRail.optional(),
    }),
    z.object({ destinationType: z.literal('UMA_ADDRESS'), umaAddress: z.string(), currency: z.string() }),
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
    totalSendingAmount: int64,
    totalReceivingAmount: int64,
    exchangeRate: z
      .number()
      .meta({ description: 'Sending units per receiving unit, in major units, after fees.' }),
    feesIncluded: int64,
    transactionId: idField('Transaction'),
    paymentInstructions: z.array(paymentInstructionSchema).optional(),
    counterpartyInformation: z.record(z.string(), z.string()).optional(),
    rateDetails: quoteRateDetailsSchema,
  })
  .meta({ id: 'Quote' });

/** Completion 9.4: a refused or refunded payment leaves its quote FAILED. */
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
    rateDetails: {
      counterpartyMultiplier: Number(rates.counterpartyMultiplier),
      counterpartyFixedFee: BigInt(rates.counterpartyFixedFee),
      ...renderServiceRates(rates),
    },
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
