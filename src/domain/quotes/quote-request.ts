import type { CustomerId, Id } from '../../kernel/ids.ts';
import type { PaymentRail } from '../external-accounts/account-type.ts';
import type { cryptoNetworks } from '../payments/events.ts';

/** What is asked of a quote. Amounts are minor units of the currency of the locked side. */
export type QuoteRequest = {
  readonly source: {
    readonly sourceType: 'ACCOUNT' | 'REALTIME_FUNDING';
    /** For ACCOUNT: an internal or external account. */
    readonly accountId?: string | undefined;
    readonly customerId?: CustomerId | undefined;
    /** For REALTIME_FUNDING. */
    readonly currency?: string | undefined;
    readonly cryptoNetwork?: (typeof cryptoNetworks)[number] | undefined;
  };
  readonly destination: {
    readonly destinationType: 'ACCOUNT' | 'UMA_ADDRESS';
    readonly accountId?: string | undefined;
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
