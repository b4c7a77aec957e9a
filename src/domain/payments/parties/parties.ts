import type { OpenAccount } from '../../accounts/state.ts';
import type { KnownCustomer } from '../../customers/customer.ts';
import type { RegisteredExternalAccount } from '../../external-accounts/external-account.ts';
import type { LookupDetails } from '../../lookups/lookup.ts';
import type { RequiredField } from '../../lookups/payer-fields.ts';
import type { ActivePlatform } from '../../platforms/platform.ts';
export type Account =
  | { readonly kind: 'INTERNAL'; readonly account: OpenAccount }
  | { readonly kind: 'EXTERNAL'; readonly account: RegisteredExternalAccount['details'] };

export type QuoteSource = Account | { readonly kind: 'REALTIME_FUNDING'; readonly currency: string };

export type QuoteDestination = Account | { readonly kind: 'UMA_ADDRESS'; readonly receiver: Receiver };

export type QuoteParties = {
  readonly platform: ActivePlatform;
  readonly source: QuoteSource;
  /** The customer who pays; nobody when the platform itself does. */
  readonly sender: KnownCustomer | undefined;
  /** The customer that the request names as the sender, if it names one. */
  readonly named: KnownCustomer | undefined;
  readonly destination: QuoteDestination;
  /** Who owns the internal account that is paid; nobody where it is the platform's own. */
  readonly recipient: KnownCustomer | undefined;
  readonly lookup: LookupDetails | undefined;
};

export const idOfAccount = (found: Account): string =>
  found.kind === 'INTERNAL' ? found.account.accountId : found.account.externalAccountId;

export type Receiver = {
  readonly umaAddress: string;
  /** What the receiver takes, the preferred one first. */
  readonly currencies: readonly string[];
  readonly requiredPayerDataFields: readonly RequiredField[];
  /** The customer, of any platform, who holds the address; absent for a counterparty outside. */
  readonly customer?: KnownCustomer;
};
