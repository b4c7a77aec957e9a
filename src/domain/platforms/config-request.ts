/** Which settings a platform may ask for. */

import { badField } from '../../kernel/rejected.ts';
import { requireKnownCurrencies } from '../money/currencies.ts';
import { requireOpen } from './domains.ts';
import type { ActivePlatform, ConfigChanges } from './platform.ts';

type Surroundings = {
  /** The domain of the payment addresses that the rail answers for. */
  readonly railDomain: string | undefined;
  /** Why nothing may be sent to the endpoint, if that is so. */
  readonly whyRefused: (webhookEndpoint: string) => string | undefined;
};

/** An empty endpoint removes it. Throws `Rejected` for settings that are well-formed but cannot be used. */
export function configChangesOf(
  request: ConfigChanges,
  platform: ActivePlatform,
  { railDomain, whyRefused }: Surroundings,
): ConfigChanges {
  const { umaDomain, webhookEndpoint, supportedCurrencies } = request;
  if (umaDomain !== undefined && umaDomain === railDomain)
    throw badField('umaDomain', 'belongs to the sandbox');
  if (umaDomain !== undefined) requireOpen(umaDomain, platform);
  const codes = supportedCurrencies?.map(({ currencyCode }) => currencyCode) ?? [];
  requireKnownCurrencies(codes);
  if (new Set(codes).size < codes.length)
    throw badField('supportedCurrencies', 'must name each currency once');
  const refused = webhookEndpoint ? whyRefused(webhookEndpoint) : undefined;
  if (refused) throw badField('webhookEndpoint', refused);
  return webhookEndpoint === undefined ? request : { ...request, webhookEndpoint: webhookEndpoint || null };
}
