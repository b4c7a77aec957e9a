/** Who pays and who is paid: what a quote request names, found and checked to be the platform's own. */

import { internalAccountNotFound } from '../../api/accounts/operations.ts';
import { umaNotFound } from '../../api/lookups/operations.ts';
import { loadPlatform } from '../../api/platforms/routes.ts';
import type { CreateQuoteRequest } from '../../api/quotes/render.ts';
import type { OpenAccount } from '../../domain/accounts/account.ts';
import type { Commands } from '../../domain/aggregates.ts';
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import {
  externalAccountNotFound,
  type RegisteredExternalAccount,
} from '../../domain/external-accounts/external-account.ts';
import type { LookupDetails } from '../../domain/lookups/lookup.ts';
import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import { parsePaymentAddress } from '../../domain/values/payment-address.ts';
import { type CustomerId, isId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { requireCustomer } from './customer.ts';
import type { Receiver, Receivers } from './receivers.ts';

type Account =
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
  readonly lookup: LookupDetails | undefined;
};

type Deps = { readonly commands: Commands; readonly receivers: Receivers; readonly now: () => Date };

/** Throws `Rejected`: 404 for what is not there or not this platform's. */
export async function findParties(
  deps: Deps,
  platformId: PlatformId,
  { source, destination, lookupId }: CreateQuoteRequest,
): Promise<QuoteParties> {
  const { commands } = deps;
  // What is no payment address is a matter of syntax, which comes before what is not there.
  const address =
    destination.destinationType === 'UMA_ADDRESS' && parsePaymentAddress(destination.umaAddress ?? '');
  const from = await findSource(commands, platformId, source);
  const to = address
    ? await findReceiver(deps, address)
    : await findAccount(commands, platformId, destination.accountId ?? '');
  const owner = from.kind === 'REALTIME_FUNDING' ? null : from.account.customerId;
  const named = await findCustomer(commands, platformId, source.customerId ?? null);
  const sender = owner === null ? named : await findCustomer(commands, platformId, owner);
  const platform = await loadPlatform(commands, { platformId });
  const lookup = await findLookup(deps, platformId, lookupId, sender, to);
  return { platform, source: from, sender, named, destination: to, lookup };
}

async function findSource(
  commands: Commands,
  platformId: PlatformId,
  source: CreateQuoteRequest['source'],
): Promise<QuoteSource> {
  if (source.sourceType === 'REALTIME_FUNDING')
    return { kind: source.sourceType, currency: source.currency ?? '' };
  return findAccount(commands, platformId, source.accountId ?? '');
}

async function findReceiver({ receivers }: Deps, umaAddress: string): Promise<QuoteDestination> {
  const receiver = await receivers.find(umaAddress);
  if (!receiver) throw umaNotFound();
  return { kind: 'UMA_ADDRESS', receiver };
}

/** An internal or external account of the platform, by its id. */
export async function findAccount(commands: Commands, platformId: PlatformId, id: string): Promise<Account> {
  if (isId('InternalAccount', id)) {
    const account = await commands.load('account', uuidOf(id));
    if (account.status === 'none' || account.platformId !== platformId) throw internalAccountNotFound();
    return { kind: 'INTERNAL', account };
  }
  invariant(isId('ExternalAccount', id), `${id} is no account id`);
  const account = await commands.load('externalAccount', uuidOf(id));
  const mine = account.kind === 'registered' && account.details.platformId === platformId;
  if (!mine || account.isDeleted) throw externalAccountNotFound();
  return { kind: 'EXTERNAL', account: account.details };
}

export async function findCustomer(
  commands: Commands,
  platformId: PlatformId,
  customerId: CustomerId | null,
) {
  if (customerId === null) return undefined;
  return requireCustomer(commands, { platformId }, customerId);
}

/** Completion 8: a lookup is good for its sender and its receiver, until it expires. */
async function findLookup(
  { commands, now }: Deps,
  platformId: PlatformId,
  lookupId: CreateQuoteRequest['lookupId'],
  sender: KnownCustomer | undefined,
  destination: QuoteDestination,
): Promise<LookupDetails | undefined> {
  if (lookupId === undefined) return undefined;
  const found = await commands.load('lookup', uuidOf(lookupId));
  const receiver =
    destination.kind === 'UMA_ADDRESS' ? destination.receiver.umaAddress : idOfAccount(destination);
  const fits =
    found.status === 'created' &&
    found.platformId === platformId &&
    found.customerId === sender?.customerId &&
    found.receiver === receiver &&
    found.expiresAt > now();
  if (fits) return found;
  throw new Rejected(
    'LOOKUP_REQUEST_NOT_FOUND',
    'There is no such lookup for this sender and receiver, or it has expired. Look the receiver up again.',
  );
}

export const idOfAccount = (found: Account): string =>
  found.kind === 'INTERNAL' ? found.account.accountId : found.account.externalAccountId;
