import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import { configure } from '../../use-cases/platforms/configure.ts';
import type { WebhookKeys } from '../../workers/webhooks/keys.ts';
import { type Route, route } from '../operation.ts';
import { getConfig, patchConfig } from './operations.ts';
import { renderConfig } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly rail: Pick<PaymentRail, 'umaDomain'>;
  readonly now: () => Date;
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
    route(patchConfig, async ({ principal, body, cause }) =>
      answer(await configure(deps, principal, body, cause)),
    ),
  ];
}
