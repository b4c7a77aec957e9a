import {
  type AgentId,
  type CustomerId,
  type Id,
  type InternalAccountId,
  isId,
  type QuoteId,
} from '../../kernel/ids.ts';
import { badFields } from '../../kernel/rejected.ts';
import type { PaymentRail } from '../external-accounts/payment-rails.ts';
import { findCurrency } from '../money/currencies.ts';
import type { cryptoNetworks } from '../payments/ends.ts';
import type { OperatorLimits } from '../platforms/outflow-limits.ts';

/** What is asked of a quote. Amounts are minor units of the currency of the locked side. */
export type QuoteRequest = {
  readonly source: {
    readonly sourceType: 'ACCOUNT' | 'REALTIME_FUNDING';
    /** For ACCOUNT: an internal or external account. */
    readonly accountId?: string | undefined;
    readonly customerId?: CustomerId | undefined;
    /** For REALTIME_FUNDING. */
    readonly currency?: string | undefined;
    /** For REALTIME_FUNDING in a cryptocurrency. */
    readonly cryptoNetwork?: (typeof cryptoNetworks)[number] | undefined;
  };
  readonly destination: {
    readonly destinationType: 'ACCOUNT' | 'UMA_ADDRESS';
    readonly accountId?: string | undefined;
    /** For an external account. */
    readonly paymentRail?: PaymentRail | undefined;
    readonly umaAddress?: string | undefined;
    /** For UMA_ADDRESS: one that the receiver takes; its first when left out. */
    readonly currency?: string | undefined;
  };
  readonly lockedCurrencySide: 'SENDING' | 'RECEIVING';
  readonly lockedCurrencyAmount: bigint;
  readonly lookupId?: Id<'Lookup'> | undefined;
  readonly immediatelyExecute: boolean;
  readonly description?: string | undefined;
  readonly purposeOfPayment?: string | undefined;
  readonly remittanceInformation?: string | undefined;
  readonly senderCustomerInfo?: Record<string, string> | undefined;
};

/** What is settled about a quote besides. */
export type Chosen = {
  readonly uuid: string;
  readonly lifetimeMs: number;
  readonly operatorLimits: OperatorLimits;
  /** The agent that makes the quote, where one does. */
  readonly agentId?: AgentId;
  readonly at: Date;
  /** Makes the text that a wallet's session key has to sign. */
  readonly payloadOf: (members: {
    readonly quoteId: QuoteId;
    readonly operation: string;
    readonly accountId: InternalAccountId;
    readonly target: QuoteId;
    /** What the quote promises: a digest of it is signed with the rest. */
    readonly terms: object;
    readonly issuedAt: Date;
    readonly expiresAt: Date;
  }) => string;
};

/**
 * The fields of the request that are not read, since other variants of its source or its destination have them alone: no
 * rail leads to an internal account, and no network to what is paid in a fiat currency.
 */
export const unreadOf = (request: QuoteRequest): readonly string[] =>
  othersOf(request).map(({ field }) => field);

/** Throws `Rejected` for a field that is not read. */
export function requireRead(request: QuoteRequest): void {
  const errors = othersOf(request).map(({ field, of }) => ({ field, message: `is not read of ${of}` }));
  if (errors.length > 0) throw badFields(errors);
}

function othersOf({ source, destination }: QuoteRequest): readonly Unread[] {
  return [...othersOfSource(source), ...othersOfDestination(destination)];
}

function othersOfSource({
  sourceType,
  accountId,
  currency,
  cryptoNetwork,
}: QuoteRequest['source']): readonly Unread[] {
  if (sourceType === 'ACCOUNT') return sentOf('source', sourceType, { currency, cryptoNetwork });
  const isFiat = currency !== undefined && findCurrency(currency)?.kind === 'fiat';
  return [
    ...sentOf('source', sourceType, { accountId }),
    ...sentOf('source', `${sourceType} in ${currency}`, isFiat ? { cryptoNetwork } : {}),
  ];
}

function othersOfDestination({
  destinationType,
  accountId,
  paymentRail,
  umaAddress,
  currency,
}: QuoteRequest['destination']): readonly Unread[] {
  if (destinationType === 'UMA_ADDRESS')
    return sentOf('destination', destinationType, { accountId, paymentRail });
  const isInternal = accountId !== undefined && isId('InternalAccount', accountId);
  return [
    ...sentOf('destination', destinationType, { umaAddress, currency }),
    ...sentOf('destination', 'an internal account', isInternal ? { paymentRail } : {}),
  ];
}

type Unread = { readonly field: string; readonly of: string };

const sentOf = (side: string, of: string, others: object): readonly Unread[] =>
  Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [{ field: `${side}.${name}`, of }],
  );
