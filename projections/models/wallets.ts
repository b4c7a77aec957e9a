/** Which wallet a credential or session belongs to, and who has an e-mail address for codes. */

import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { walletAccount } from '../../src/domain/accounts/provisioning.ts';
import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import type { WalletEvent } from '../../src/domain/wallets/events.ts';
import { challengeLifetimeMs } from '../../src/domain/wallets/state.ts';
import type { AuthMethodId, InternalAccountId, PlatformId, SessionId } from '../../src/kernel/ids.ts';
import { erasedWord } from '../../src/kernel/personal.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import type { Projection } from '../projector/projection.ts';
import type { Rows } from '../projector/rows.ts';
import type { WalletCredentialsTable, WalletSessionsTable } from '../tables/wallets.ts';

export const wallets: Projection = {
  name: 'wallets',
  tables: ['wallet_credentials', 'wallet_sessions'],
  project: (event, rows) =>
    event.of === 'wallet' || event.of === 'customer' ? change(event, rows) : undefined,
};

async function change(event: FollowedEvent, rows: Rows): Promise<void> {
  switch (event.type) {
    case 'CredentialAdded':
      return rows.put('wallet_credentials', rowOfCredential(event.data));
    case 'CredentialRevoked': {
      const { accountId, credentialId: id } = event.data;
      await rows.now((db) =>
        db
          .deleteFrom('wallet_sessions')
          .where('account_id', '=', accountId)
          .where('credential_id', '=', id)
          .execute(),
      );
      return rows.remove('wallet_credentials', { id });
    }
    case 'CustomerEmailChanged': {
      const { email, credentialIds } = event.data;
      await rows.now((db) => setEmail(db, unlessErased(email)).where('id', 'in', credentialIds).execute());
      return;
    }
    case 'CustomerDeleted': {
      // Its address is free for another wallet.
      const { customerId, walletCurrency } = event.data;
      if (walletCurrency === undefined) return;
      const accountId = walletAccount(customerId, walletCurrency);
      await rows.now((db) => setEmail(db, null).where('account_id', '=', accountId).execute());
      return;
    }
    case 'SessionIssued': {
      const { accountId, at } = event.data;
      // A challenge for one that has run out is answered while it is good itself.
      const before = new Date(at.getTime() - challengeLifetimeMs);
      await rows.now((db) =>
        db
          .deleteFrom('wallet_sessions')
          .where('account_id', '=', accountId)
          .where('expires_at', '<=', before)
          .execute(),
      );
      return rows.put('wallet_sessions', rowOfSession(event.data));
    }
    case 'SessionRevoked':
      return rows.remove('wallet_sessions', { id: event.data.sessionId });
  }
}

/** No codes go to nobody. */
const unlessErased = (email: string): string | null => (email === erasedWord ? null : email);

type Of<T extends WalletEvent['type']> = Extract<WalletEvent, { type: T }>['data'];

const rowOfCredential = (data: Of<'CredentialAdded'>): Selectable<WalletCredentialsTable> => ({
  id: data.credentialId,
  platform_id: data.platformId,
  account_id: data.accountId,
  type: data.identity.type,
  email: data.identity.type === 'EMAIL_OTP' ? unlessErased(data.identity.email) : null,
});

const rowOfSession = (data: Of<'SessionIssued'>): Selectable<WalletSessionsTable> => ({
  id: data.sessionId,
  platform_id: data.platformId,
  account_id: data.accountId,
  credential_id: data.credentialId,
  expires_at: data.expiresAt,
});

const setEmail = (db: WriteDb, email: string | null) => db.updateTable('wallet_credentials').set({ email });

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
