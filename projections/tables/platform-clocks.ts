import type { PlatformId } from '../../src/kernel/ids.ts';

/** Platforms whose clock was moved: it stands still at a moment, or runs so far ahead of the installation's. */
export type PlatformClocksTable = {
  platform_id: PlatformId;
  frozen_at: Date | null;
  ahead_ms: bigint | null;
  /** Of the event that set it. */
  position: bigint;
};
