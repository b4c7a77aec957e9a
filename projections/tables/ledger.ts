import type { SystemAccount } from '../../src/domain/books/postings.ts';
import type { InternalAccountId, PlatformId } from '../../src/kernel/ids.ts';
/** One row per posting of the log. */
export type PostingsTable = {
  position: bigint;
  n: number;
  event_id: string;
  platform_id: PlatformId;
  account: SystemAccount | InternalAccountId;
  currency: string;
  minor: bigint;
  at: Date;
};

/** The running sum of the postings; all internal accounts of a currency stand together as `internal`. */
export type LedgerBalancesTable = {
  platform_id: PlatformId;
  account: SystemAccount | 'internal';
  currency: string;
  /** numeric in the database: a system account has no limit. */
  minor: bigint;
};
