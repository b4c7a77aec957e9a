import { loadCheckpoint, saveCheckpoint } from '../../../projections/kept/checkpoints.ts';
import { toDomainEvent } from '../../../projections/projector/events.ts';
import type { DomainEvent } from '../../domain/aggregates.ts';
import { reactionConsumer } from '../../infrastructure/commands/reaction-consumer.ts';
import { followLog } from '../../infrastructure/event-store/follow-log.ts';
import { holdLease } from '../../infrastructure/jobs/lease.ts';
import type { Webhooks } from '../../workers/webhooks/webhooks.ts';
import type { Closer, Core } from '../parts/core.ts';
import type { Rails } from '../parts/rails.ts';
import type { Wallets } from '../parts/wallets.ts';

const reconcileEveryMs = 5_000;
const forgetKeysEveryMs = 3_600_000;
const sweepEveryMs = 600_000;
const forgetRedemptionsEveryMs = 60_000;

type Parts = { readonly rails: Rails; readonly webhooks: Webhooks; readonly wallets: Wallets };

/** What happens beside requests: reactions to events, timers, deliveries, sweeps. */
export function startWorker(
  core: Core,
  { rails: { timers, payments, queue, watched }, webhooks, wallets }: Parts,
  closers: Closer[],
): void {
  const { readDb, store, databaseUrl, commands, idempotency, contents, redemptions } = core;
  const { metrics, every, log, now } = core;
  const consumer = reactionConsumer<DomainEvent>({
    decode: toDomainEvent,
    reactions: [
      (event) => commands.react(event, {}),
      payments.submit,
      timers.schedule,
      wallets.react,
      contents.tidy,
    ],
    load: () => loadCheckpoint(readDb, 'policies'),
    save: (position) => saveCheckpoint(readDb, 'policies', position),
    refused: metrics.reactionRefused,
    log,
  });
  const lease = holdLease(databaseUrl, 'policies', log, (signal) => followLog(store, consumer, log, signal));
  closers.push(() => lease.stop());
  queue.work(timers.run);
  if (watched.watch) {
    const watching = holdLease(databaseUrl, 'rail', log, async (signal) => watched.watch?.(signal));
    closers.push(() => watching.stop());
  }
  closers.push(
    webhooks.work(),
    wallets.work(),
    every('timers', reconcileEveryMs, async () => metrics.timersReconciled(await timers.reconcile())),
    every('idempotency keys', forgetKeysEveryMs, () => idempotency.forgetOld(now())),
    every('documents', sweepEveryMs, contents.sweep),
    every('redemptions', forgetRedemptionsEveryMs, () => redemptions.forgetExpired(now())),
  );
}
