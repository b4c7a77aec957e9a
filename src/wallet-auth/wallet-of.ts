/** From what a request names to its wallet, checked to be the platform's own. */
import type { ReadDb } from '../../projections/database.ts';
import { findWalletOfCredential, findWalletOfSession } from '../../projections/wallets.ts';
import type { OpenAccount } from '../accounts/account.ts';
import { internalAccountNotFound } from '../accounts/api.ts';
import type { Commands } from '../aggregates.ts';
import { Rejected } from '../infrastructure/commands/rejected.ts';
import type { Principal } from '../infrastructure/http/operation.ts';
import type { AuthMethodId, InternalAccountId, SessionId } from '../infrastructure/ids.ts';
import { uuidOf } from '../infrastructure/ids.ts';
import { credentialNotFound, requireCredential, requireSession, sessionNotFound } from '../wallets/rules.ts';
import type { Credential, Session } from '../wallets/state.ts';
import type { WalletOf } from './signing.ts';

export type FindDeps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly now: () => Date;
};

/** Throws `Rejected` (404) for an account that is not there or not this platform's. */
export async function findAccountOf(
  commands: Commands,
  { platformId }: Principal,
  accountId: InternalAccountId,
): Promise<OpenAccount> {
  const account = await commands.load('account', uuidOf(accountId));
  if (account.status === 'none' || account.platformId !== platformId) throw internalAccountNotFound();
  return account;
}

/** The account, or nothing where the platform has none of this id: a list of what that one has is empty. */
export const findAccountIfAny = (commands: Commands, principal: Principal, accountId: InternalAccountId) =>
  findAccountOf(commands, principal, accountId).catch((error) => {
    if (!(error instanceof Rejected)) throw error;
  });

/** Throws `Rejected` (400) for an account of another type. */
export async function walletOf(
  commands: Commands,
  { platformId, accountId, accountType }: OpenAccount,
  field: string,
): Promise<WalletOf> {
  if (accountType !== 'EMBEDDED_WALLET') {
    const message = 'must be an account of type EMBEDDED_WALLET';
    throw new Rejected('INVALID_INPUT', `${field} ${message}.`, { errors: [{ field, message }] });
  }
  return { platformId, accountId, state: await commands.load('wallet', uuidOf(accountId)) };
}

export type CredentialOf = WalletOf & { readonly credential: Credential };
export type SessionOf = WalletOf & { readonly session: Session };

export async function findCredential(
  { commands, readDb }: FindDeps,
  { platformId }: Principal,
  id: AuthMethodId,
): Promise<CredentialOf> {
  const found = await findWalletOfCredential(readDb, platformId, id);
  if (!found) throw credentialNotFound();
  const state = await commands.load('wallet', uuidOf(found.account_id));
  return { platformId, accountId: found.account_id, state, credential: requireCredential(state, id) };
}

export async function findSession(
  { commands, readDb, now }: FindDeps,
  { platformId }: Principal,
  id: SessionId,
): Promise<SessionOf> {
  const found = await findWalletOfSession(readDb, platformId, id);
  if (!found) throw sessionNotFound();
  const state = await commands.load('wallet', uuidOf(found.account_id));
  return { platformId, accountId: found.account_id, state, session: requireSession(state, id, now()) };
}
