import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import { configure } from '../../use-cases/platforms/configure.ts';
import type { TakingDeps } from '../../use-cases/platforms/domains.ts';
import type { WebhookKeys } from '../../workers/webhooks/keys.ts';
import { type Route, route } from '../operation.ts';
import { getConfig, patchConfig } from './operations.ts';
import { renderConfig } from './render.ts';

type Deps = TakingDeps & {
  readonly rail: Pick<PaymentRail, 'umaDomain'>;
  readonly webhookKeys: WebhookKeys;
  readonly allowPrivateWebhooks: boolean;
};

export function platformRoutes(deps: Deps): readonly Route[] {
  const { commands, webhookKeys } = deps;
  const answer = async (platform: ActivePlatform) => {
    const { signing } = await webhookKeys.current(platform.platformId);
    return { status: 200, body: renderConfig(platform, signing.publicKey) };
  };
  return [
    route(getConfig, async ({ principal }) => answer(await loadPlatform(commands, principal.platformId))),
    route(patchConfig, async (request) =>
      answer(await configure(deps, request.principal, request.body, request)),
    ),
  ];
}
