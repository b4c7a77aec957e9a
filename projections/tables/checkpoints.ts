import type { Generated } from 'kysely';

export type CheckpointsTable = {
  name: string;
  position: bigint;
  /** The largest token of a lease that has moved it. */
  token: Generated<bigint>;
};

export type FollowedLogTable = {
  only_row: Generated<boolean>;
  log_id: string;
  /** Null until a version has started that keeps it. */
  kept_in: 'postgres' | 'eventstoredb' | null;
};
