import type { Environment } from '../../src/domain/platforms/events.ts';
import type { Permission } from '../../src/domain/tokens/permissions.ts';
import type { PlatformId, TokenId } from '../../src/kernel/ids.ts';
export type ApiTokensTable = {
  id: TokenId;
  platform_id: PlatformId;
  name: string;
  client_id: string;
  secret_hash: Buffer;
  permissions: Permission[];
  environment: Environment;
  created_at: Date;
  updated_at: Date;
  /** A deleted token stays, so that a start with its old secret does not bring it back. */
  deleted_at: Date | null;
  /** The actor of the last change; null for changes by former versions. */
  changed_by: string | null;
  /** The `updated_at` of the change that the log has; null when it has none. */
  recorded_at: Date | null;
};

/** What the log says of tokens that were deleted. */
export type DeletedTokensTable = { token_id: TokenId; deleted_at: Date };
