import type { Faults } from '../../sandbox/faults/faults.ts';
import { finishFilling } from '../../workers/platform-snapshots/fill.ts';
import {
  createPlatformSnapshots,
  type PlatformSnapshots,
} from '../../workers/platform-snapshots/snapshots.ts';
import type { Webhooks } from '../../workers/webhooks/webhooks.ts';
import type { Core } from './core/core.ts';
import type { Rails } from './rails.ts';

type Parts = {
  readonly rails: Pick<Rails, 'forget'>;
  readonly webhooks: Webhooks;
  readonly faults: Faults | undefined;
};

/** In a sandbox only. */
export function openSnapshots(core: Core, { rails, webhooks, faults }: Parts): PlatformSnapshots | undefined {
  const { moved, tokens, consoleSessions } = core;
  if (!moved) return undefined;
  return createPlatformSnapshots({
    ...core,
    moved,
    async forget(platformId) {
      tokens.forget();
      consoleSessions.forget();
      rails.forget(platformId);
      webhooks.keys.forget(platformId);
      await faults?.putBack(platformId);
    },
  });
}

/** A platform that a process has left halfway on its way back to a snapshot is there when it resolves. */
export async function finishRestoring({ moved, ...core }: Core): Promise<void> {
  if (moved) await finishFilling({ ...core, moved });
}
