/** One attempt to deliver an event: the call, and what its answer means. */
import { asksForApproval, isSentOnce } from '../../domain/webhooks/types.ts';
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import { approvalMaxBytes, approvalTimeoutMs } from './approval.ts';
import { nextAttemptAt, parseRetryAfter } from './backoff.ts';
import { signedCall } from './envelope.ts';
import type { WebhookKeys } from './keys.ts';
import type { Claimed } from './lanes/claims.ts';
import type { Outcome, Sender } from './send.ts';
import type { Attempt, Ending } from './store.ts';

export const attemptTimeoutMs = 10_000;

/** An event is held back for so many milliseconds of the platform's clock, or sent twice. */
export type Disturbance = (
  claimed: Claimed,
) => Promise<{ readonly kind: 'hold'; readonly ms: number } | { readonly kind: 'duplicate' } | undefined>;

export type AttemptDeps = {
  readonly keys: WebhookKeys;
  readonly sender: Sender;
  /** Takes the answer to a payment that waits for approval. */
  readonly answered: (claimed: Claimed, outcome: Outcome) => Promise<void>;
  /** The installation's. */
  readonly now: () => Date;
  readonly times: Pick<PlatformTimes, 'nowOf'>;
  /** What is made to go wrong with a webhook; nothing outside the sandbox. */
  readonly disturbance?: Disturbance | undefined;
};

/** Makes the call. An answer that decides about a payment has been taken when this resolves. */
export async function attempt(deps: AttemptDeps, claimed: Claimed): Promise<Attempt> {
  const { keys, sender, answered, now, times } = deps;
  const { platformId, type, url, environment } = claimed;
  const at = times.nowOf(platformId);
  const disturbed = await deps.disturbance?.(claimed);
  if (disturbed?.kind === 'hold') return heldBack(claimed, at, disturbed.ms);
  const current = await keys.current(platformId);
  const asks = asksForApproval(type);
  const timeoutMs = asks ? approvalTimeoutMs : attemptTimeoutMs;
  const allowHttp = environment === 'sandbox';
  const reads = asks ? { answerMaxBytes: approvalMaxBytes } : {};
  const how = { timeoutMs, allowHttp, once: isSentOnce(type), ...reads };
  const call = { ...signedCall(claimed, current, at, now()), url, ...how };
  const outcome = await sender.send(call);
  if (disturbed) await sender.send(call);
  // Before the attempt counts as made: what is cut short here is made again.
  if (asks) await answered(claimed, outcome);
  const retryAfterMs = parseRetryAfter(outcome.retryAfter, now());
  const ending = endingOf(claimed, { ...outcome, retryAfterMs }, times.nowOf(platformId));
  // What is left for an endpoint that is gone will be cancelled.
  return { claimed, at, outcome, ending, passesTurn: ending.state !== 'PENDING' && !isGone(outcome) };
}

const heldBack = (claimed: Claimed, at: Date, ms: number): Attempt => ({
  claimed,
  at,
  outcome: { latencyMs: 0, error: 'held back by a fault of the sandbox' },
  ending: { state: 'PENDING', nextAttemptAt: new Date(at.getTime() + ms) },
  passesTurn: false,
  isHeldBack: true,
});

export const isGone = ({ status }: Outcome): boolean => status === 410;

/** What an answer means (docs/reference/webhooks.md). A date that it names is by the receiver's clock, and not the platform's. */
function endingOf(
  { type, retries, retryingSince: since }: Claimed,
  outcome: Outcome & { readonly retryAfterMs: number | undefined },
  now: Date,
): Ending {
  const { status = 0, retryAfterMs } = outcome;
  if ((status >= 200 && status <= 299) || status === 409) return { state: 'DELIVERED' };
  if (isGone(outcome) || isSentOnce(type)) return { state: 'FAILED' };
  const at = nextAttemptAt({ retries, since, now, retryAfterMs });
  return at ? { state: 'PENDING', nextAttemptAt: at } : { state: 'FAILED' };
}
