/** The row of a payment: as it begins, and in a state that was just decided. */

import { anyOf, withoutIdentifiers } from '../../src/domain/lookups/payer-fields.ts';
import type { PaymentDestination, PaymentSource } from '../../src/domain/payments/ends.ts';
import type { Recipient } from '../../src/domain/payments/events.ts';
import type { Payment, Refund } from '../../src/domain/payments/life/progress.ts';
import type { ReceivingSide } from '../../src/domain/payments/receiving-side.ts';
import type { Terms } from '../../src/domain/payments/terms.ts';
import type { TransactionId } from '../../src/kernel/ids.ts';
import { uuidOf } from '../../src/kernel/ids.ts';
import type { StoredRefund, TransactionRow } from '../tables/transactions.ts';

export function rowOfTerms(terms: Terms): TransactionRow {
  const { sending, receiving, source, destination } = terms;
  return {
    id: terms.transactionId,
    quote_id: terms.kind === 'quote' ? terms.quoteId : null,
    platform_id: terms.platformId,
    type: terms.type,
    status: terms.kind === 'deposit' ? 'COMPLETED' : 'PENDING',
    customer_id: terms.customerId,
    platform_customer_id: terms.platformCustomerId,
    agent_id: terms.agentId ?? null,
    source,
    destination,
    sender_account: identifierOf(source),
    receiver_account: identifierOf(destination) ?? '',
    sent_minor: sending.minor,
    sent_currency: sending.currency,
    received_minor: receiving.minor,
    received_currency: receiving.currency,
    ...priceOf(terms),
    ...memoOf(terms),
    reference: terms.reference,
    pending_reason: null,
    failure_reason: null,
    refund: null,
    expires_at: terms.kind === 'quote' ? terms.quote.expiresAt : null,
    settled_at: terms.kind === 'deposit' ? terms.at : null,
    receipt_delivery_confirmed_at: null,
    created_at: terms.at,
    updated_at: terms.at,
  };
}

const identifierOf = (end: PaymentSource | PaymentDestination): string | null => {
  if (end.kind === 'UMA_ADDRESS') return end.umaAddress;
  return end.kind === 'REALTIME_FUNDING' ? null : end.accountId;
};

function priceOf(terms: Terms): Pick<TransactionRow, 'fees' | 'exchange_rate' | 'rate_details'> {
  if (terms.kind !== 'quote') return { fees: 0n, exchange_rate: null, rate_details: null };
  const { fees, exchangeRate, rateDetails } = terms.quote;
  const { counterpartyFixedFee, serviceApiFixedFee, serviceApiVariableFeeAmount } = rateDetails;
  const asText = {
    counterpartyFixedFee: counterpartyFixedFee.toString(),
    serviceApiFixedFee: serviceApiFixedFee.toString(),
    serviceApiVariableFeeAmount: serviceApiVariableFeeAmount.toString(),
  };
  return { fees, exchange_rate: exchangeRate, rate_details: { ...rateDetails, ...asText } };
}

/** The text of a remittance is for the receiving bank's statement, and describes nothing. */
function memoOf(terms: Terms): Pick<TransactionRow, 'description' | 'counterparty_information'> {
  if (terms.kind === 'quote') {
    const { description, counterpartyInformation } = terms.quote;
    const told = counterpartyInformation && anyOf(withoutIdentifiers(counterpartyInformation));
    return { description: description ?? null, counterparty_information: told ?? null };
  }
  const told = terms.kind === 'incoming' ? terms.incoming.counterpartyInformation : undefined;
  return { description: null, counterparty_information: told ?? null };
}

export const storedRefund = (id: TransactionId, refund: Refund): StoredRefund => ({
  reference: `refund-${uuidOf(id)}`,
  initiatedAt: refund.initiatedAt.toISOString(),
  ...(refund.settledAt && { settledAt: refund.settledAt.toISOString() }),
  status: refund.status,
  reason: refund.reason,
});

/**
 * The row of the receiving side of a payment. What the payer has agreed with the service, fees, rates and the agent who
 * asked, is the payer's.
 */
export const rowOfReceivingSide = (
  state: Payment,
  { transactionId, since }: ReceivingSide,
  { customerId, platformCustomerId }: Recipient,
): TransactionRow => ({
  ...rowOfPayment(state),
  id: transactionId,
  type: 'INCOMING',
  customer_id: customerId,
  platform_customer_id: platformCustomerId,
  agent_id: null,
  fees: 0n,
  exchange_rate: null,
  rate_details: null,
  counterparty_information: null,
  expires_at: null,
  receipt_delivery_confirmed_at: null,
  created_at: since,
});

/** What becomes of a payment. All else follows from its terms, which never change, and from what was said of its parties. */
export const progressColumns = [
  'status',
  'pending_reason',
  'failure_reason',
  'refund',
  'settled_at',
  'receipt_delivery_confirmed_at',
  'updated_at',
] as const satisfies readonly (keyof TransactionRow)[];

/** The row of a payment in a state that was just decided: the same that the projection will have. */
export function rowOfPayment(state: Payment): TransactionRow {
  const { terms, status, pendingReason, reason, refund, described } = state;
  const begun = rowOfTerms(terms);
  return {
    ...begun,
    ...(described && { counterparty_information: { ...begun.counterparty_information, ...described } }),
    status,
    pending_reason: pendingReason ?? null,
    failure_reason: status === 'EXPIRED' ? 'QUOTE_EXPIRED' : (reason ?? null),
    refund: refund ? storedRefund(terms.transactionId, refund) : null,
    settled_at: state.settledAt ?? null,
    receipt_delivery_confirmed_at: state.receiptConfirmedAt ?? null,
    updated_at: state.updatedAt,
  };
}
