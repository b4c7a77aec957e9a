import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { kept } from '../infrastructure/observe/kept.ts';

/** The text takes tens of milliseconds to make, and anybody may ask for it. */
const textKeptMs = 5_000;

export type HttpMetrics = {
  readonly answered: (operationId: string, status: number, seconds: number) => void;
};

/** What `/metrics` answers: some seconds old at the most. */
export type MetricsText = { readonly contentType: string; readonly text: () => Promise<string> };

export type Metrics = HttpMetrics & {
  readonly shown: MetricsText;
  /** A request waited in vain for the read models to show what it had done. */
  readonly projectionWaitTimedOut: () => void;
  /** How long a request has waited for the read models, from the append of what it did. */
  readonly projectionWaited: (seconds: number) => void;
  readonly projected: (position: bigint) => void;
  readonly timersReconciled: (overdue: number) => void;
  readonly reactionRefused: () => void;
  /** How much work is parked, for each consumer that has any. */
  readonly parked: (counts: ReadonlyMap<string, number>) => void;
  /** A keyed request was repeated with another body. */
  readonly repeatedWithOtherBody: (operationId: string) => void;
  readonly periodicWorkFailed: (task: string) => void;
  /** A question to the rail was answered in time, or was not. */
  readonly railAsked: (call: string, outcome: 'answered' | 'failed') => void;
  /** How long ago the payment began that is under way the longest; 0 where none is. */
  readonly oldestPayment: (seconds: number) => void;
  readonly screeningFailed: () => void;
  /** How old the rates are, where they are read again and again. */
  readonly showRatesAge: (seconds: () => number) => void;
  /** The rail took a payment, and does not know it any more. */
  readonly railLost: () => void;
  readonly railContradicted: () => void;
  /** The rail has money that nobody in the books has. */
  readonly refundFailed: () => void;
  /** EventStoreDB was asked for something, and was sent so many bytes of JSON. */
  readonly logCalled: (call: 'append' | 'read', bytes: number) => void;
  /** Requests that the log of requests has not got. */
  readonly requestsNotLogged: (count: number) => void;
  readonly webhookAttempted: (outcome: 'delivered' | 'failed' | 'retried') => void;
};

