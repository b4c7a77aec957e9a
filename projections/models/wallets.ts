/** Which wallet a credential or session belongs to, and who has an e-mail address for codes. */
import { sql } from 'kysely';
import { walletAccount } from '../../src/domain/accounts/provisioning.ts';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { AuthMethodId, InternalAccountId, PlatformId, SessionId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { handlersOf, type Projection } from '../projector/projection.ts';

type WalletEvents = Extract<
  DomainEvent,
  {
    type:
      | 'CredentialAdded'
      | 'CredentialRevoked'
      | 'CustomerEmailChanged'
      | 'CustomerDeleted'
      | 'SessionIssued'
      | 'SessionRevoked';
  }
>;

export const wallets: Projection = {
  name: 'wallets',
  tables: ['wallet_credentials', 'wallet_sessions'],
  project: handlersOf<WalletEvents>({
    CredentialAdded: ({ data }, db) => {
      const { credentialId, platformId, accountId, identity } = data;
      const email = identity.type === 'EMAIL_OTP' ? identity.email : null;
      return db
        .insertInto('wallet_credentials')
        .values({
          id: credentialId,
          platform_id: platformId,
          account_id: accountId,
          type: identity.type,
          email,
        })
        .execute();
    },
    CredentialRevoked: async ({ data }, db) => {
      await db.deleteFrom('wallet_sessions').where('credential_id', '=', data.credentialId).execute();
      await db
        .deleteFrom('wallet_credentials')
        .where('id', '=', data.credentialId)
        .returning('id')
        .executeTakeFirstOrThrow();
    },
    CustomerEmailChanged: ({ data }, db) =>
      db
        .updateTable('wallet_credentials')
        .set({ email: data.email })
        .where('id', 'in', data.credentialIds)
        .returning('id')
        .executeTakeFirstOrThrow(),
    // Its address is free for another wallet.
    CustomerDeleted: async ({ data: { customerId, walletCurrency } }, db) => {
      if (walletCurrency === undefined) return;
      await db
        .updateTable('wallet_credentials')
        .set({ email: null })
        .where('account_id', '=', walletAccount(customerId, walletCurrency))
        .execute();
    },
    SessionIssued: async ({ data }, db) => {
      const { sessionId, platformId, accountId, credentialId, expiresAt, at } = data;
      await db
        .deleteFrom('wallet_sessions')
        .where('account_id', '=', accountId)
        .where('expires_at', '<=', at)
        .execute();
      await db
        .insertInto('wallet_sessions')
        .values({
          id: sessionId,
          platform_id: platformId,
          account_id: accountId,
          credential_id: credentialId,
          expires_at: expiresAt,
        })
        .execute();
    },
    SessionRevoked: ({ data }, db) =>
      db.deleteFrom('wallet_sessions').where('id', '=', data.sessionId).execute(),
  }),
};

export const findWalletOfCredential = (db: ReadDb, platformId: PlatformId, id: AuthMethodId) =>
  db
    .selectFrom('wallet_credentials')
    .select('account_id')
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

export const findWalletOfSession = (db: ReadDb, platformId: PlatformId, id: SessionId) =>
  db
    .selectFrom('wallet_sessions')
    .select('account_id')
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Whether codes of a wallet other than this one go to the address. */
export async function isEmailOfAnotherWallet(
  db: ReadDb,
  platformId: PlatformId,
  email: string,
  accountId: InternalAccountId,
): Promise<boolean> {
  const found = await db
    .selectFrom('wallet_credentials')
    .select('id')
    .where('platform_id', '=', platformId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('account_id', '!=', accountId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
