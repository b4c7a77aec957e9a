/** The metrics of the service's own, by what `metrics.ts` has them as. docs/reference/metrics.md is made from this. */

type Role = 'api' | 'projector' | 'worker';

export type Described = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** What roles a process has where it counts. */
  readonly countedIn: 'every' | readonly Role[];
  /** What the page says beside the help, in Markdown. */
  readonly more?: string;
};

export const metricsTable = {
  requests: {
    type: 'histogram',
    name: 'daybook_request_seconds',
    help: 'Time to answer a request.',
    labels: ['operation', 'status'],
    countedIn: 'every',
    more: '`operation` is the operationId, or `none` outside the interface. Status 499: the caller hung up.',
  },
  waits: {
    type: 'counter',
    name: 'daybook_projection_wait_timeouts_total',
    help: 'Requests answered before the read models had caught up with them.',
    labels: [],
    countedIn: ['api'],
  },
  waited: {
    type: 'histogram',
    name: 'daybook_projection_wait_seconds',
    help: 'Time from the append of what a request did until the read models showed it, or nobody waited any longer.',
    labels: [],
    countedIn: ['api'],
    more: 'At most 2 s, then the answer goes out.',
  },
  position: {
    type: 'gauge',
    name: 'daybook_projected_position',
    help: 'Log position of the read models.',
    labels: [],
    countedIn: ['projector'],
  },
  unlogged: {
    type: 'counter',
    name: 'daybook_request_log_dropped_total',
    help: 'Requests that are not in the log of requests: too many came at once, or it could not be written.',
    labels: [],
    countedIn: ['api'],
  },
  overdue: {
    type: 'counter',
    name: 'daybook_timers_reconciled_total',
    help: 'Timers found overdue by looking, not by their job.',
    labels: [],
    countedIn: ['worker'],
  },
  refused: {
    type: 'counter',
    name: 'daybook_policy_refusals_total',
    help: 'Commands of reactions that were refused: they are tried again, and each needs a look at the log.',
    labels: [],
    countedIn: ['worker'],
  },
  parkedWork: {
    type: 'gauge',
    name: 'daybook_parked',
    help: 'Events whose reactions, rows or webhooks have failed and are tried again.',
    labels: ['consumer'],
    countedIn: ['worker'],
    more: '`consumer` is what they are for.',
  },
  otherBodies: {
    type: 'counter',
    name: 'daybook_idempotency_other_bodies_total',
    help: 'Keyed requests that were repeated with another body, and had the first answer all the same.',
    labels: ['operation'],
    countedIn: ['api'],
  },
  periodic: {
    type: 'counter',
    name: 'daybook_periodic_failures_total',
    help: 'Turns of work that a process repeats which failed: the next turn tries again.',
    labels: ['task'],
    countedIn: 'every',
    more: '`task` is what the work is for.',
  },
  rail: {
    type: 'counter',
    name: 'daybook_rail_calls_total',
    help: 'Questions to the rail by what followed: answered in time, or failed and asked again.',
    labels: ['call', 'outcome'],
    countedIn: ['api', 'worker'],
    more: '`outcome` is `answered` or `failed`.',
  },
  lost: {
    type: 'counter',
    name: 'daybook_rail_lost_payments_total',
    help: 'Times the rail did not know a payment that it had taken: somebody has to find out what became of it.',
    labels: [],
    countedIn: ['api', 'worker'],
    more: 'Ask the bank.',
  },
  contradicted: {
    type: 'counter',
    name: 'daybook_rail_contradictions_total',
    help: 'Times the rail said of a payment that has ended that it ended otherwise: somebody has to see to it.',
    labels: [],
    countedIn: ['api', 'worker'],
    more: 'The books stay as they are; ask the bank.',
  },
  failedRefunds: {
    type: 'counter',
    name: 'daybook_failed_refunds_total',
    help: 'Refunds that failed: the rail has the money, and somebody has to send it back.',
    labels: [],
    countedIn: ['worker'],
    more: 'Outside the sandbox ([operations](../operations/runbook.md)). One whose process ended at that moment may count twice.',
  },
  oldest: {
    type: 'gauge',
    name: 'daybook_oldest_payment_seconds',
    help: 'Age of the payment that is under way the longest, 0 where none is.',
    labels: [],
    countedIn: ['worker'],
    more: "Of all platforms but those of the sandbox whose clock was moved. Looked for every 30 s. One that waits for its platform's approval is not under way.",
  },
  logCalls: {
    type: 'counter',
    name: 'daybook_log_calls_total',
    help: 'Calls to EventStoreDB that append events or read a stream, retries included.',
    labels: ['call'],
    countedIn: 'every',
    more: '`call` is `append` or `read`.',
  },
  logBytes: {
    type: 'counter',
    name: 'daybook_log_appended_bytes_total',
    help: 'Bytes of JSON that were sent to EventStoreDB.',
    labels: [],
    countedIn: 'every',
  },
  screening: {
    type: 'counter',
    name: 'daybook_screening_failures_total',
    help: 'Checks of customers that the screening did not answer in time.',
    labels: [],
    countedIn: ['api'],
  },
  ratesAge: {
    type: 'gauge',
    name: 'daybook_rates_age_seconds',
    help: 'Age of the rates that payments are priced with.',
    labels: [],
    countedIn: 'every',
    more: 'Where `DAYBOOK_RATES` is set.',
  },
  webhooks: {
    type: 'counter',
    name: 'daybook_webhook_attempts_total',
    help: 'Calls to webhook endpoints by what followed: delivered, failed for good, or to be tried again.',
    labels: ['outcome'],
    countedIn: ['worker'],
    more: '`outcome` is `delivered`, `failed` or `retried`.',
  },
  webhooksGivenUp: {
    type: 'counter',
    name: 'daybook_webhooks_given_up_total',
    help: 'Webhooks that failed without a last call, since their endpoint was silent for 8 days.',
    labels: [],
    countedIn: ['worker'],
  },
} as const satisfies Readonly<Record<string, Described>>;
