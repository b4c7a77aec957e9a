import type { Selectable } from 'kysely';
import type { CredentialType } from '../../src/domain/wallets/events.ts';
import type { AuthMethodId, InternalAccountId, PlatformId, SessionId } from '../../src/kernel/ids.ts';
export type WalletCredentialsTable = {
  id: AuthMethodId;
  platform_id: PlatformId;
  account_id: InternalAccountId;
  type: CredentialType;
  /** Where its codes go. */
  email: string | null;
};

export type WalletSessionsTable = {
  id: SessionId;
  platform_id: PlatformId;
  account_id: InternalAccountId;
  credential_id: AuthMethodId;
  expires_at: Date;
};

export type EmailsTable = {
  id: string;
  platform_id: PlatformId;
  environment: 'sandbox' | 'production';
  /** Null once it was sent and nobody may read it any more. */
  sealed: Uint8Array | null;
  master_key_id: string;
  attempts: number;
  created_at: Date;
  /** Later it is of no use to its receiver. */
  expires_at: Date;
  /** Since when the log has what it is about, so that it may be sent. */
  released_at: Date | null;
  next_attempt_at: Date | null;
  /** A worker is at it until then, or until its session ends. */
  locked_until: Date | null;
  claimed_by: number | null;
  sent_at: Date | null;
};

export type EmailRow = Selectable<EmailsTable>;
