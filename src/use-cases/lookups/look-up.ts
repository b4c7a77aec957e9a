/** A sender asks what a receiver takes and wants to know, before it makes a quote. */
import { type Customer, customerNotFound, type KnownCustomer } from '../../domain/customers/customer.ts';
import { type LookupDetails, lookupExpiry } from '../../domain/lookups/lookup.ts';
import { type Offer, offersTo } from '../../domain/lookups/offers.ts';
import type { RequiredField } from '../../domain/lookups/payer-fields.ts';
import type { Rates } from '../../domain/money/rates.ts';
import { requireStays } from '../../domain/payments/parties/readiness.ts';
import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import { requireTakesAny } from '../../domain/quotes/currencies.ts';
import { parsePaymentAddress, umaNotFound } from '../../domain/values/payment-address.ts';
import { type CustomerId, type ExternalAccountId, idOf, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny, sameCustomer } from '../find/customer.ts';
import { loadExternalAccount } from '../find/external-account.ts';
import { loadPlatform } from '../find/platform.ts';
import type { Receivers } from '../find/receivers.ts';

type Deps = { readonly commands: Commands; readonly receivers: Receivers; readonly now: () => Date };

type NamedSender = {
  readonly customerId?: CustomerId | undefined;
  readonly senderUmaAddress?: string | undefined;
};

export type Found = {
  readonly sender: KnownCustomer;
  /** The address or the account, as it was asked for. */
  readonly receiver: string;
  readonly currencies: readonly string[];
  readonly required: readonly RequiredField[];
  /** Of a receiver who is a customer here. */
  readonly receiving?: ActivePlatform | undefined;
};

/** Throws `Rejected` (404) for a sender who is not there, and for an address that nobody has. */
export async function findReceiverAt(
  deps: Deps,
  platformId: PlatformId,
  receiverUmaAddress: string,
  named: NamedSender,
): Promise<Found> {
  const address = parsePaymentAddress(receiverUmaAddress);
  const sender = await findSender(deps, platformId, named);
  const receiver = await deps.receivers.find(address);
  if (!receiver) throw umaNotFound();
  const { currencies, requiredPayerDataFields: required, platform: receiving } = receiver;
  requireTakesAny(currencies);
  return { sender, receiver: address, currencies, required, receiving };
}

/** Throws `Rejected`: 404 for a sender or an account that is not there, 410 for an account of a deleted customer. */
export async function findReceiverAccount(
  deps: Deps,
  platformId: PlatformId,
  accountId: ExternalAccountId,
  named: NamedSender,
): Promise<Found> {
  const sender = await findSender(deps, platformId, named);
  const { currency, customerId } = await loadExternalAccount(deps.commands, platformId, accountId);
  const isOwn = customerId === sender.customerId;
  requireStays(isOwn ? sender : await loadCustomerIfAny(deps.commands, platformId, customerId));
  return { sender, receiver: accountId, currencies: [currency], required: [] };
}

async function findSender(
  { commands, receivers }: Deps,
  platformId: PlatformId,
  { customerId, senderUmaAddress }: NamedSender,
): Promise<KnownCustomer> {
  const address = senderUmaAddress === undefined ? undefined : parsePaymentAddress(senderUmaAddress);
  const own = (sender: Customer | undefined): KnownCustomer | undefined =>
    sender?.status === 'active' && sender.platformId === platformId ? sender : undefined;
  const byId = customerId ? own(await commands.load('customer', uuidOf(customerId))) : undefined;
  if (customerId && !byId) throw customerNotFound();
  const byAddress = address ? own(await receivers.customerAt(address)) : undefined;
  if (address && !byAddress) throw umaNotFound();
  const sender = sameCustomer(byId, byAddress, 'senderUmaAddress');
  if (!sender) throw nobodyNamed();
  return sender;
}

function nobodyNamed(): Rejected {
  const message = 'name the sender by customerId or by senderUmaAddress';
  const errors = ['customerId', 'senderUmaAddress'].map((field) => ({ field, message }));
  return new Rejected('INVALID_INPUT', 'Name the sender by customerId or by senderUmaAddress.', { errors });
}

/**
 * Keeps what the sender is told, so that a quote can rest on it. Throws `Rejected` (INVALID_CURRENCY) where it can pay
 * in none of what the receiver takes.
 */
export async function createLookup(
  { commands, rates, now }: Pick<Deps, 'commands' | 'now'> & { readonly rates: Rates },
  { sender, receiver, currencies, required, receiving }: Found,
  { uuidFor, cause }: Attempt,
): Promise<{ readonly lookup: LookupDetails; readonly offers: readonly Offer[] }> {
  const platform = await loadPlatform(commands, sender.platformId);
  const offers = offersTo(currencies, sender, platform, rates.table, receiving);
  const uuid = uuidFor('lookup');
  const at = now();
  const details: LookupDetails = {
    lookupId: idOf('Lookup', uuid),
    platformId: sender.platformId,
    customerId: sender.customerId,
    receiver,
    requiredPayerDataFields: [...required],
    currencies: [...currencies],
    expiresAt: lookupExpiry(at),
    at,
  };
  await commands.run('lookup', uuid, { type: 'CreateLookup', details }, cause);
  return { lookup: details, offers };
}
