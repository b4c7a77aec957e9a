/** Who pays and who is paid: what a quote request names, found and checked to be the platform's own. */

import { primaryAccount } from '../../domain/accounts/provisioning.ts';
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import type { LookupDetails } from '../../domain/lookups/lookup.ts';
import {
  type Account,
  idOfAccount,
  type QuoteDestination,
  type QuoteParties,
  type QuoteSource,
} from '../../domain/payments/parties/parties.ts';
import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import { chosenOf } from '../../domain/quotes/currencies.ts';
import type { QuoteRequest } from '../../domain/quotes/quote-request.ts';
import { parsePaymentAddress, umaNotFound } from '../../domain/values/payment-address.ts';
import { type CustomerId, type InternalAccountId, isId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { together } from '../together.ts';
import { loadOwner } from './account-owner.ts';
import { customersOnce } from './customer.ts';
import { loadExternalAccount } from './external-account.ts';
import { findInternalAccount, loadInternalAccount } from './internal-account.ts';
import type { Payees } from './payees.ts';
import { loadPlatform } from './platform.ts';
import type { Receivers } from './receivers.ts';

type Deps = {
  readonly commands: Commands;
  readonly receivers: Receivers;
  readonly payees: Pick<Payees, 'find'>;
  readonly now: () => Date;
};

/** Throws `Rejected`: 404 for what is not there or not this platform's. */
export async function findParties(
  deps: Deps,
  platformId: PlatformId,
  { source, destination, lookupId }: QuoteRequest,
): Promise<QuoteParties> {
  const { commands } = deps;
  // What is no payment address is a matter of syntax, which comes before what is not there.
  const address =
    destination.destinationType === 'UMA_ADDRESS' && parsePaymentAddress(destination.umaAddress ?? '');
  const paying = findSource(commands, platformId, source);
  const paid = address
    ? findReceiver(deps, address, destination.currency)
    : loadAccount(commands, platformId, destination.accountId ?? '');
  // Of the other kinds an account is no part, whatever the request says of one.
  const outgoing = source.sourceType === 'ACCOUNT' ? source.accountId : undefined;
  const incoming = destination.destinationType === 'ACCOUNT' ? destination.accountId : undefined;
  const customerOf = customersOnce(commands, platformId);
  const [from, to, named, platform, holder, recipient] = await together(
    paying,
    paid,
    customerOf(source.customerId ?? null),
    loadPlatform(commands, platformId),
    loadOwner(commands, platformId, outgoing, async () => ownerOf(await paying), customerOf),
    loadOwner(commands, platformId, incoming, async () => ownerOf(await paid), customerOf),
  );
  const sender = holder ?? named;
  const lookup = await findLookup(deps, platformId, lookupId, sender, to);
  const ownAccount = sender ? undefined : await findOwn(commands, platform, from);
  return { platform, source: from, sender, named, destination: to, recipient, lookup, ownAccount };
}

/** In the sandbox nothing that the platform pays from outside is kept for it. */
async function findOwn(
  commands: Commands,
  { platformId, environment }: ActivePlatform,
  source: QuoteSource,
): Promise<InternalAccountId | undefined> {
  if (source.kind !== 'REALTIME_FUNDING' || environment === 'sandbox') return undefined;
  const accountId = primaryAccount(platformId, source.currency);
  return (await findInternalAccount(commands, platformId, accountId))?.accountId;
}

const ownerOf = (end: QuoteSource | QuoteDestination): CustomerId | null =>
  'account' in end ? end.account.customerId : null;

async function findSource(
  commands: Commands,
  platformId: PlatformId,
  source: QuoteRequest['source'],
): Promise<QuoteSource> {
  if (source.sourceType === 'REALTIME_FUNDING')
    return { kind: source.sourceType, currency: source.currency ?? '' };
  return loadAccount(commands, platformId, source.accountId ?? '');
}

async function findReceiver(
  { receivers, payees }: Deps,
  umaAddress: string,
  asked: string | undefined,
): Promise<QuoteDestination> {
  const receiver = await receivers.find(umaAddress);
  if (!receiver) throw umaNotFound();
  const currency = chosenOf(receiver, asked);
  const payee = receiver.currencies.includes(currency) ? await payees.find(receiver, currency) : undefined;
  return { kind: 'UMA_ADDRESS', receiver, payee };
}

/** An internal or external account of the platform, by its id. */
export async function loadAccount(commands: Commands, platformId: PlatformId, id: string): Promise<Account> {
  if (isId('InternalAccount', id))
    return { kind: 'INTERNAL', account: await loadInternalAccount(commands, platformId, id) };
  invariant(isId('ExternalAccount', id), `${id} is no account id`);
  return { kind: 'EXTERNAL', account: await loadExternalAccount(commands, platformId, id) };
}

/** A lookup is good for its sender and its receiver, until it expires. */
async function findLookup(
  { commands, now }: Deps,
  platformId: PlatformId,
  lookupId: QuoteRequest['lookupId'],
  sender: KnownCustomer | undefined,
  destination: QuoteDestination,
): Promise<LookupDetails | undefined> {
  if (lookupId === undefined) return undefined;
  if (!sender) throw nobodyPays();
  const found = await commands.load('lookup', uuidOf(lookupId));
  const receiver =
    destination.kind === 'UMA_ADDRESS' ? destination.receiver.umaAddress : idOfAccount(destination);
  const fits =
    found.status === 'created' &&
    found.platformId === platformId &&
    found.customerId === sender.customerId &&
    found.receiver === receiver &&
    found.expiresAt > now();
  if (fits) return found;
  throw new Rejected(
    'LOOKUP_REQUEST_NOT_FOUND',
    'There is no such lookup for this sender and receiver, or it has expired. Look the receiver up again.',
  );
}

/** A lookup is made for a customer, and the platform's own money may be paid on behalf of one. */
function nobodyPays(): Rejected {
  const message = 'name the customer who pays, for whom the receiver was looked up';
  const errors = [{ field: 'source.customerId', message }];
  return new Rejected('INVALID_INPUT', 'Name the customer who pays by source.customerId.', { errors });
}
