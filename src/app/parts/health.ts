/** What the console shows of how the service does. */
import { loadCheckpoints, projectionsCheckpoint } from '../../../projections/kept/checkpoints.ts';
import { waitingOf } from '../../../projections/kept/waiting.ts';
import { createHealth, type Health, pointEveryMs } from '../../api/console/health/ring.ts';
import type { Answered } from '../../api/console/requests/log.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import type { Closer } from './closer.ts';
import type { Core } from './core/core.ts';

export function openHealth(
  { readDb, listDb, store, every, installationNow: now, now: platformNow }: Core,
  closers: Closer[],
): Health {
  const measure = async (platformId: string) => {
    const [places, end] = [await loadCheckpoints(readDb), await store.last()];
    const position = places.get(projectionsCheckpoint) ?? 0n;
    const waiting = await waitingOf(listDb, platformId as PlatformId, platformNow());
    return {
      projectionLagEvents: end > position ? Number(end - position) : 0,
      queueDepth: waiting.timers,
      deliveriesWaiting: waiting.deliveries,
      deliveriesFailed: waiting.failed,
    };
  };
  const health = createHealth({ now, measure });
  closers.push(every('health', pointEveryMs, health.look));
  return health;
}

/** Those that begin a payment, or have one go on, where they succeed. */
const payments: ReadonlySet<string> = new Set([
  'transferIn',
  'transferOut',
  'executeQuote',
  'agentTransferIn',
  'agentTransferOut',
  'executeAgentQuote',
  'sandboxReceive',
]);

export const isPayment = ({ operationId, status }: Pick<Answered, 'operationId' | 'status'>): boolean =>
  status < 300 && payments.has(operationId);
