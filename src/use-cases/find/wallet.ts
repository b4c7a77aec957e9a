/** From what a request names to its wallet, checked to be the platform's own. */
import type { ReadDb } from '../../../projections/database.ts';
import { findWalletOfCredential, findWalletOfSession } from '../../../projections/models/wallets.ts';
import type { OpenAccount } from '../../domain/accounts/state.ts';
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import { credentialNotFound, sessionNotFound } from '../../domain/wallets/rules.ts';
import { missingUnder } from '../../domain/wallets/signed-requests.ts';
import { type Credential, liveSession, type Session } from '../../domain/wallets/state.ts';
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

/**
 * Throws `Rejected` for a credential that is not there or not this platform's: 404, or 401 where the request was to be one
 * that is signed, and its Request-Id is of no challenge.
 */
export async function loadCredential(
  { commands, readDb }: Pick<FindDeps, 'commands' | 'readDb'>,
  platformId: PlatformId,
  id: AuthMethodId,
  requestId?: string,
): Promise<CredentialOf> {
  const found = await findWalletOfCredential(readDb, platformId, id);
  const wallet = found && (await loadWalletAt(commands, found.account_id));
  const credential = wallet?.state.credentials.get(id);
  if (!wallet || !credential) throw missingUnder(requestId, wallet?.state, credentialNotFound());
  return { ...wallet, credential };
}

/** Throws `Rejected` for a session that is not active or not this platform's, as for a credential. */
export async function loadSession(
  { commands, readDb, now }: FindDeps,
  platformId: PlatformId,
  id: SessionId,
  requestId?: string,
): Promise<SessionOf> {
  const found = await findWalletOfSession(readDb, platformId, id);
  const wallet = found && (await loadWalletAt(commands, found.account_id));
  const session = wallet && liveSession(wallet.state, id, now());
  if (!wallet || !session) throw missingUnder(requestId, wallet?.state, sessionNotFound());
  return { ...wallet, session };
}
