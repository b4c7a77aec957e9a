import type { Generated } from 'kysely';

export type CheckpointsTable = {
  name: string;
  position: bigint;
  /** The largest token of a lease that has moved it. */
  token: Generated<bigint>;
  /** Of the read models: how often rows were made again of events that say less than they did. */
  erasures: Generated<bigint>;
};

export type FollowedLogTable = {
  only_row: Generated<boolean>;
  log_id: string;
  /** Null until a version has started that keeps it. */
  kept_in: 'postgres' | 'eventstoredb' | null;
};
