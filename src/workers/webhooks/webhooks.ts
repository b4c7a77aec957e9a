/** Puts the parts of webhook delivery together. */
import type { ReadDb } from '../../../projections/database.ts';
import { webhooksChannel } from '../../../projections/kept/webhook-events.ts';
import { findWebhookEndpoint } from '../../../projections/models/webhook-endpoints.ts';
import type { TransactionCommand } from '../../domain/payments/commands.ts';
import { every } from '../../infrastructure/jobs/periodic.ts';
import type { Jobs } from '../../infrastructure/jobs/queues.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { Listening } from '../../infrastructure/postgres/listen.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { decisionOf } from './approval.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createWebhookKeys, type WebhookKeys } from './keys.ts';
import { createSender, type Sender } from './send.ts';
import { type Claimed, createDeliveryStore, type DeliveryStore } from './store.ts';
import type { WebhookJob } from './turns.ts';

const reconcileEveryMs = 5_000;
/** Jobs of one process at a time; most of the time of each is waiting for a receiver. */
const concurrency = 128;

type Deps = {
  readonly pool: Pool;
  readonly readDb: ReadDb;
  readonly commands: Commands;
  readonly jobs: Jobs;
  readonly listening: Listening;
  readonly sealer: Sealer;
  readonly keyOverlapMs: number;
  readonly allowPrivate: boolean;
  readonly attempted: (outcome: 'delivered' | 'failed' | 'retried') => void;
  readonly log: Log;
  readonly now: () => Date;
};

export type Webhooks = {
  readonly keys: WebhookKeys;
  readonly sender: Sender;
  readonly store: DeliveryStore;
  readonly delivery: Delivery;
  /** Forgets every queued attempt: for tests of what happens when the queue is lost. */
  readonly empty: () => Promise<void>;
  /** Delivers from now on. Returns what ends it. */
  readonly work: () => () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function openWebhooks(deps: Deps): Webhooks {
  const { pool, readDb, commands, jobs, listening, sealer, log, now } = deps;
  const { attempted, allowPrivate } = deps;
  const queue = jobs.queue<WebhookJob>('webhooks', concurrency);
  const keys = createWebhookKeys({ pool, sealer, now, overlapMs: deps.keyOverlapMs });
  const sender = createSender({ allowPrivate });
  const store = createDeliveryStore(pool);
  const delivery = createDelivery({
    store,
    queue,
    keys,
    sender,
    attempted,
    log,
    now,
    endpointOf: (platformId) => findWebhookEndpoint(readDb, platformId),
    answered: (claimed, outcome) => decide(commands, claimed, decisionOf(outcome, now())),
    disable: (platformId, url) => disable(commands, platformId, url, now()),
  });

  return {
    keys,
    sender,
    store,
    delivery,
    empty: queue.empty,
    work() {
      queue.work(delivery.run);
      const report = (error: unknown) => log.error({ err: error }, 'webhooks were not queued');
      const deafen = listening.on(webhooksChannel, () => void delivery.wake().catch(report));
      const stop = every(reconcileEveryMs, log, delivery.reconcile);
      return async () => {
        await stop();
        deafen();
      };
    },
    async close() {
      await queue.close();
      sender.close();
    },
  };
}

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
