/**
 * Takes webhook events to their receivers: those of one object one after the other, each at least once. The table says
 * what is due: many events are claimed by one statement, called side by side, and finished by one statement.
 */

import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import type { MovedStreams } from '../../infrastructure/event-store/moved-streams.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import { isForeignKeyViolation } from '../../infrastructure/postgres/violations.ts';
import { inBatches } from '../../infrastructure/scheduling/batches.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { coalesced } from '../coalesced.ts';
import { type AttemptDeps, attempt, isGone } from './attempt.ts';
import { attemptsInARow, rowMaxMs } from './in-a-row.ts';
import type { Claimed, Claims, KnownLane } from './lanes/claims.ts';
import { slowMs } from './lanes/lane.ts';
import { createLines, type Kind } from './lanes/lines.ts';
import type { Attempt, DeliveryStore } from './store.ts';

const finishedTogetherMax = 256;

export type Delivery = {
  /** Begins to attempt what is due, as much as there is room for; says how much that is. What comes of it, follows. */
  readonly look: () => Promise<number>;
  /** Resolves when the calls of the platform that are under way here have ended and are recorded; returns how many there were. */
  readonly ended: (platformId: PlatformId) => Promise<number>;
  /** Claims nothing any more. Resolves when the calls under way have ended and are recorded. */
  readonly stop: () => Promise<void>;
  /** What ends from now on is not recorded: it is attempted again when its lease has run out. */
  readonly abandon: () => void;
};

type Deps = AttemptDeps & {
  readonly kind: Kind;
  readonly claims: Claims;
  readonly store: DeliveryStore;
  /** Records that the endpoint says it is gone. */
  readonly disable: (platformId: PlatformId, url: string) => Promise<void>;
  readonly times: Pick<PlatformTimes, 'nowOf' | 'moved' | 'movedOf' | 'reachOf' | 'installationTime'>;
  /** Writes for a platform, which may be on its way back to a snapshot until then; in a sandbox only. */
  readonly beside: MovedStreams['beside'] | undefined;
  /** Sees to it that somebody looks then. */
  readonly lookAt: (dueAt: Date) => void;
  readonly attempted: (outcome: 'delivered' | 'failed' | 'retried') => void;
  readonly log: Log;
};

type Ended = {
  readonly attempt: Attempt;
  readonly lane: KnownLane | undefined;
  readonly recorded: () => void;
};

export function createDelivery(deps: Deps): Delivery {
  const { kind, claims, store, log, now, times, beside = always } = deps;
  const lines = createLines(kind);
  const underWay = new Map<Promise<void>, PlatformId>();
  let state: 'working' | 'stopping' | 'abandoned' = 'working';

  const answered: Deps['answered'] = async (claimed, outcome) => {
    // That a call was broken off here is no answer.
    if (state !== 'abandoned') await deps.answered(claimed, outcome);
  };
  const calling = { ...deps, answered };
  const look = coalesced(async () => {
    const room = lines.room();
    if (state !== 'working' || room.prompt + room.others === 0) return 0;
    const claimed = await claims.claim(kind, now(), room, times.moved());
    lines.begun(claimed, room);
    for (const one of claimed) {
      // What was not recorded is attempted again when its lease has run out.
      const delivering = deliver(one)
        .catch((error) =>
          log.error({ err: error, webhookId: one.id }, 'attempts of a webhook were not recorded'),
        )
        .finally(() => underWay.delete(delivering));
      underWay.set(delivering, one.platformId);
    }
    return claimed.length;
  });
  const lookAgain = () => {
    look().catch((error) => log.error({ err: error }, 'webhooks were not claimed'));
  };
  const record = inBatches<Ended>(finishedTogetherMax, async (ended) => {
    const attempts = ended.map(({ attempt }) => attempt);
    if (state !== 'abandoned') {
      await keepLanes(deps, ended);
      for (const together of byTime(deps, attempts)) await finish(deps, together);
    }
    for (const { recorded } of ended) recorded();
    lookAgain();
  });
  const deliver = async (claimed: Claimed): Promise<void> => {
    const { id: webhookId, platformId, url } = claimed;
    const until = performance.now() + rowMaxMs;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      if (lines.slowed(platformId)) lookAgain();
    }, slowMs);
    const made = await attempt(calling, claimed).catch((error): undefined => {
      log.error({ err: error, webhookId, platformId }, 'a webhook was not attempted');
      return undefined;
    });
    clearTimeout(timer);
    const lane =
      made && !made.isHeldBack && lines.called(platformId, callOf(made), times.nowOf(platformId).getTime());
    if (lines.ended(platformId, isSlow)) lookAgain();
    if (!made) return;
    const { last, before } = await attemptsInARow(calling, made, until);
    await beside(platformId, async () => {
      if (before.length > 0) await store.passOver(before);
      await new Promise<void>((recorded) =>
        record({ attempt: last, lane: lane ? { platformId, url, lane } : undefined, recorded }),
      );
    });
    if (isGone(last.outcome)) await switchOff(deps, claimed);
  };

  return {
    look,
    async ended(platformId) {
      const own = [...underWay].filter(([, of]) => of === platformId);
      await Promise.all(own.map(([delivering]) => delivering));
      return own.length;
    },
    async stop() {
      state = 'stopping';
      // A claim that is on its way adds to them.
      await look().catch(() => undefined);
      await Promise.all(underWay.keys());
    },
    abandon() {
      state = 'abandoned';
    },
  };
}

