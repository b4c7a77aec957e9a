/**
 * Indexes that have come to a table which may be large by then. Its migration builds them where the table is empty;
 * elsewhere the next rebuild of its model does, beside the live table, so that nothing waits for them. Until then what
 * needs them is refused, and what keeps the table up to date does without.
 */
import type { Database } from '../../database.ts';

type Later = {
  /** By name. */
  readonly indexes: Readonly<Record<string, string>>;
  /** Those whose work they do. */
  readonly insteadOf: readonly string[];
};

export const laterIndexes = {
  postings: {
    insteadOf: ['postings_account_position_idx'],
    indexes: {
      // An account of a customer is one row's alone; a system account is there once for each platform and currency.
      postings_of_account: `(account, position) where account like 'InternalAccount:%'`,
      postings_of_platform: `(platform_id, currency, position) where account like 'InternalAccount:%'`,
      postings_of_system: `(platform_id, account, currency, position) where account not like 'InternalAccount:%'`,
      postings_by_time: `(recorded_high, position) where n = 0 and projected_after is null and recorded_high is not null`,
      postings_lagging: `(platform_id, position) where recorded_high - happened_at > interval '1 second'`,
      postings_projected_late: `(platform_id, position) where projected_after is not null`,
      postings_without_balance: `(position) where recorded_high is null`,
    },
  },
} as const satisfies Partial<Record<keyof Database, Later>>;

export const laterIndexesOf = (table: string): Later | undefined =>
  Object.hasOwn(laterIndexes, table) ? laterIndexes[table as keyof typeof laterIndexes] : undefined;
