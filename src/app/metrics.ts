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
  readonly projected: (position: bigint) => void;
  readonly timersReconciled: (overdue: number) => void;
  readonly reactionRefused: () => void;
  readonly webhookAttempted: (outcome: 'delivered' | 'failed' | 'retried') => void;
};

/** One registry per service, so that several can run in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
  const position = new Gauge({
    name: 'daybook_projected_position',
    help: 'Log position of the read models.',
    registers,
  });
  const overdue = new Counter({
    name: 'daybook_timers_reconciled_total',
    help: 'Overdue timers that were put back into the queue.',
    registers,
  });
  const refused = new Counter({
    name: 'daybook_policy_refusals_total',
    help: 'Commands of reactions that were refused: each needs a look at the log.',
    registers,
  });
  const webhooks = new Counter({
    name: 'daybook_webhook_attempts_total',
    help: 'Calls to webhook endpoints by what followed: delivered, failed for good, or to be tried again.',
    labelNames: ['outcome'],
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
    shown: { contentType: registry.contentType, text: kept(textKeptMs, () => registry.metrics()) },
    answered: (operation, status, seconds) => observed(operation, status).observe(seconds),
    projectionWaitTimedOut: () => waits.inc(),
    projected: (reached) => position.set(Number(reached)),
    timersReconciled: (count) => overdue.inc(count),
    reactionRefused: () => refused.inc(),
    webhookAttempted: (outcome) => webhooks.inc({ outcome }),
  };
}
