import { z } from 'zod';
import type { Page } from '../../../projections/pagination.ts';
import type { TransactionRow } from '../../../projections/tables/transactions.ts';
import { paymentInstructionSchema } from '../../domain/accounts/payment-instructions.ts';
import { pullRail } from '../../domain/external-accounts/definitions.ts';
import {
  isPaymentRail,
  type PaymentRail,
  paymentRail,
} from '../../domain/external-accounts/payment-rails.ts';
import { failureReasons, pendingReasons } from '../../domain/payments/events.ts';
import { waysToPay } from '../../domain/quotes/instructions.ts';
import type { Answer } from '../../infrastructure/http/operation.ts';
import { idField } from '../../kernel/ids.ts';
import { stringify } from '../../kernel/json.ts';
import { currencyAmountSchema, renderAmount } from '../fields/amounts.ts';
import { transactionStatus, transactionType } from '../fields/enumerations.ts';
import { int64, present, renderPage, timestamp, writePage } from '../fields/fields.ts';
import { renderTransactionRates, transactionRateDetailsSchema } from './rates.ts';

const realtimeFunding = {
  customerId: idField('Customer').optional(),
  accountHolderName: z.string().optional(),
  accountIdentifier: z.string().optional(),
  bankName: z.string().optional(),
  bankIdentifier: z.string().optional(),
  paymentRail: z.string().optional(),
  remittanceInformation: z.string().optional(),
  endToEndId: z.string().optional(),
  traceNumber: z.string().optional(),
};

const sourceSchema = z
  .discriminatedUnion('sourceType', [
    z
      .object({ sourceType: z.literal('ACCOUNT'), accountId: z.string(), currency: z.string() })
      .meta({ id: 'TransactionAccountSource' }),
    z
      .object({ sourceType: z.literal('UMA_ADDRESS'), umaAddress: z.string(), currency: z.string() })
      .meta({ id: 'TransactionAddressSource' }),
    z
      .object({ sourceType: z.literal('REALTIME_FUNDING'), currency: z.string(), ...realtimeFunding })
      .meta({ id: 'TransactionFundingSource' }),
  ])
  .meta({ id: 'TransactionSource' });

const destinationSchema = z
  .discriminatedUnion('destinationType', [
    z
      .object({ destinationType: z.literal('ACCOUNT'), accountId: z.string(), currency: z.string() })
      .meta({ id: 'TransactionAccountDestination' }),
    z
      .object({ destinationType: z.literal('UMA_ADDRESS'), umaAddress: z.string(), currency: z.string() })
      .meta({ id: 'TransactionAddressDestination' }),
  ])
  .meta({ id: 'TransactionDestination' });

const refundSchema = z
  .object({
    reference: z.string(),
    initiatedAt: timestamp,
    settledAt: timestamp.optional(),
    status: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
    reason: z.enum(['TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT']),
  })
  .meta({ id: 'Refund' });

