import { followLog } from '../../infrastructure/event-store/follow-log.ts';
import { formerEvents } from '../../infrastructure/log-tree/former.ts';
import { type Keeper, logTreeKeeper } from '../../infrastructure/log-tree/keeper.ts';
import { openLogKey } from '../../infrastructure/log-tree/key.ts';
import { sealLog } from '../../use-cases/audit/seal-log.ts';
import type { Closer } from '../parts/closer.ts';
import type { Core } from '../parts/core/core.ts';

const lookForGrowthEveryMs = 1_000;
const signingTask = 'log checkpoints';

/**
 * Keeps the Merkle tree over the log, and signs it in each interval in which it has grown. Of a log that is older than
 * the chain it says once what was in it before.
 */
export function startLogTree(core: Core, closers: Closer[]): void {
  const { config, pool, wholeLog, leases, sealer, installationNow: now, every, metrics, log } = core;
  let current: Keeper | undefined;
  const key = () => openLogKey(pool, sealer, now);
  const contradicted = () => metrics.periodicWorkFailed(signingTask);
  const lease = leases.hold('log tree', (term) => {
    const everyMs = config.checkpointEveryMs;
    const keeper = logTreeKeeper({ pool, key, now, everyMs, contradicted, log });
    current = keeper;
    return followLog(wholeLog, keeper, log, term).finally(() => {
      current = undefined;
    });
  });
  const seal = sealing(core);
  closers.push(
    () => lease.stop(),
    every(signingTask, lookForGrowthEveryMs, async () => current?.sign()),
    every('log sealing', lookForGrowthEveryMs, async () => current && seal()),
  );
}

/** Until the former events are in the log, or there are none. */
function sealing({ pool, store, commands, installationNow: now, log }: Core): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    const former = await formerEvents(pool, () => store.last());
    if (former === 'unknown') return;
    if (former !== 'none' && (await sealLog({ commands, store, now }, former)))
      log.info(former, 'events from before there were hashes are sealed');
    isDone = true;
  };
}
