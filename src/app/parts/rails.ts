import type { DomainEvent } from '../../domain/aggregates.ts';
import { noRail } from '../../domain/ports/no-rail.ts';
import type { Rail, RailReports } from '../../domain/ports/rail-module.ts';
import { StoreAway } from '../../infrastructure/away.ts';
import { seldom } from '../../infrastructure/observe/seldom.ts';
import { throwAsStoreAway } from '../../infrastructure/postgres/away.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { railForPlatforms } from '../../outside/for-platforms.ts';
import type { Faults } from '../../sandbox/faults/faults.ts';
import { railWithFaults } from '../../sandbox/faults/rail.ts';
import { sandboxRail } from '../../sandbox/rail.ts';
import { createPayees } from '../../use-cases/find/payees.ts';
import { createEnvironmentOf } from '../../use-cases/find/platform.ts';
import { createReceivers } from '../../use-cases/find/receivers.ts';
import { createArrivals } from '../../use-cases/payments/arrivals.ts';
import { createLocalPayments } from '../../use-cases/payments/local-payments.ts';
import { boundedRail, type RailCall } from '../../use-cases/payments/rail-payments/bounded-rail.ts';
import { createPayments, type Payments } from '../../use-cases/payments/rail-payments/rail-payments.ts';
import { createRunTimer } from '../../use-cases/run-timer.ts';
import type { LookJob } from '../../workers/looks.ts';
import { createTimers } from '../../workers/timers.ts';
import { handsPaymentsOver } from '../start/one-rail.ts';
import type { Closer } from './closer.ts';
import type { Core } from './core/core.ts';
import { connectRail } from './outside.ts';
import { type OwnScreening, openScreening } from './screening.ts';

/** A job for timers does all that are due: few are at work at a time. */
const timersAtOnce = 2;
/** A platform that is asked has this long to approve or reject. */
export const approvalMs = 10_000;

/** A rail, or what makes one that reports by itself. */
export type OwnRail = Rail | ((reports: RailReports) => Promise<Rail>);
type Given = {
  readonly ownRail: OwnRail | undefined;
  readonly ownScreening: OwnScreening | undefined;
  readonly faults: Faults | undefined;
};

/** The outside world and what waits for it. */
export async function openRails(core: Core, { ownRail, ownScreening, faults }: Given, closers: Closer[]) {
  const { config, commands, readDb, now } = core;
  const queue = core.jobs.queue<LookJob>('timers', timersAtOnce);
  closers.push(() => queue.close());
  const isSandbox = config.environment === 'sandbox';
  const environmentOf = createEnvironmentOf(commands);
  const reports = createReports(createArrivals(core));
  const own = typeof ownRail === 'function' ? await ownRail(reports) : ownRail;
  const connected = own ?? (await connectRail(core, reports));
  if (connected?.close) closers.push(async () => connected.close?.());
  if (!isSandbox && !connected && handsPaymentsOver(config))
    core.log.warn('production has no rail: payments to the outside fail and are refunded; set DAYBOOK_RAIL');
  const simulated = sandboxRail(now, config.sandboxTimeScale);
  const disturbed = faults ? railWithFaults(simulated, { faults, nowOf: core.times.nowOf }) : simulated;
  const outside = isSandbox ? disturbed : (connected ?? noRail);
  const rail = boundedRail(
    own ?? railForPlatforms(environmentOf, config.environment, outside),
    railWatch(core),
  );
  const receivers = createReceivers(commands, rail);
  const payees = createPayees({ commands, readDb, receivers });
  const local = createLocalPayments({ commands, nowOf: core.times.nowOf, approvalMs });
  const screening = await openScreening(core, { environmentOf, ownScreening }, closers);
  const lost = (transactionId: string) => {
    core.metrics.railLost();
    core.log.error({ transactionId }, 'the rail took a payment that it does not know any more');
  };
  const contradicted = (transactionId: string) => {
    core.metrics.railContradicted();
    core.log.error({ transactionId }, 'the rail says that a payment has ended otherwise than it has');
  };
  /** In a sandbox refunds fail where they are made to. */
  const tellFailedRefund = (event: DomainEvent): undefined => {
    if (isSandbox || event.type !== 'RefundFailed') return;
    const { transactionId } = event.data;
    core.metrics.refundFailed();
    core.log.error({ transactionId }, 'a refund failed: its money is with the rail');
  };
  const payments = createPayments({ commands, rail, local, payees, now, lost, contradicted });
  reports.begin(payments);
  const runTimer = createRunTimer({ commands, payments, now });
  const projected = (position: bigint) => core.progress.waitFor(position, core.projectionWaitMs);
  const timers = createTimers({ ...core, now: core.installationNow, runTimer, queue, projected });
  const watched: Pick<Rail, 'watch' | 'receive'> = connected ?? {};
  const { screeningOf } = screening;
  return {
    queue,
    rail,
    watched,
    screening,
    screeningOf,
    environmentOf,
    receivers,
    payees,
    local,
    payments,
    tellFailedRefund,
    timers,
    runTimer,
    /** What is remembered of a platform that was put back. */
    forget(platformId: PlatformId) {
      timers.forget();
      disturbed.forget(platformId);
    },
  };
}

export type Rails = Awaited<ReturnType<typeof openRails>>;

/** A rail may keep its reports from the beginning, and make them once the service is there to take them. */
function createReports(
  arrived: RailReports['arrived'],
): RailReports & { begin: (payments: Payments) => void } {
  const begun = Promise.withResolvers<Payments>();
  return {
    begin: begun.resolve,
    ended: async (paymentId, ending) =>
      (await begun.promise).ended(paymentId, ending).catch(throwAsStoreAway),
    news: async (paymentId) => (await begun.promise).news(paymentId),
    arrived: (money) => arrived(money).catch(throwAsStoreAway),
  };
}

function railWatch({ metrics, log }: Core) {
  const isToTell = seldom();
  return {
    answered: (call: RailCall) => metrics.railAsked(call, 'answered'),
    failed(call: RailCall, error: unknown) {
      metrics.railAsked(call, 'failed');
      if (isToTell())
        log.error({ err: error, call, store: undefined }, 'the rail gave no answer; it is asked again');
    },
  };
}

/** What the rail looks after by itself. That its own network fails is told now and then, and it begins again after a second. */
export function watching({ log }: Pick<Core, 'log'>, rail: Pick<Rail, 'watch'>) {
  const isToTell = seldom();
  return async (signal: AbortSignal): Promise<void> =>
    rail.watch?.(signal).catch((error: unknown) => {
      if (error instanceof StoreAway) throw error;
      if (isToTell())
        log.error({ err: error, store: undefined }, 'the rail looks after nothing; trying again');
    });
}
