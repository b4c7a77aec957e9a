import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { kept } from '../infrastructure/observe/kept.ts';
import { railCalls } from '../use-cases/payments/rail-payments/bounded-rail.ts';
import { type Described, metricsTable } from './metrics-table.ts';

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
  readonly periodicWorkBegins: (task: string) => void;
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
  readonly webhooksGivenUp: (count: number) => void;
  readonly webhookAttempted: (outcome: 'delivered' | 'failed' | 'retried') => void;
};

/** One registry for the process, kept for good: prom-client's observer of garbage collection is never released. */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

type Kept<Label extends string> = Pick<Described, 'name' | 'help'> & { readonly labels: readonly Label[] };

/** One registry per service, so that several can run in one process. */
export function createMetrics(): Metrics {
  const process = processMetrics();
  const registry = new Registry();
  const as = <Label extends string>({ name, help, labels }: Kept<Label>) => ({
    name,
    help,
    labelNames: labels,
    registers: [registry],
  });
  const requests = new Histogram(as(metricsTable.requests));
  const waits = new Counter(as(metricsTable.waits));
  const waited = new Histogram({
    ...as(metricsTable.waited),
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2],
  });
  const position = new Gauge(as(metricsTable.position));
  const overdue = new Counter(as(metricsTable.overdue));
  const refused = new Counter(as(metricsTable.refused));
  const parkedWork = new Gauge(as(metricsTable.parkedWork));
  const webhooks = new Counter(as(metricsTable.webhooks));
  const givenUp = new Counter(as(metricsTable.webhooksGivenUp));
  const otherBodies = new Counter(as(metricsTable.otherBodies));
  const periodic = new Counter(as(metricsTable.periodic));
  const rail = new Counter(as(metricsTable.rail));
  const oldest = new Gauge(as(metricsTable.oldest));
  const screening = new Counter(as(metricsTable.screening));
  const lost = new Counter(as(metricsTable.lost));
  const contradicted = new Counter(as(metricsTable.contradicted));
  const failedRefunds = new Counter(as(metricsTable.failedRefunds));
  const logCalls = new Counter(as(metricsTable.logCalls));
  const logBytes = new Counter(as(metricsTable.logBytes));
  const unlogged = new Counter(as(metricsTable.unlogged));
  beginWithNothing(webhooks, rail);
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
    periodicWorkBegins: (task) => periodic.inc({ task }, 0),
    periodicWorkFailed: (task) => periodic.inc({ task }),
    railAsked: (call, outcome) => rail.inc({ call, outcome }),
    showRatesAge(seconds) {
      const age: Gauge = new Gauge({
        ...as(metricsTable.ratesAge),
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
    webhooksGivenUp: (count) => givenUp.inc(count),
    webhookAttempted: (outcome) => webhooks.inc({ outcome }),
  };
}

/** What is alerted on: of a series that begins with its first count nobody sees that it rises. */
function beginWithNothing(webhooks: Counter<'outcome'>, rail: Counter<'call' | 'outcome'>): void {
  for (const outcome of ['delivered', 'failed', 'retried']) webhooks.inc({ outcome }, 0);
  for (const call of railCalls) for (const outcome of ['answered', 'failed']) rail.inc({ call, outcome }, 0);
}
