import { internalAccountNotFound } from '../../domain/accounts/account.ts';
import type { OpenAccount } from '../../domain/accounts/state.ts';
import { type InternalAccountId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

/** The account, or nothing where the platform has none of this id. */
export async function findInternalAccount(
  commands: Commands,
  platformId: PlatformId,
  accountId: InternalAccountId,
): Promise<OpenAccount | undefined> {
  const account = await commands.load('account', uuidOf(accountId));
  return account.status !== 'none' && account.platformId === platformId ? account : undefined;
}

/** Throws `Rejected` (404) for an account that is not there or not this platform's. */
export async function loadInternalAccount(
  commands: Commands,
  platformId: PlatformId,
  accountId: InternalAccountId,
): Promise<OpenAccount> {
  const account = await findInternalAccount(commands, platformId, accountId);
  if (!account) throw internalAccountNotFound();
  return account;
}
