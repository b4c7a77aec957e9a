import type { Selectable } from 'kysely';
import type { AccountStatus, AccountType } from '../../src/domain/accounts/events.ts';
import type { AccountInfo } from '../../src/domain/external-accounts/definitions.ts';
import type { ExternalAccountStatus, VerificationStatus } from '../../src/domain/external-accounts/events.ts';
import type {
  CustomerId,
  ExternalAccountId,
  InternalAccountId,
  PlatformId,
  TransactionId,
} from '../../src/kernel/ids.ts';
export type InternalAccountsTable = {
  id: InternalAccountId;
  platform_id: PlatformId;
  /** Null for the platform's own account. */
  customer_id: CustomerId | null;
  type: AccountType;
  currency: string;
  status: AccountStatus;
  balance: bigint;
  /** What has arrived and waits for room, or for the account to be unfrozen. */
  held: bigint;
  /** Of a wallet: whether it is kept private. */
  private_enabled: boolean;
  created_at: Date;
  updated_at: Date;
};

export type InternalAccountRow = Selectable<InternalAccountsTable>;

export type ExternalAccountsTable = {
  id: ExternalAccountId;
  platform_id: PlatformId;
  /** Null when the account belongs to the platform. */
  customer_id: CustomerId | null;
  platform_account_id: string | null;
  currency: string;
  account_info: AccountInfo;
  ownership_type: string | null;
  default_uma_deposit_account: boolean;
  status: ExternalAccountStatus;
  verification_status: VerificationStatus | null;
  verified_name: string | null;
  is_deleted: boolean;
  created_at: Date;
  updated_at: Date;
};

export type ExternalAccountRow = Selectable<ExternalAccountsTable>;

/** What a payer states, and what it means: an account, or the payment of a quote that is paid in. */
export type FundingReferencesTable = { reference: string; account_id: InternalAccountId | TransactionId };
