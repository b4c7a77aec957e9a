import { noRail } from '../../domain/ports/no-rail.ts';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import { noScreening, type ScreeningOf } from '../../domain/ports/screening.ts';
import { railForPlatforms, screeningForPlatforms } from '../../sandbox/for-platforms.ts';
import { sandboxRail } from '../../sandbox/rail.ts';
import { createEnvironmentOf } from '../../use-cases/find/platform.ts';
import { createReceivers } from '../../use-cases/find/receivers.ts';
import { boundedRail } from '../../use-cases/payments/bounded-rail.ts';
import { createLocalPayments } from '../../use-cases/payments/local-payments.ts';
import { createPayments } from '../../use-cases/payments/rail-payments.ts';
import { createRunTimer } from '../../use-cases/payments/run-timer.ts';
import type { LookJob } from '../../workers/looks.ts';
import { createTimers } from '../../workers/timers.ts';
import { type Closer, type Core, projectionWaitMs } from './core.ts';

/** A job for timers does all that are due: few are at work at a time. */
const timersAtOnce = 2;
/** A platform that is asked has this long to approve or reject. */
export const approvalMs = 10_000;

/** The outside world and what waits for it. */
export function openRails(core: Core, ownRail: PaymentRail | undefined, closers: Closer[]) {
  const { config, commands, readDb, now } = core;
  const queue = core.jobs.queue<LookJob>('timers', timersAtOnce);
  closers.push(() => queue.close());
  const isSandbox = config.environment === 'sandbox';
  const environmentOf = createEnvironmentOf(commands);
  const outside = () => railForPlatforms(environmentOf, 'sandbox', sandboxRail(now, config.sandboxTimeScale));
  const rail = boundedRail(ownRail ?? (isSandbox ? outside() : noRail));
  const receivers = createReceivers(commands, rail);
  const local = createLocalPayments({ commands, readDb, now, approvalMs });
  const nobody: ScreeningOf = async () => noScreening;
  const screeningOf = isSandbox ? screeningForPlatforms(environmentOf) : nobody;
  const payments = createPayments({ commands, rail, local, receivers, now });
  const runTimer = createRunTimer({ commands, payments, now });
  const projected = (position: bigint) => core.progress.waitFor(position, projectionWaitMs);
  const timers = createTimers({ runTimer, queue, readDb, projected, now });
  return { queue, rail, screeningOf, environmentOf, receivers, local, payments, timers };
}

export type Rails = ReturnType<typeof openRails>;
