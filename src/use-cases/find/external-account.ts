import type { Owner } from '../../../projections/models/external-accounts.ts';
import {
  type ExternalAccountDetails,
  externalAccountNotFound,
} from '../../domain/external-accounts/external-account.ts';
import { type ExternalAccountId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

/** Throws `Rejected` (404) for an account that is not there, not there any more, or not this platform's. */
export async function loadExternalAccount(
  commands: Commands,
  platformId: PlatformId,
  id: ExternalAccountId,
): Promise<ExternalAccountDetails> {
  const found = await commands.load('externalAccount', uuidOf(id));
  const isThere = found.kind === 'registered' && !found.isDeleted && found.details.platformId === platformId;
  if (!isThere) throw externalAccountNotFound();
  return found.details;
}

/** The same for an account of this kind of owner: a path of customers has none of the platform's own. */
export async function loadExternalAccountOf(
  owner: Owner,
  commands: Commands,
  platformId: PlatformId,
  id: ExternalAccountId,
): Promise<ExternalAccountDetails> {
  const account = await loadExternalAccount(commands, platformId, id);
  if ((owner === 'platform') !== (account.customerId === null)) throw externalAccountNotFound();
  return account;
}
