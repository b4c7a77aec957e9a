import {
  reactionsCheckpoint,
  saveCheckpoint,
  startCheckpoint,
} from '../../../projections/kept/checkpoints.ts';
import { oldestUnderWay } from '../../../projections/models/open-payments.ts';
import { clockSettingOf } from '../../../projections/models/platform-clocks.ts';
import { toDomainEvent } from '../../../projections/projector/events.ts';
import { aggregates, type DomainEvent } from '../../domain/aggregates.ts';
import { forgetFormerClosings } from '../../infrastructure/closings/forget.ts';
import {
  createReact,
  type React,
  reactionConsumer,
} from '../../infrastructure/commands/reaction-consumer.ts';
import { followLog } from '../../infrastructure/event-store/follow-log.ts';
import { forgetRates } from '../../infrastructure/http/once/rate-limits.ts';
import type { Term } from '../../infrastructure/jobs/lease.ts';
import type { Every } from '../../infrastructure/jobs/periodic.ts';
import { freeEndedSessions } from '../../infrastructure/jobs/work-session.ts';
import type { AnyAggregate } from '../../kernel/aggregate.ts';
import { forgetReturns } from '../../sandbox/faults/returns.ts';
import type { Erasures } from '../../workers/erasure/erasure.ts';
import { forgetMails, freeMails } from '../../workers/mail/outbox.ts';
import { createParked } from '../../workers/parked.ts';
import { forgetWebhooks, giveUpOverdue } from '../../workers/webhooks/forget.ts';
import { freeWebhooks } from '../../workers/webhooks/store.ts';
import type { Webhooks } from '../../workers/webhooks/webhooks.ts';
import type { Closer } from '../parts/closer.ts';
import type { Core } from '../parts/core/core.ts';
import type { Rails } from '../parts/rails.ts';
import { watching } from '../parts/rails.ts';
import { forgetOldRequests } from '../parts/request-log.ts';
import type { Wallets } from '../parts/wallets.ts';

const lookEveryMs = 1_000;
const forgetEveryMs = 30_000;
const forgetRarelyEveryMs = 60_000;
const sweepEveryMs = 600_000;

type Parts = {
  readonly rails: Rails;
  readonly webhooks: Webhooks;
  readonly wallets: Wallets;
  readonly erasures: Erasures;
};

/** What happens beside requests: reactions to events, timers, deliveries, sweeps. */
export function startWorker(core: Core, parts: Parts, closers: Closer[]): void {
  const { rails, webhooks, wallets, erasures } = parts;
  const { timers, payments, queue, watched } = rails;
  const { readDb, store, leases, commands, idempotency, contents, redemptions } = core;
  const { metrics, every, log, times, now } = core;
  const reacting = createReact<DomainEvent>({
    decode: toDomainEvent,
    reactions: [
      (event) => setPlatformClock(core, event),
      (event) => commands.react(event, {}),
      payments.submit,
      rails.tellFailedRefund,
      timers.schedule,
      wallets.react,
      (event) => (event.type === 'CustomerErased' ? erasures.ask(event.data, event.data.at) : undefined),
      contents.tidy,
    ],
    refused: metrics.reactionRefused,
    log,
  });
  const react: React = (stored, later) => {
    const { platformId, copyOf } = stored.metadata;
    if (copyOf === undefined) return times.within(platformId, () => reacting(stored, later));
    // What follows from a copy had followed from the event itself, but for how a clock stands, and when to look.
    const event = toDomainEvent(stored);
    setPlatformClock(core, event);
    times.within(platformId, () => timers.schedule(event));
    return undefined;
  };
  const parked = createParked({ readDb, store, react, parked: metrics.parked });
  const consumerOf = ({ token, isHeld }: Term) =>
    reactionConsumer({
      react,
      park: parked.park,
      load: async () => (await startCheckpoint(readDb, reactionsCheckpoint, token)).position || undefined,
      save: (position) => saveCheckpoint(readDb, reactionsCheckpoint, position, token),
      passed: core.reacted.passed,
      isMine: isHeld,
      log,
    });
  // The lease has the name that reactions had once: processes of both versions must not react at once.
  const lease = leases.hold('policies', (term) => followLog(store, consumerOf(term), log, term));
  closers.push(() => lease.stop());
  queue.work(timers.run);
  closers.push(timers.stop);
  if (watched.watch) {
    const watch = watching(core, watched);
    const own = leases.hold('rail', ({ signal }) => watch(signal));
    closers.push(() => own.stop());
  }
  closers.push(
    webhooks.work(),
    wallets.work(),
    every('parked', lookEveryMs, parked.retry),
    every('erasures', lookEveryMs, erasures.carryOutAll),
    everySoon(every, 'records of tokens', forgetEveryMs, () => core.tokenRecords.recordAll(readDb)),
    everySoon(every, 'ended sessions', lookEveryMs, () => freeEnded(core, parts)),
    every('sent', forgetEveryMs, () => forgetSent(core)),
    every('oldest payment', forgetEveryMs, () => showOldestPayment(core)),
    every('former closings', forgetEveryMs, formerClosings(core)),
    every('overdue webhooks', sweepEveryMs, () => giveUp(core)),
    every('timers', lookEveryMs, async () => metrics.timersReconciled(await timers.reconcile())),
    every('idempotency keys', forgetEveryMs, () => idempotency.forgetOld(now())),
    every('returns', sweepEveryMs, () => forgetReturns(core.pool, core.installationNow(), times.moved())),
    every('documents', sweepEveryMs, contents.sweep),
    every('console sessions', forgetRarelyEveryMs, core.consoleSessions.forgetExpired),
    every('request log', forgetRarelyEveryMs, () => forgetOldRequests(core)),
    every('rate limits', forgetRarelyEveryMs, () =>
      forgetRates({ pool: core.pool, now: core.installationNow }),
    ),
    every('device codes', forgetRarelyEveryMs, () =>
      core.agentCredentials.forgetOldCodes(core.installationNow()),
    ),
    every('redemptions', forgetRarelyEveryMs, () => redemptions.forgetExpired(now())),
  );
}

