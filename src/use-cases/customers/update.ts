import type { ReadDb } from '../../../projections/database.ts';
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import { type CustomerUpdate, changesOf } from '../../domain/customers/update-request.ts';
import type { SignatureRequest } from '../../domain/wallets/state.ts';
import type { Commands } from '../commands.ts';
import { loadCustomer } from '../find/customer.ts';
import { loadPlatform } from '../find/platform.ts';
import type { Signing } from '../wallets/signing.ts';
import { applyChanges } from './apply-changes.ts';
import { changeEmail, emailChangeOf, isSigned, signedChangesOf } from './email-change.ts';

type Deps = { readonly commands: Commands; readonly readDb: ReadDb; readonly now: () => Date };

/** The customer as it is then, or the challenge to sign where the wallet's customer has to agree. */
export type Updated =
  | { readonly customer: KnownCustomer; readonly challenge?: undefined }
  | { readonly challenge: SignatureRequest };

/** Throws `Rejected`, with nothing changed. */
export async function updateCustomer(
  deps: Deps,
  customer: KnownCustomer,
  request: CustomerUpdate,
  signing: Signing,
): Promise<Updated> {
  requireNotDeleted(customer);
  const { commands, now } = deps;
  const { platformId, customerId } = customer;
  const { cause } = signing;
  const at = now();
  const changes = changesOf(request, customer, await loadPlatform(commands, platformId), at);
  const claim = signing.uuidFor('names');
  const emailChange = await emailChangeOf(deps, signing, customer, request);
  if (!emailChange) {
    const emailOrdinal = await signedChangesOf(commands, customer, changes);
    const wanted = { changes, claim, emailOrdinal, at };
    return { customer: await applyChanges(commands, customer, wanted, cause) };
  }
  // The rest may be refused: it goes first, so that the challenge is used up for all of the update or for nothing.
  const { email: _signedFor, ...rest } = changes;
  if (await isSigned(deps, emailChange))
    await applyChanges(commands, customer, { changes: rest, claim, at }, cause);
  const challenge = await changeEmail(deps, signing, customer, emailChange);
  return challenge ? { challenge } : { customer: await loadCustomer(commands, platformId, customerId) };
}