export const transactionSchema = z
  .object({
    id: idField('Transaction'),
    status: transactionStatus,
    type: transactionType,
    direction: z.enum(['CREDIT', 'DEBIT']),
    source: sourceSchema,
    destination: destinationSchema,
    customerId: idField('Customer').nullable().meta({
      description:
        "Who pays, or is paid where the payment is incoming. Null for the platform's own payments.",
    }),
    platformCustomerId: z.string().nullable(),
    sentAmount: currencyAmountSchema.optional(),
    receivedAmount: currencyAmountSchema,
    fees: int64.meta({ description: 'In the currency that is sent, a part of what is sent.' }),
    exchangeRate: z
      .number()
      .optional()
      .meta({ description: 'Sending units per receiving unit, in major units, after fees.' }),
    rateDetails: transactionRateDetailsSchema.optional(),
    quoteId: idField('Quote').optional(),
    agentId: idField('Agent').optional().meta({ description: 'Where an agent initiated the payment.' }),
    description: z.string().optional(),
    paymentInstructions: z.array(paymentInstructionSchema).optional().meta({
      description: 'While a quote with REALTIME_FUNDING waits for its payer: how to pay it.',
    }),
    paymentRail: paymentRail.optional().meta({ description: 'Of the bank account at the outside end.' }),
    counterpartyInformation: z.record(z.string(), z.string()).optional(),
    reconciliationInstructions: z.object({ reference: z.string() }),
    pendingReason: z.enum(pendingReasons).optional().meta({
      description: 'What holds a payment up: the account that it goes to is frozen.',
    }),
    failureReason: z.enum(failureReasons).optional(),
    refund: refundSchema.optional(),
    settledAt: timestamp.optional(),
    receiptDeliveryConfirmedAt: timestamp.optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Transaction' });

type Shown = z.input<typeof transactionSchema>;

/** Of rows that a list remembers, for as long as it does. */
const listed = new WeakMap<TransactionRow, string>();

/** A page of a list, whose items are written once for each version of their rows. */
export const pageOfTransactions = (page: Page<TransactionRow>): Answer => ({
  status: 200,
  get body() {
    return renderPage(page, renderTransaction);
  },
  text: writePage(page, writeListed),
});

function writeListed(row: TransactionRow): string {
  const known = listed.get(row);
  if (known !== undefined) return known;
  const written = stringify(renderTransaction(row));
  listed.set(row, written);
  return written;
}

export function renderTransaction(row: TransactionRow): Shown {
  const outgoing = row.type === 'OUTGOING';
  return present({
    id: row.id,
    status: row.status,
    type: row.type,
    direction: outgoing ? ('DEBIT' as const) : ('CREDIT' as const),
    source: renderSource(row),
    destination: renderDestination(row),
    customerId: row.customer_id,
    platformCustomerId: row.platform_customer_id,
    sentAmount: outgoing ? renderAmount({ minor: row.sent_minor, currency: row.sent_currency }) : undefined,
    receivedAmount: renderAmount({ minor: row.received_minor, currency: row.received_currency }),
    fees: row.fees,
    exchangeRate: row.exchange_rate === null ? undefined : Number(row.exchange_rate),
    rateDetails: row.rate_details ? renderTransactionRates(row.rate_details) : undefined,
    quoteId: row.quote_id ?? undefined,
    agentId: row.agent_id ?? undefined,
    description: row.description ?? undefined,
    paymentInstructions: instructionsOf(row),
    paymentRail: railOf(row),
    counterpartyInformation: row.counterparty_information ?? undefined,
    reconciliationInstructions: { reference: row.reference },
    pendingReason: row.pending_reason ?? undefined,
    failureReason: row.failure_reason ?? undefined,
    refund: row.refund ?? undefined,
    settledAt: row.settled_at?.toISOString(),
    receiptDeliveryConfirmedAt: row.receipt_delivery_confirmed_at?.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });
}

/** A quote is paid once, and until it expires. */
const instructionsOf = ({ id, status, source, sent_currency }: TransactionRow) =>
  status === 'PENDING' && source.kind === 'REALTIME_FUNDING'
    ? waysToPay(sent_currency, id, source.cryptoNetwork)
    : undefined;

/** Of the payout, where there is one; else of the pull. */
function railOf({ source, destination }: TransactionRow): PaymentRail | undefined {
  if (destination.kind !== 'EXTERNAL') return source.kind === 'EXTERNAL' ? pullRail : undefined;
  const { paymentRail: rail } = destination;
  return rail !== undefined && isPaymentRail(rail) ? rail : undefined;
}

function renderSource({
  source,
  type,
  quote_id,
  customer_id,
  sent_currency: currency,
}: TransactionRow): z.input<typeof sourceSchema> {
  switch (source.kind) {
    case 'UMA_ADDRESS':
      return { sourceType: 'UMA_ADDRESS', umaAddress: source.umaAddress, currency };
    case 'REALTIME_FUNDING': {
      // The receiving side of a quote belongs to the recipient, not to the payer.
      const isPayer = type === 'OUTGOING' || quote_id === null;
      const customerId = (isPayer && customer_id) || undefined;
      return present({ sourceType: 'REALTIME_FUNDING' as const, currency, customerId });
    }
    default:
      return { sourceType: 'ACCOUNT', accountId: source.accountId, currency };
  }
}

function renderDestination({
  destination,
  received_currency: currency,
}: TransactionRow): z.input<typeof destinationSchema> {
  if (destination.kind === 'UMA_ADDRESS') {
    return { destinationType: 'UMA_ADDRESS', umaAddress: destination.umaAddress, currency };
  }
  return { destinationType: 'ACCOUNT', accountId: destination.accountId, currency };
}
