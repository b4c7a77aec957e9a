/** Whose an account is: that never changes, so that its owner can be looked up beside it. */
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import { type CustomerId, isId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';
import { type FindCustomer, loadCustomerIfAny } from './customer.ts';

/** As it is remembered: `null` for the platform itself, `undefined` where the platform's account is not known here. */
function recallOwner(
  commands: Commands,
  platformId: PlatformId,
  accountId: string,
): CustomerId | null | undefined {
  const known = isId('InternalAccount', accountId)
    ? recallInternal(commands, accountId)
    : recallExternal(commands, accountId);
  return known?.platformId === platformId ? known.customerId : undefined;
}

type Owned = { readonly platformId: PlatformId; readonly customerId: CustomerId | null };

function recallInternal(commands: Commands, accountId: string): Owned | undefined {
  const account = commands.recall('account', uuidOf(accountId));
  return account?.status === 'none' ? undefined : account;
}

function recallExternal(commands: Commands, accountId: string): Owned | undefined {
  const account = commands.recall('externalAccount', uuidOf(accountId));
  return account?.kind === 'registered' ? account.details : undefined;
}

/**
 * The customer who owns an account, read at the same moment as the account where it is known whose it is, and else when
 * `find` has found that; nobody where it is the platform's own, or there is no account. `customerOf` is for who asks for
 * several customers.
 */
export async function loadOwner(
  commands: Commands,
  platformId: PlatformId,
  accountId: string | undefined,
  find: () => Promise<CustomerId | null>,
  customerOf: FindCustomer = (customerId) => loadCustomerIfAny(commands, platformId, customerId),
): Promise<KnownCustomer | undefined> {
  const known = accountId === undefined ? null : recallOwner(commands, platformId, accountId);
  return customerOf(known === undefined ? await find() : known);
}
