/** The first platform and its first token, so that a new installation can be used at once. */

import type { ReadDb } from '../../projections/database.ts';
import type { Environment } from '../domain/platforms/events.ts';
import { permissions } from '../domain/tokens/permissions.ts';
import { derivedUuid, idOf } from '../kernel/ids.ts';
import { int64Max } from '../kernel/money.ts';
import type { Commands } from '../use-cases/commands.ts';
import { foundInstallation } from '../use-cases/platforms/found.ts';
import type { Tokens } from '../use-cases/tokens/tokens.ts';

export type Credentials = { readonly clientId: string; readonly clientSecret: string };

type Deps = {
  readonly commands: Commands;
  readonly tokens: Tokens;
  readonly readDb: ReadDb;
  readonly now: () => Date;
};

const umaDomain = 'daybook.test';
const currencies = ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR', 'PHP', 'NGN', 'USDC', 'USDB', 'BTC'];

const supportedCurrencies = currencies.map((currencyCode) => ({
  currencyCode,
  minAmount: 0n,
  maxAmount: int64Max,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING' as const, 'OUTGOING' as const],
}));

/** What a platform has until it sets its own. */
const embeddedWalletConfig = {
  otpLength: 6,
  alphanumeric: false,
  expirationSeconds: 300,
  sendFromEmailSenderName: 'Notifications',
};

/**
 * Makes sure that the platform of these credentials exists and that they work. Ids follow from the client id, so
 * several processes may start at once and a second start changes nothing. Returns the position of what was appended.
 * Throws, with nothing changed, where the installation is another environment's.
 */
export async function bootstrapPlatform(
  deps: Deps,
  { clientId, clientSecret }: Credentials,
  { environment, walletCurrency }: { environment: Environment; walletCurrency: string | undefined },
): Promise<bigint | undefined> {
  const { commands, tokens, now } = deps;
  const uuid = derivedUuid('bootstrap-platform', clientId);
  const platformId = idOf('Platform', uuid);
  const at = now();
  const details = {
    platformId,
    environment,
    umaDomain,
    defaultRegion: 'US',
    supportedCurrencies,
    embeddedWalletConfig,
    ...(walletCurrency && { walletCurrency }),
    at,
  };
  let position: bigint | undefined;
  const seen = (reached: bigint) => {
    position = reached;
  };
  const cause = {
    platformId,
    correlationId: 'bootstrap',
    causationId: 'bootstrap',
    actor: 'bootstrap',
    seen,
  };
  requireSame(environment, await foundInstallation(deps, { platformId, environment }, cause));
  await commands.run('platform', uuid, { type: 'CreatePlatform', details }, cause);
  const id = idOf('Token', derivedUuid('bootstrap-token', clientId));
  const token = {
    id,
    platformId,
    name: 'First token',
    clientId,
    secret: clientSecret,
    permissions,
    environment,
    at,
  };
  await tokens.save(token);
  return position;
}

/** Of production a sandbox would make transfers out of nothing; of a sandbox production would keep what is worth nothing. */
function requireSame(configured: Environment, recorded: Environment): void {
  if (configured === recorded) return;
  throw new Error(
    `DAYBOOK_ENVIRONMENT is ${configured}, but the database and its log are those of ${recorded}: set DAYBOOK_ENVIRONMENT=${recorded}, or start with a database of another installation`,
  );
}
