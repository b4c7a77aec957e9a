/**
 * Takes webhook events to their receivers: those of one object one after the other, each at least once. The table says
 * what is due; jobs only carry attempts, and the reconciler replaces every job that was lost.
 */
import type { WebhookEndpoint } from '../../../projections/models/webhook-endpoints.ts';
import { asksForApproval, isSentOnce } from '../../domain/webhooks/types.ts';
import type { JobQueue } from '../../infrastructure/jobs/queues.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { approvalTimeoutMs } from './approval.ts';
import { nextAttemptAt, parseRetryAfter } from './backoff.ts';
import { signedCall } from './envelope.ts';
import type { WebhookKeys } from './keys.ts';
import type { Outcome, Sender } from './send.ts';
import type { Claimed, DeliveryStore, Ending } from './store.ts';
import { createTurns, type Turns, type WebhookJob } from './turns.ts';

const attemptTimeoutMs = 10_000;
/** Calls to one platform at a time, so that a slow receiver leaves room for the others. */
const perPlatformMax = 32;
/** And to one whose last call got no answer. */
const perSilentPlatformMax = 2;

export type Delivery = Pick<Turns, 'wake' | 'reconcile'> & {
  /** Attempts an event, when it is its turn. */
  readonly run: (job: WebhookJob) => Promise<void>;
};

type Deps = {
  readonly store: DeliveryStore;
  readonly queue: JobQueue<WebhookJob>;
  readonly keys: WebhookKeys;
  readonly sender: Sender;
  readonly endpointOf: (platformId: PlatformId) => Promise<WebhookEndpoint | undefined>;
  /** Takes the answer to a payment that waits for approval. */
  readonly answered: (claimed: Claimed, outcome: Outcome) => Promise<void>;
  /** Records that the endpoint says it is gone. */
  readonly disable: (platformId: PlatformId, url: string) => Promise<void>;
  readonly attempted: (outcome: 'delivered' | 'failed' | 'retried') => void;
  readonly log: Log;
  readonly now: () => Date;
};

export function createDelivery(deps: Deps): Delivery {
  const { store, queue, endpointOf, log, now } = deps;
  const turns = createTurns({ store, queue, now, perPlatformMax });
  const lines = createLines();

  const attempt = async (claimed: Claimed, endpoint: WebhookEndpoint) => {
    const { outcome, ending } = await call(deps, turns, claimed, endpoint);
    lines.answered(claimed.platformId, outcome.status !== undefined);
    const { id: webhookId, platformId, type } = claimed;
    const { status, error, latencyMs } = outcome;
    log.debug({ webhookId, platformId, type, status, error, latencyMs }, 'webhook attempted');
    if (ending.state === 'PENDING') {
      deps.attempted('retried');
      await turns.enqueue(claimed, Math.max(1, ending.nextAttemptAt.getTime() - now().getTime()));
    } else deps.attempted(ending.state === 'DELIVERED' ? 'delivered' : 'failed');
  };
  const run = async ({ id, platformId }: WebhookJob): Promise<boolean> => {
    if (!lines.take(platformId)) return false;
    try {
      const endpoint = await endpointOf(platformId);
      const claimed = endpoint && (await store.claim(id, now()));
      if (claimed) await attempt(claimed, endpoint);
      return claimed !== undefined;
    } finally {
      lines.giveBack(platformId);
    }
  };

  return {
    wake: turns.wake,
    reconcile: turns.reconcile,
    async run(job) {
      const { id, platformId } = job;
      const attempted = await run(job).finally(() => turns.ran(id));
      if (!attempted || !(lines.wasHeldBack(platformId) || turns.mayHaveMore(platformId))) return;
      turns.wake().catch((error) => log.error({ err: error }, 'webhooks were not queued'));
    },
  };
}

/** Makes the call and records what came of it; the next event of the object is queued when it is its turn. */
async function call(
  { store, keys, sender, answered, disable, now }: Deps,
  turns: Turns,
  claimed: Claimed,
  { url, environment }: WebhookEndpoint,
) {
  const { platformId } = claimed;
  const at = now();
  const signed = signedCall(claimed, await keys.current(platformId), at);
  const allowHttp = environment === 'sandbox';
  const asks = asksForApproval(claimed.type);
  const timeoutMs = asks ? approvalTimeoutMs : attemptTimeoutMs;
  const outcome = await sender.send({ ...signed, url, timeoutMs, allowHttp });
  // Before the attempt counts as made: what is cut short here is made again.
  if (asks) await answered(claimed, outcome);
  const ending = endingOf(claimed, outcome, now());
  const next = await store.finish(claimed, { ...outcome, url, at }, ending, now());
  if (outcome.status === 410) await disable(platformId, url);
  else if (next) await turns.enqueue(next);
  return { outcome, ending };
}

/** What an answer means (docs/reference/webhooks.md). */
function endingOf({ type, retries, retryingSince: since }: Claimed, outcome: Outcome, now: Date): Ending {
  const { status = 0, retryAfter } = outcome;
  if ((status >= 200 && status <= 299) || status === 409) return { state: 'DELIVERED' };
  if (status === 410 || isSentOnce(type)) return { state: 'FAILED' };
  const at = nextAttemptAt({ retries, since, now, retryAfterMs: parseRetryAfter(retryAfter, now) });
  return at ? { state: 'PENDING', nextAttemptAt: at } : { state: 'FAILED' };
}

/** Counts the calls under way to each platform, and refuses those that are too many. */
function createLines() {
  const calls = new Map<PlatformId, number>();
  const silent = new Set<PlatformId>();
  const heldBack = new Set<PlatformId>();

  return {
    take(platformId: PlatformId): boolean {
      const busy = calls.get(platformId) ?? 0;
      const free = busy < (silent.has(platformId) ? perSilentPlatformMax : perPlatformMax);
      if (free) calls.set(platformId, busy + 1);
      else heldBack.add(platformId);
      return free;
    },
    giveBack(platformId: PlatformId): void {
      const left = (calls.get(platformId) ?? 1) - 1;
      if (left > 0) calls.set(platformId, left);
      else calls.delete(platformId);
    },
    answered(platformId: PlatformId, answer: boolean): void {
      if (answer) silent.delete(platformId);
      else silent.add(platformId);
    },
    /** Whether a call was refused since the last time this was asked. */
    wasHeldBack: (platformId: PlatformId): boolean => heldBack.delete(platformId),
  };
}
