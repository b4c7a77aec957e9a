/** What a payment is about, however it began. */
import type { AgentId, QuoteId, TransactionId } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import type { PaymentDestination, PaymentSource } from './ends.ts';
import type { Deposit, IncomingPayment, QuoteTerms, TransferTerms } from './events.ts';

type Common = Pick<QuoteTerms, 'platformId' | 'customerId' | 'platformCustomerId' | 'reference' | 'at'> & {
  readonly transactionId: TransactionId;
  readonly type: 'INCOMING' | 'OUTGOING';
  readonly source: PaymentSource;
  readonly destination: PaymentDestination;
  readonly sending: Money;
  readonly receiving: Money;
  /** The agent that initiated it. */
  readonly agentId?: AgentId;
};

export type Terms = Common &
  (
    | { readonly kind: 'quote'; readonly quoteId: QuoteId; readonly quote: QuoteTerms }
    | { readonly kind: 'transfer-in' | 'transfer-out'; readonly transfer: TransferTerms }
    | { readonly kind: 'incoming'; readonly incoming: IncomingPayment }
    | { readonly kind: 'deposit' }
  );

export const ofQuote = (quote: QuoteTerms): Terms => ({
  ...common(quote),
  kind: 'quote',
  type: 'OUTGOING',
  source: quote.source,
  destination: quote.destination,
  sending: quote.sending,
  receiving: quote.receiving,
  ...(quote.agentId && { agentId: quote.agentId }),
  quoteId: quote.quoteId,
  quote,
});

export const ofTransfer = (transfer: TransferTerms): Terms => ({
  ...common(transfer),
  kind: transfer.direction === 'IN' ? 'transfer-in' : 'transfer-out',
  type: transfer.direction === 'IN' ? 'INCOMING' : 'OUTGOING',
  source: transfer.source,
  destination: transfer.destination,
  sending: transfer.amount,
  receiving: transfer.amount,
  ...(transfer.agentAction && { agentId: transfer.agentAction.agentId }),
  transfer,
});

export const ofIncoming = (incoming: IncomingPayment): Terms => ({
  ...common(incoming),
  kind: 'incoming',
  type: 'INCOMING',
  source: { kind: 'UMA_ADDRESS', umaAddress: incoming.senderUmaAddress },
  destination: incoming.destination,
  sending: incoming.amount,
  receiving: incoming.amount,
  incoming,
});

export const ofDeposit = (deposit: Deposit): Terms => ({
  ...common(deposit),
  kind: 'deposit',
  type: 'INCOMING',
  source: { kind: 'REALTIME_FUNDING' },
  destination: { kind: 'INTERNAL', accountId: deposit.accountId },
  sending: deposit.amount,
  receiving: deposit.amount,
});

/** The payment of another customer here that this one receives, as its events name it. */
export const originOf = (incoming: IncomingPayment | undefined) =>
  incoming?.origin ? { origin: incoming.origin } : {};

/** The terms of an incoming payment, where it is one. */
export const incomingOf = (terms: Terms) => (terms.kind === 'incoming' ? terms.incoming : undefined);

/** The payer's words to the payee. */
export const wordsOfQuote = ({ remittanceInformation, description }: QuoteTerms): string | undefined =>
  remittanceInformation ?? description;

const common = ({
  transactionId,
  platformId,
  customerId,
  platformCustomerId,
  reference,
  at,
}: Deposit | QuoteTerms | TransferTerms | IncomingPayment) => ({
  transactionId,
  platformId,
  customerId,
  platformCustomerId,
  reference,
  at,
});