/** What the process itself tells, whichever of its services is asked: who watches its collections is never let go. */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** One registry per service, so that several can run in one process. */
export function createMetrics(): Metrics {
  const process = processMetrics();
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'daybook_request_seconds',
    help: 'Time to answer a request.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const waits = new Counter({
    name: 'daybook_projection_wait_timeouts_total',
    help: 'Requests answered before the read models had caught up with them.',
    registers,
  });
  const waited = new Histogram({
    name: 'daybook_projection_wait_seconds',
    help: 'Time from the append of what a request did until the read models showed it, or nobody waited any longer.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2],
    registers,
  });
  const position = new Gauge({
    name: 'daybook_projected_position',
    help: 'Log position of the read models.',
    registers,
  });
  const overdue = new Counter({
    name: 'daybook_timers_reconciled_total',
    help: 'Timers found overdue by looking, not by their job.',
    registers,
  });
  const refused = new Counter({
    name: 'daybook_policy_refusals_total',
    help: 'Commands of reactions that were refused: they are tried again, and each needs a look at the log.',
    registers,
  });
  const parkedWork = new Gauge({
    name: 'daybook_parked',
    help: 'Events whose reactions, rows or webhooks have failed and are tried again.',
    labelNames: ['consumer'],
    registers,
  });
  const webhooks = new Counter({
    name: 'daybook_webhook_attempts_total',
    help: 'Calls to webhook endpoints by what followed: delivered, failed for good, or to be tried again.',
    labelNames: ['outcome'],
    registers,
  });
  const otherBodies = new Counter({
    name: 'daybook_idempotency_other_bodies_total',
    help: 'Keyed requests that were repeated with another body, and had the first answer all the same.',
    labelNames: ['operation'],
    registers,
  });
  const periodic = new Counter({
    name: 'daybook_periodic_failures_total',
    help: 'Turns of work that a process repeats which failed: the next turn tries again.',
    labelNames: ['task'],
    registers,
  });
  const rail = new Counter({
    name: 'daybook_rail_calls_total',
    help: 'Questions to the rail by what followed: answered in time, or failed and asked again.',
    labelNames: ['call', 'outcome'],
    registers,
  });
  const oldest = new Gauge({
    name: 'daybook_oldest_payment_seconds',
    help: 'Age of the payment that is under way the longest, 0 where none is.',
    registers,
  });
  const screening = new Counter({
    name: 'daybook_screening_failures_total',
    help: 'Checks of customers that the screening did not answer in time.',
    registers,
  });
  const lost = new Counter({
    name: 'daybook_rail_lost_payments_total',
    help: 'Times the rail did not know a payment that it had taken: somebody has to find out what became of it.',
    registers,
  });
  const contradicted = new Counter({
    name: 'daybook_rail_contradictions_total',
    help: 'Times the rail said of a payment that has ended that it ended otherwise: somebody has to see to it.',
    registers,
  });
  const failedRefunds = new Counter({
    name: 'daybook_failed_refunds_total',
    help: 'Refunds that failed: the rail has the money, and somebody has to send it back.',
    registers,
  });
  const logCalls = new Counter({
    name: 'daybook_log_calls_total',
    help: 'Calls to EventStoreDB that append events or read a stream, retries included.',
    labelNames: ['call'],
    registers,
  });
  const logBytes = new Counter({
    name: 'daybook_log_appended_bytes_total',
    help: 'Bytes of JSON that were sent to EventStoreDB.',
    registers,
  });
  const unlogged = new Counter({
    name: 'daybook_request_log_dropped_total',
    help: 'Requests that are not in the log of requests: too many came at once, or it could not be written.',
    registers,
  });
  // Looking a series up by its labels costs more than counting in it.
  const series = new Map<string, Histogram.Internal<'operation' | 'status'>>();
  const observed = (operation: string, status: number) => {
    const key = `${operation} ${status}`;
    const known = series.get(key) ?? requests.labels({ operation, status: String(status) });
    series.set(key, known);
    return known;
  };
  return {
    shown: {
      contentType: registry.contentType,
      text: kept(textKeptMs, () => Registry.merge([process, registry]).metrics()),
    },
    answered: (operation, status, seconds) => observed(operation, status).observe(seconds),
    projectionWaitTimedOut: () => waits.inc(),
    projectionWaited: (seconds) => waited.observe(seconds),
    projected: (reached) => position.set(Number(reached)),
    timersReconciled: (count) => overdue.inc(count),
    reactionRefused: () => refused.inc(),
    parked(counts) {
      parkedWork.reset();
      for (const [consumer, many] of counts) parkedWork.set({ consumer }, many);
    },
    repeatedWithOtherBody: (operation) => otherBodies.inc({ operation }),
    periodicWorkFailed: (task) => periodic.inc({ task }),
    railAsked: (call, outcome) => rail.inc({ call, outcome }),
    showRatesAge(seconds) {
      const age: Gauge = new Gauge({
        name: 'daybook_rates_age_seconds',
        help: 'Age of the rates that payments are priced with.',
        registers,
        collect: () => age.set(seconds()),
      });
    },
    oldestPayment: (seconds) => oldest.set(seconds),
    screeningFailed: () => screening.inc(),
    railLost: () => lost.inc(),
    railContradicted: () => contradicted.inc(),
    refundFailed: () => failedRefunds.inc(),
    logCalled(call, bytes) {
      logCalls.inc({ call });
      if (bytes > 0) logBytes.inc(bytes);
    },
    requestsNotLogged: (count) => unlogged.inc(count),
    webhookAttempted: (outcome) => webhooks.inc({ outcome }),
  };
}
