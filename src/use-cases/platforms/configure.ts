import { configChangesOf } from '../../domain/platforms/config-request.ts';
import type { ActivePlatform, ConfigChanges } from '../../domain/platforms/platform.ts';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { whyRefused } from '../../infrastructure/outgoing.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Principal } from '../caller.ts';
import type { Commands } from '../commands.ts';

type Deps = {
  readonly commands: Commands;
  readonly rail: Pick<PaymentRail, 'umaDomain'>;
  readonly now: () => Date;
  readonly allowPrivateWebhooks: boolean;
};

/** Throws `Rejected`, with nothing changed, where a setting cannot be used. */
export async function configure(
  { commands, rail, now, allowPrivateWebhooks: allowPrivate }: Deps,
  { platformId, environment }: Pick<Principal, 'platformId' | 'environment'>,
  request: ConfigChanges,
  cause: Cause,
): Promise<ActivePlatform> {
  const rules = { allowHttp: environment === 'sandbox', allowPrivate };
  const changes = configChangesOf(request, {
    railDomain: rail.umaDomain,
    whyRefused: (endpoint) => whyRefused(endpoint, rules),
  });
  const command = { type: 'ChangeConfig', changes, at: now() } as const;
  const { state } = await commands.run('platform', uuidOf(platformId), command, cause);
  invariant(state.status === 'active', 'configured a platform that is not there');
  return state;
}
