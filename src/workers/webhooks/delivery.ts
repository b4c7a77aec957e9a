/**
 * Takes webhook events to their receivers: those of one object one after the other, each at least once. The table says
 * what is due: many events are claimed by one statement, called side by side, and finished by one statement.
 */
import { inBatches } from '../../infrastructure/batches.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { type AttemptDeps, attempt, isGone } from './attempt.ts';
import { coalesced } from './coalesced.ts';
import { createLines } from './lines.ts';
import type { Attempt, Claimed, DeliveryStore } from './store.ts';

const finishedTogetherMax = 256;

export type Delivery = {
  /** Begins to attempt what is due, as much as there is room for; says how much that is. What comes of it, follows. */
  readonly look: () => Promise<number>;
  /** Claims nothing any more. Resolves when the calls under way have ended and are recorded. */
  readonly stop: () => Promise<void>;
  /** What ends from now on is not recorded: it is attempted again when its lease has run out. */
  readonly abandon: () => void;
};

type Deps = AttemptDeps & {
  readonly store: DeliveryStore;
  /** Records that the endpoint says it is gone. */
  readonly disable: (platformId: PlatformId, url: string) => Promise<void>;
  /** Sees to it that somebody looks then. Nobody waits for it: the reconciler looks where it has failed. */
  readonly lookAt: (dueAt: Date) => Promise<void>;
  readonly attempted: (outcome: 'delivered' | 'failed' | 'retried') => void;
  readonly log: Log;
};

type Ended = { readonly attempt: Attempt; readonly recorded: () => void };

export function createDelivery(deps: Deps): Delivery {
  const { store, log, now } = deps;
  const lines = createLines();
  const underWay = new Set<Promise<void>>();
  let state: 'working' | 'stopping' | 'abandoned' = 'working';

  const answered: Deps['answered'] = async (claimed, outcome) => {
    // That a call was broken off here is no answer.
    if (state !== 'abandoned') await deps.answered(claimed, outcome);
  };
  const look = coalesced(async () => {
    const room = lines.room();
    if (state !== 'working' || room.calls === 0) return 0;
    const claimed = await store.claim(now(), room);
    lines.begun(
      claimed.map(({ platformId }) => platformId),
      room,
    );
    for (const one of claimed) {
      const delivering = deliver(one).finally(() => underWay.delete(delivering));
      underWay.add(delivering);
    }
    return claimed.length;
  });
  const lookAgain = () => {
    look().catch((error) => log.error({ err: error }, 'webhooks were not claimed'));
  };
  const record = inBatches<Ended>(finishedTogetherMax, async (ended) => {
    const attempts = ended.map(({ attempt }) => attempt);
    if (state !== 'abandoned') await finish(deps, attempts);
    for (const { recorded } of ended) recorded();
    lookAgain();
  });
  const deliver = async (claimed: Claimed): Promise<void> => {
    const { id: webhookId, platformId } = claimed;
    const made = await attempt({ ...deps, answered }, claimed).catch((error) => {
      log.error({ err: error, webhookId, platformId }, 'a webhook was not attempted');
    });
    if (made) lines.answered(platformId, made.outcome.status !== undefined);
    if (lines.ended(platformId)) lookAgain();
    if (!made) return;
    await new Promise<void>((recorded) => record({ attempt: made, recorded }));
    if (isGone(made.outcome)) await switchOff(deps, claimed);
  };

  return {
    look,
    async stop() {
      state = 'stopping';
      // A claim that is on its way adds to them.
      await look().catch(() => undefined);
      await Promise.all(underWay);
    },
    abandon() {
      state = 'abandoned';
    },
  };
}

/** Records attempts together, or, where that fails, each alone. What is not recorded is attempted again. */
async function finish(deps: Deps, attempts: readonly Attempt[]): Promise<void> {
  const { store, now, log } = deps;
  try {
    await store.finish(attempts, now());
  } catch (error) {
    if (attempts.length > 1) {
      for (const one of attempts) await finish(deps, [one]);
      return;
    }
    log.error(
      { err: error, webhookId: attempts[0]?.claimed.id },
      'the attempt of a webhook was not recorded',
    );
    return;
  }
  for (const one of attempts) follow(deps, one);
}

/** What follows from an attempt that is recorded. */
function follow({ lookAt, attempted, log }: Deps, { claimed, outcome, ending }: Attempt): void {
  const { id: webhookId, platformId, type } = claimed;
  const { status, error, latencyMs } = outcome;
  log.debug({ webhookId, platformId, type, status, error, latencyMs }, 'webhook attempted');
  if (ending.state === 'PENDING')
    lookAt(ending.nextAttemptAt).catch((failure) =>
      log.warn({ err: failure }, 'the next look for webhooks was not queued'),
    );
  attempted(endingNames[ending.state]);
}

const switchOff = ({ disable, log }: Deps, { platformId, url }: Claimed): Promise<void> =>
  disable(platformId, url).catch((error) => {
    log.error({ err: error, platformId }, 'a webhook endpoint that is gone was not switched off');
  });

const endingNames = { DELIVERED: 'delivered', FAILED: 'failed', PENDING: 'retried' } as const;
