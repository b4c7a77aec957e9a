export type CheckpointsTable = { name: string; position: bigint };
