import type { SystemAccount } from '../../src/domain/books/postings.ts';
import type { InternalAccountId, PlatformId, TransactionId } from '../../src/kernel/ids.ts';
/** One row per posting of the log. */
export type PostingsTable = {
  position: bigint;
  n: number;
  event_id: string;
  platform_id: PlatformId;
  account: SystemAccount | InternalAccountId;
  currency: string;
  minor: bigint;
  /** When it was recorded. */
  at: Date;
  /** Never later than `at`. Null in rows of former versions, as the columns after it. */
  happened_at: Date | null;
  /** The latest moment at which this or a posting before it was recorded: it grows with the position. */
  recorded_high: Date | null;
  /** Set where postings with a higher position had been projected before: the highest of them. */
  projected_after: bigint | null;
  /** Of an internal account: the payment. */
  transaction_id: TransactionId | null;
  /** Of an internal account: what it held after the entry. */
  balance: bigint | null;
  /** What the system account, or all internal accounts of the platform, held after it in this currency. */
  held: bigint | null;
};

/** The running sum of the postings; all internal accounts of a currency stand together as `internal`. */
export type LedgerBalancesTable = {
  platform_id: PlatformId;
  account: SystemAccount | 'internal';
  currency: string;
  /** numeric in the database: a system account has no limit. */
  minor: bigint;
};
