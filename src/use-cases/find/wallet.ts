/** From what a request names to its wallet, checked to be the platform's own. */
import type { ReadDb } from '../../../projections/database.ts';
import { findWalletOfCredential, findWalletOfSession } from '../../../projections/models/wallets.ts';
import type { OpenAccount } from '../../domain/accounts/state.ts';
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import {
  credentialNotFound,
  requireCredential,
  requireSession,
  sessionNotFound,
} from '../../domain/wallets/rules.ts';
import type { Credential, Session } from '../../domain/wallets/state.ts';
import type { AuthMethodId, InternalAccountId, PlatformId, SessionId } from '../../kernel/ids.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { badField } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import type { WalletOf } from '../wallets/signing.ts';

export type FindDeps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly now: () => Date;
};

/** Throws `Rejected`: 400 for an account of another type, 410 for one whose customer was deleted. */
export async function loadWalletOf(
  commands: Commands,
  { platformId, accountId, accountType, customerId }: OpenAccount,
  field: string,
): Promise<WalletOf> {
  if (accountType !== 'EMBEDDED_WALLET') throw badField(field, 'must be an account of type EMBEDDED_WALLET');
  if (customerId !== null) {
    const customer = await commands.load('customer', uuidOf(customerId));
    if (customer.status !== 'none') requireNotDeleted(customer);
  }
  return { platformId, accountId, state: await commands.load('wallet', uuidOf(accountId)) };
}

/** The wallet that a credential or session was found to belong to. */
async function loadWalletAt(commands: Commands, accountId: InternalAccountId): Promise<WalletOf> {
  const account = await commands.load('account', uuidOf(accountId));
  invariant(account.status !== 'none', `${accountId} has credentials and was never opened`);
  return loadWalletOf(commands, account, 'accountId');
}

export type CredentialOf = WalletOf & { readonly credential: Credential };
export type SessionOf = WalletOf & { readonly session: Session };

/** Throws `Rejected` (404) for a credential that is not there or not this platform's. */
export async function loadCredential(
  { commands, readDb }: Pick<FindDeps, 'commands' | 'readDb'>,
  platformId: PlatformId,
  id: AuthMethodId,
): Promise<CredentialOf> {
  const found = await findWalletOfCredential(readDb, platformId, id);
  if (!found) throw credentialNotFound();
  const wallet = await loadWalletAt(commands, found.account_id);
  return { ...wallet, credential: requireCredential(wallet.state, id) };
}

/** Throws `Rejected` (404) for a session that is not active or not this platform's. */
export async function loadSession(
  { commands, readDb, now }: FindDeps,
  platformId: PlatformId,
  id: SessionId,
): Promise<SessionOf> {
  const found = await findWalletOfSession(readDb, platformId, id);
  if (!found) throw sessionNotFound();
  const wallet = await loadWalletAt(commands, found.account_id);
  return { ...wallet, session: requireSession(wallet.state, id, now()) };
}
