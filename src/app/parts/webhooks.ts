import type { Faults } from '../../sandbox/faults/faults.ts';
import { isInbox } from '../../sandbox/inbox.ts';
import type { Disturbance } from '../../workers/webhooks/attempt.ts';
import { createSender, type Sender } from '../../workers/webhooks/send.ts';
import { openWebhooks, type Webhooks } from '../../workers/webhooks/webhooks.ts';
import type { Core } from './core/core.ts';

/** What goes to the sandbox's own inbox has arrived: the whole answer is a 200 that says nothing, which approves a payment. */
const withInbox = (sender: Sender): Sender => ({
  ...sender,
  send: async (call) => (isInbox(call.url) ? { status: 200, latencyMs: 0, text: '' } : sender.send(call)),
});

const disturbanceOf =
  (faults: Faults): Disturbance =>
  async ({ platformId, type, objectId, retries, body }) => {
    if (retries > 0) return undefined;
    const occasion = { target: 'webhook', name: type, about: [objectId, JSON.parse(body)] } as const;
    const effect = await faults.strike(platformId, occasion);
    if (effect?.kind === 'HOLD_WEBHOOK') return { kind: 'hold', ms: effect.delayMs };
    return effect?.kind === 'DUPLICATE_WEBHOOK' ? { kind: 'duplicate' } : undefined;
  };

type Given = { readonly faults: Faults | undefined; readonly ownSender: Sender | undefined };

/** What platforms are told, and that it arrives. */
export function openOutgoing(core: Core, { faults, ownSender }: Given): Webhooks {
  const { config, pool, commands, databaseUrl, sealer, metrics, log, times, installationNow } = core;
  const outside = ownSender ?? createSender({ allowPrivate: config.webhooks.allowPrivate });
  const sender = config.environment === 'sandbox' ? withInbox(outside) : outside;
  return openWebhooks({
    ...config.webhooks,
    sender,
    disturbance: faults && disturbanceOf(faults),
    pool,
    commands,
    databaseUrl,
    sealer,
    log,
    now: installationNow,
    times,
    moved: core.moved,
    jobs: core.jobs,
    every: core.every,
    listening: core.listening,
    session: core.session,
    waits: core.waits,
    caughtUp: core.caughtUp,
    attempted: metrics.webhookAttempted,
  });
}
