import type { Generated } from 'kysely';

export type CheckpointsTable = {
  name: string;
  position: bigint;
  /** The largest token of a lease that has moved it. */
  token: Generated<bigint>;
};
