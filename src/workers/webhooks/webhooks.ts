/** Puts the parts of webhook delivery together. */
import { type EndedEvents, isOfNew, webhooksChannel } from '../../../projections/kept/webhook-events.ts';
import type { TransactionCommand } from '../../domain/payments/commands.ts';
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import { within } from '../../infrastructure/deadlines/within.ts';
import type { MovedStreams } from '../../infrastructure/event-store/moved-streams.ts';
import type { Every } from '../../infrastructure/jobs/periodic.ts';
import type { Jobs } from '../../infrastructure/jobs/queues.ts';
import { type WorkSession, workSettings } from '../../infrastructure/jobs/work-session.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { Listening } from '../../infrastructure/postgres/listen.ts';
import { createPool, type Pool, type Waits } from '../../infrastructure/postgres/pool.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { createLooks, type LookJob } from '../looks.ts';
import { decisionOf } from './approval.ts';
import type { Disturbance } from './attempt.ts';
import { createDelivery } from './delivery.ts';
import { createWebhookKeys, type WebhookKeys, webhookKeysChannel } from './keys.ts';
import { type Claimed, createClaims } from './lanes/claims.ts';
import type { Kind } from './lanes/lines.ts';
import { askForRedelivery } from './redeliveries.ts';
import type { Sender } from './send.ts';
import { createSteps } from './steps.ts';
import { createDeliveryStore } from './store.ts';
import { createTurns, type Turns } from './turns.ts';

/** What is due is looked for by itself, whatever became of the job for it. */
const lookEveryMs = 1_000;
const stepEveryMs = 5_000;
const healEveryMs = 60_000;
/** A job for webhooks looks for all that are due. */
const looksAtOnce = 1;
/** One, and one after it. */
const looksMax = 2;
/** Calls under way have so long to end when the process stops. */
const stopMaxMs = 2_000;

type Deps = {
  readonly pool: Pool;
  readonly commands: Commands;
  readonly jobs: Jobs;
  readonly every: Every;
  readonly listening: Listening;
  readonly databaseUrl: string;
  readonly waits: Waits;
  readonly session: WorkSession;
  /** Nothing is sent before: where an endpoint is, is not known yet. */
  readonly caughtUp: () => Promise<boolean>;
  readonly sealer: Sealer;
  readonly keyOverlapMs: number;
  /** It is closed with the webhooks. */
  readonly sender: Sender;
  readonly disturbance?: Disturbance | undefined;
  readonly attempted: (outcome: 'delivered' | 'failed' | 'retried') => void;
  readonly log: Log;
  /** The installation's. */
  readonly now: () => Date;
  readonly times: PlatformTimes;
  readonly moved: Pick<MovedStreams, 'beside'> | undefined;
};

export type Webhooks = {
  readonly keys: WebhookKeys;
  readonly sender: Sender;
  readonly turns: Turns;
  /** Has the events of a period sent again. Throws `Rejected` for one period too many. */
  readonly askForRedelivery: (platformId: PlatformId, which: EndedEvents, now: Date) => Promise<void>;
  /** Attempts what is due, whatever became of the job for it; says how much that is. */
  readonly reconcile: () => Promise<number>;
  /** Resolves when the calls of a platform that this process makes have ended and are recorded; returns how many there were. */
  readonly ended: (platformId: PlatformId) => Promise<number>;
  /** Forgets every queued job: for tests of what happens when the queue is lost. */
  readonly empty: () => Promise<void>;
  /** Delivers from now on. Returns what ends it. */
  readonly work: () => () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function openWebhooks(deps: Deps): Webhooks {
  const { pool, commands, jobs, every, listening, databaseUrl, session, sealer, sender } = deps;
  const { attempted, log, now, times } = deps;
  const queue = jobs.queue<LookJob>('webhooks', looksAtOnce);
  const keys = createWebhookKeys({ pool, sealer, now, overlapMs: deps.keyOverlapMs });
  listening.on(webhookKeysChannel, (platformId) => keys.forget(platformId as PlatformId | undefined));
  const turns = createTurns(pool);
  const own = createPool({
    url: databaseUrl,
    max: 1,
    name: 'webhooks',
    settings: workSettings,
    ...deps.waits,
  });
  const steps = createSteps(own, now, times);
  const claims = createClaims(session, own);
  const store = createDeliveryStore(own);
  const looks = createLooks({ queue, look: () => look(), looksMax, now, log });
  const deliveryOf = (kind: Kind) =>
    createDelivery({
      kind,
      claims,
      store,
      keys,
      sender,
      disturbance: deps.disturbance,
      attempted,
      log,
      now,
      times,
      beside: deps.moved?.beside,
      lookAt: looks.lookAt,
      answered: (claimed, outcome) =>
        decide(commands, claimed, decisionOf(outcome, times.nowOf(claimed.platformId))),
      disable: (platformId, url) => disable(commands, platformId, url, times.nowOf(platformId)),
    });
  const deliveries = [deliveryOf('approvals'), deliveryOf('notices')];
  const look = async () => {
    if (!(await deps.caughtUp())) return 0;
    return sumOf(deliveries.map((delivery) => delivery.look()));
  };

  const stopped = () => Promise.all(deliveries.map((delivery) => delivery.stop()));

  return {
    keys,
    sender,
    turns,
    askForRedelivery: (...asked) => askForRedelivery(pool, ...asked),
    reconcile: look,
    ended: (platformId) => sumOf(deliveries.map((delivery) => delivery.ended(platformId))),
    empty: queue.empty,
    work() {
      queue.work(async () => void (await look()));
      const report = (error: unknown) => log.error({ err: error }, 'webhooks were not claimed');
      const late = (error: unknown) => log.error({ err: error }, 'webhooks were not cancelled or sent again');
      const deafen = listening.on(webhooksChannel, (told) => {
        look().catch(report);
        if (!isOfNew(told)) steps.run().catch(late);
      });
      const stops = [
        every('webhooks', lookEveryMs, look),
        every('webhook steps', stepEveryMs, steps.run),
        every('webhook turns', healEveryMs, () => turns.heal(now(), times.moved())),
      ];
      return async () => {
        deafen();
        await steps.stop();
        for (const stop of stops) await stop();
      };
    },
    async close() {
      await Promise.all([queue.close(), within(stopMaxMs, Promise.all([looks.stop(), stopped()]))]);
      for (const delivery of deliveries) delivery.abandon();
      sender.close();
      await own.end();
    },
  };
}

const sumOf = async (counts: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);

/** Of this answer, a call to approve or reject, and time running out, the first counts. */
async function decide(
  commands: Commands,
  { id, platformId, objectId }: Claimed,
  command: TransactionCommand,
): Promise<void> {
  const cause = { platformId, correlationId: id, causationId: id, actor: 'webhooks' };
  await commands.run('transaction', uuidOf(objectId), command, cause).catch((error) => {
    if (!(error instanceof Rejected)) throw error;
  });
}

async function disable(
  commands: Commands,
  platformId: PlatformId,
  webhookEndpoint: string,
  at: Date,
): Promise<void> {
  const cause = {
    platformId,
    correlationId: `webhooks:${platformId}`,
    causationId: 'webhook-endpoint-gone',
    actor: 'webhooks',
  };
  const command = { type: 'DisableWebhookEndpoint', webhookEndpoint, at } as const;
  await commands.run('platform', uuidOf(platformId), command, cause);
}