async function giveUp({ pool, now, times, metrics, log }: Core): Promise<void> {
  const count = await giveUpOverdue(pool, now(), times.moved());
  metrics.webhooksGivenUp(count);
  if (count > 0) log.warn({ count }, 'webhooks have failed: their endpoints were silent for 8 days');
}

/** What is done because of later events happens in the time that the clock shows by then. */
function setPlatformClock({ times }: Core, event: DomainEvent): undefined {
  const setting = clockSettingOf(event);
  if (setting) times.set(setting);
}

/** Without those of platforms whose clock was moved: their payments may be of another year. */
async function showOldestPayment({ readDb, metrics, times, installationNow }: Core): Promise<void> {
  const moved = times.moved().map(({ platformId }) => platformId);
  const oldest = await oldestUnderWay(readDb, moved);
  metrics.oldestPayment(oldest ? Math.max(0, installationNow().getTime() - oldest.getTime()) / 1_000 : 0);
}

/** At once, too: what the process that this one replaces was at waits for nobody. */
function everySoon(every: Every, ...[task, ms, work]: Parameters<Every>): Closer {
  const first = work();
  first.catch(() => undefined);
  const stop = every(task, ms, work);
  return async () => {
    await first.catch(() => undefined);
    await stop();
  };
}

/** What a worker had claimed that is gone is begun again. */
async function freeEnded({ pool }: Core, { webhooks, wallets: { emails } }: Parts): Promise<void> {
  const freed = await freeEndedSessions(pool, async (client, ended) => {
    await freeWebhooks(client, ended);
    await freeMails(client, ended);
  });
  if (freed > 0) await Promise.all([webhooks.reconcile(), emails.look()]);
}

/** Which version is read changes with the process alone: where nothing is left, nothing comes. */
function formerClosings({ pool }: Core): () => Promise<void> {
  const read = Object.values<AnyAggregate>(aggregates).flatMap(({ category, closing }) =>
    closing ? [{ category, version: closing.version }] : [],
  );
  let isDone = false;
  return async () => {
    if (!isDone) isDone = (await forgetFormerClosings(pool, read)) === 0;
  };
}

async function forgetSent({ pool, config, now }: Core): Promise<void> {
  await forgetWebhooks(pool, now(), config.kept.webhooksDays);
  await forgetMails(pool, now(), config.kept.mailsHours);
}
