import { createErasures, type Erasures, erasedChannel } from '../../workers/erasure/erasure.ts';
import type { Core } from './core/core.ts';
import type { Wallets } from './wallets.ts';

/** Erasing customers; what every process has read of one who was erased it forgets. */
export function openErasures(core: Core, { emails }: Pick<Wallets, 'emails'>): Erasures {
  const { listening, installationNow, forgetPersons, progress, projectionWaitMs, moved, wholeLog } = core;
  listening.on(erasedChannel, forgetPersons);
  return createErasures({
    ...core,
    wholeOf: (platformId) => (moved?.standingOf(platformId) ? wholeLog : undefined),
    openMail: emails.open,
    now: installationNow,
    forget: forgetPersons,
    projected: (position) => progress.waitFor(position, projectionWaitMs),
  });
}
