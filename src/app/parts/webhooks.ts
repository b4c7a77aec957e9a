import { openWebhooks, type Webhooks } from '../../workers/webhooks/webhooks.ts';
import type { Closer, Core } from './core.ts';

/** What platforms are told, and that it arrives. */
export function openOutgoing(core: Core, closers: Closer[]): Webhooks {
  const { config, pool, commands, databaseUrl, sealer, metrics, log, now } = core;
  const webhooks = openWebhooks({
    ...config.webhooks,
    pool,
    commands,
    databaseUrl,
    sealer,
    log,
    now,
    jobs: core.jobs,
    every: core.every,
    listening: core.listening,
    session: core.session,
    caughtUp: core.caughtUp,
    attempted: metrics.webhookAttempted,
  });
  closers.push(webhooks.close);
  return webhooks;
}
