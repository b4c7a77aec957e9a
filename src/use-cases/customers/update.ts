import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import { type CustomerUpdate, changesOf } from '../../domain/customers/update-request.ts';
import type { SignatureRequest } from '../../domain/wallets/state.ts';
import { loadCustomer } from '../find/customer.ts';
import { loadPlatform } from '../find/platform.ts';
import type { Signing } from '../wallets/signing.ts';
import { applyChanges } from './apply-changes.ts';
import {
  changeEmail,
  type EmailChangeDeps,
  emailChangeOf,
  signedChangesOf,
  whileFree,
} from './email-change.ts';

/** The customer as it is then, or the challenge to sign where the wallet's customer has to agree. */
export type Updated =
  | { readonly customer: KnownCustomer; readonly challenge?: undefined }
  | { readonly challenge: SignatureRequest };

/** Throws `Rejected`, with nothing changed. */
export async function updateCustomer(
  deps: EmailChangeDeps,
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
  const isSigned = emailChange.leg.request !== undefined;
  const challenge = await whileFree(deps, signing, customer, emailChange, async () => {
    if (isSigned) await applyChanges(commands, customer, { changes: rest, claim, at }, cause);
    return changeEmail(deps, signing, customer, emailChange);
  });
  return challenge ? { challenge } : { customer: await loadCustomer(commands, platformId, customerId) };
}
