import { unknownCurrencies } from '../../domain/money/currencies.ts';
import type { ActivePlatform, ConfigChanges } from '../../domain/platforms/platform.ts';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import { whyRefused } from '../../infrastructure/outgoing.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import type { Principal } from '../../use-cases/caller.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import type { WebhookKeys } from '../../workers/webhooks/keys.ts';
import { present } from '../fields/fields.ts';
import { type Route, route } from '../operation.ts';
import { getConfig, type PatchConfigRequest, patchConfig, renderConfig } from './operations.ts';

type Deps = {
  readonly commands: Commands;
  readonly rail: Pick<PaymentRail, 'umaDomain'>;
  readonly now: () => Date;
  readonly webhookKeys: WebhookKeys;
  readonly allowPrivateWebhooks: boolean;
};

export function platformRoutes(deps: Deps): readonly Route[] {
  const { commands, rail, now, webhookKeys, allowPrivateWebhooks } = deps;
  const render = async (platform: ActivePlatform) =>
    renderConfig(platform, (await webhookKeys.current(platform.platformId)).signing.publicKey);
  return [
    route(getConfig, async ({ principal }) => ({
      status: 200,
      body: await render(await loadPlatform(commands, principal.platformId)),
    })),

    route(patchConfig, async ({ principal, body, cause }) => {
      if (body.umaDomain !== undefined && body.umaDomain === rail.umaDomain) {
        throw badField('umaDomain', 'belongs to the sandbox');
      }
      const changes = checked(body, principal, allowPrivateWebhooks);
      const uuid = uuidOf(principal.platformId);
      const { state } = await commands.run(
        'platform',
        uuid,
        { type: 'ChangeConfig', changes, at: now() },
        cause,
      );
      invariant(state.status === 'active', 'configured a platform that is not there');
      return { status: 200, body: await render(state) };
    }),
  ];
}

/** Throws `Rejected` for settings that are well-formed but cannot be used. */
function checked(
  request: PatchConfigRequest,
  { environment }: Principal,
  allowPrivate: boolean,
): ConfigChanges {
  const { webhookEndpoint, embeddedWalletConfig, ...changes } = request;
  const codes = changes.supportedCurrencies?.map(({ currencyCode }) => currencyCode) ?? [];
  const unknown = unknownCurrencies(codes);
  if (unknown.length > 0) {
    throw new Rejected('INVALID_CURRENCY', `Not supported: ${unknown.join(', ')}.`, { currencies: unknown });
  }
  if (new Set(codes).size < codes.length)
    throw badField('supportedCurrencies', 'must name each currency once');
  const rules = { allowHttp: environment === 'sandbox', allowPrivate };
  const refused = webhookEndpoint ? whyRefused(webhookEndpoint, rules) : undefined;
  if (refused) throw badField('webhookEndpoint', refused);
  return {
    ...changes,
    ...(embeddedWalletConfig && { embeddedWalletConfig: present(embeddedWalletConfig) }),
    ...(webhookEndpoint !== undefined && { webhookEndpoint: webhookEndpoint || null }),
  };
}
