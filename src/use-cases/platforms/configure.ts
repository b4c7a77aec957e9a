import { configChangesOf } from '../../domain/platforms/config-request.ts';
import type { ActivePlatform, ConfigChanges } from '../../domain/platforms/platform.ts';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import { whyRefused } from '../../infrastructure/outgoing/outgoing.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Attempt } from '../attempt.ts';
import type { Principal } from '../caller.ts';
import { loadPlatform } from '../find/platform.ts';
import { type TakingDeps, takeDomain } from './domains.ts';

type Deps = TakingDeps & {
  readonly rail: Pick<PaymentRail, 'umaDomain'>;
  readonly allowPrivateWebhooks: boolean;
};

/** Throws `Rejected`, with nothing changed, where a setting cannot be used. */
export async function configure(
  deps: Deps,
  { platformId, environment }: Pick<Principal, 'platformId' | 'environment'>,
  request: ConfigChanges,
  { cause, uuidFor }: Attempt,
): Promise<ActivePlatform> {
  const { commands, rail, now, allowPrivateWebhooks: allowPrivate } = deps;
  const rules = { allowHttp: environment === 'sandbox', allowPrivate };
  const platform = await loadPlatform(commands, platformId);
  const changes = configChangesOf(request, platform, {
    railDomain: rail.umaDomain,
    whyRefused: (endpoint) => whyRefused(endpoint, rules),
  });
  const { umaDomain: domain } = changes;
  const isNew = domain !== undefined && domain !== platform.umaDomain;
  const held = isNew
    ? await takeDomain(deps, platform, { domain, claim: uuidFor('domain') }, cause)
    : undefined;
  const command = { type: 'ChangeConfig', changes, held, at: now() } as const;
  const { state } = await commands.run('platform', uuidOf(platformId), command, cause);
  invariant(state.status === 'active', 'configured a platform that is not there');
  return state;
}