const always: MovedStreams['beside'] = (_platformId, write) => write();

const callOf = ({ outcome: { status, latencyMs } }: Attempt) => ({
  answered: status !== undefined,
  latencyMs,
});

/** Of several changes of a lane the last one counts. A change that is lost is found out again. */
async function keepLanes({ claims, log }: Deps, ended: readonly Ended[]): Promise<void> {
  const lanes = new Map(ended.flatMap(({ lane }) => (lane ? [[lane.platformId, lane]] : [])));
  if (lanes.size === 0) return;
  await claims
    .keep([...lanes.values()])
    .catch((error) => log.error({ err: error }, 'what is known of webhook endpoints was not kept'));
}

/** Those of platforms with a time of their own by the time at which they were made. */
const byTime = ({ times }: Deps, attempts: readonly Attempt[]): Iterable<readonly Attempt[]> =>
  Map.groupBy(attempts, ({ claimed: { platformId }, at }) =>
    times.movedOf(platformId) ? at.getTime() : undefined,
  ).values();

/** Records attempts of platforms that have the same time together, or, where that fails, each alone. What is not recorded is attempted again. */
async function finish(deps: Deps, attempts: readonly Attempt[]): Promise<void> {
  const { store, times, now, log } = deps;
  const [first] = attempts;
  if (!first) return;
  try {
    const { claimed, at } = first;
    await store.finish(attempts, times.movedOf(claimed.platformId) ? at : now());
  } catch (error) {
    if (attempts.length > 1) {
      for (const one of attempts) await finish(deps, [one]);
      return;
    }
    // Its platform was put back to before the event.
    if (isForeignKeyViolation(error)) return;
    log.error({ err: error, webhookId: first.claimed.id }, 'the attempt of a webhook was not recorded');
    return;
  }
  for (const one of attempts) follow(deps, one);
}

/** What follows from an attempt that is recorded. */
function follow({ lookAt, times, attempted, log }: Deps, { claimed, outcome, ending }: Attempt): void {
  const { id: webhookId, platformId, type } = claimed;
  const { status, error, latencyMs } = outcome;
  log.debug({ webhookId, platformId, type, status, error, latencyMs }, 'webhook attempted');
  const dueAt = ending.state === 'PENDING' && times.installationTime(platformId, ending.nextAttemptAt);
  if (dueAt) lookAt(dueAt);
  attempted(endingNames[ending.state]);
}

const switchOff = ({ disable, log }: Deps, { platformId, url }: Claimed): Promise<void> =>
  disable(platformId, url).catch((error) => {
    log.error({ err: error, platformId }, 'a webhook endpoint that is gone was not switched off');
  });

const endingNames = { DELIVERED: 'delivered', FAILED: 'failed', PENDING: 'retried' } as const;
