import type { InternalAccountId } from '../../../kernel/ids.ts';
import type { OpenAccount } from '../../accounts/state.ts';
import type { KnownCustomer } from '../../customers/customer.ts';
import type { RegisteredExternalAccount } from '../../external-accounts/external-account.ts';
import type { LookupDetails } from '../../lookups/lookup.ts';
import type { RequiredField } from '../../lookups/payer-fields.ts';
import type { ActivePlatform } from '../../platforms/platform.ts';
import type { PartyInformation, Payee } from '../ends.ts';

export type Account =
  | { readonly kind: 'INTERNAL'; readonly account: OpenAccount }
  | { readonly kind: 'EXTERNAL'; readonly account: RegisteredExternalAccount['details'] };

export type QuoteSource = Account | { readonly kind: 'REALTIME_FUNDING'; readonly currency: string };

export type QuoteDestination =
  | Account
  | {
      readonly kind: 'UMA_ADDRESS';
      readonly receiver: Receiver;
      /** Absent where the receiver does not take the currency. */
      readonly payee?: FoundPayee | undefined;
    };

export type FoundPayee = {
  readonly payee: Payee;
  /** A customer's account as it stands; absent where it is not there any more. */
  readonly account?: Account | undefined;
};

export type QuoteParties = {
  readonly platform: ActivePlatform;
  readonly source: QuoteSource;
  /** The customer who pays; nobody when the platform itself does. */
  readonly sender: KnownCustomer | undefined;
  /** The customer that the request names as the sender, if it names one. */
  readonly named: KnownCustomer | undefined;
  readonly destination: QuoteDestination;
  /** Who owns the account that is paid; nobody where it is the platform's own, or an address is paid. */
  readonly recipient: KnownCustomer | undefined;
  readonly lookup: LookupDetails | undefined;
  /** The platform's own account in the currency that it pays in from outside; looked for outside the sandbox alone. */
  readonly ownAccount?: InternalAccountId | undefined;
};

export const idOfAccount = (found: Account): string =>
  found.kind === 'INTERNAL' ? found.account.accountId : found.account.externalAccountId;

export type Receiver = {
  readonly umaAddress: string;
  /** What the receiver takes, the preferred one first. */
  readonly currencies: readonly string[];
  readonly requiredPayerDataFields: readonly RequiredField[];
  /** What a counterparty outside says of itself. */
  readonly information?: PartyInformation | undefined;
  /** The customer, of any platform, who holds the address; absent for a counterparty outside. */
  readonly customer?: KnownCustomer;
  /** The customer's. */
  readonly platform?: ActivePlatform;
};
