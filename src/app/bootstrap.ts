/** The first platform and its first token, so that a new installation can be used at once. */

import type { ReadDb } from '../../projections/database.ts';
import { tokenNamed } from '../../projections/kept/api-tokens.ts';
import { openCurrency } from '../domain/platforms/currencies.ts';
import type { Environment } from '../domain/platforms/events.ts';
import { permissions } from '../domain/tokens/permissions.ts';
import type { Cause } from '../infrastructure/commands/dispatch.ts';
import { derivedUuid, idOf, type PlatformId, type TokenId, uuidOf } from '../kernel/ids.ts';
import type { Commands } from '../use-cases/commands.ts';
import { firstDomainOf } from '../use-cases/platforms/domains.ts';
import { foundInstallation } from '../use-cases/platforms/found.ts';
import type { Tokens } from '../use-cases/tokens/tokens.ts';
import { cannotStart } from './start/cannot-start.ts';

export type Credentials = { readonly clientId: string; readonly clientSecret: string };

/** Where the installation is: in the data directory, where no database is named. */
type Place = { readonly databaseUrl: string | undefined; readonly eventStoreUrl: string | undefined };
type Configured = Place & {
  readonly environment: Environment;
  readonly walletCurrency: string | undefined;
  /** The file that the credentials are from; `undefined` when the environment gave them. */
  readonly keptIn?: string | undefined;
};

type Deps = {
  readonly commands: Commands;
  readonly tokens: Tokens;
  readonly readDb: ReadDb;
  readonly now: () => Date;
};

const currencies = ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR', 'PHP', 'NGN', 'USDC', 'USDB', 'BTC'];

/** The platform has an account of its own in each of these. */
const supportedCurrencies = currencies.map(openCurrency);

/** What a platform has until it sets its own. */
const embeddedWalletConfig = {
  otpLength: 6,
  alphanumeric: false,
  expirationSeconds: 300,
  sendFromEmailSenderName: 'Notifications',
};

export type Bootstrapped = {
  /** Of what was appended. */
  readonly position: bigint | undefined;
  /** The platform was made now, in an installation that was there before: its tokens see nothing of the others. */
  readonly isOneMore: boolean;
};

/**
 * Makes sure that the platform of these credentials exists and that they work. Ids follow from the client id, so
 * several processes may start at once and a second start changes nothing. Throws, with neither made, where the
 * installation is another environment's, and where the client id is that of a token which a platform has issued.
 */
export async function bootstrapPlatform(
  deps: Deps,
  { clientId, clientSecret }: Credentials,
  { environment, walletCurrency, keptIn, ...place }: Configured,
): Promise<Bootstrapped> {
  const { tokens, readDb, now } = deps;
  const id = idOf('Token', derivedUuid('bootstrap-token', clientId));
  requireOwn(id, await tokenNamed(readDb, clientId), clientId, keptIn);
  const platformId = idOf('Platform', derivedUuid('bootstrap-platform', clientId));
  let position: bigint | undefined;
  const seen = (reached: bigint) => {
    if (position === undefined || reached > position) position = reached;
  };
  const cause = { platformId, ...bootstrap, seen };
  const founded = await foundInstallation(deps, { platformId, environment }, cause);
  requireSame(environment, founded.environment, place);
  const isNew = await createPlatform(deps, { platformId, environment, walletCurrency }, cause);
  const at = now();
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
  await tokens.save(token, cause);
  return { position, isOneMore: isNew && founded.wasThere };
}

const bootstrap = { correlationId: 'bootstrap', causationId: 'bootstrap', actor: 'bootstrap' };

type NewPlatform = {
  readonly platformId: PlatformId;
  readonly environment: Environment;
  readonly walletCurrency: string | undefined;
};

/** One that is there stays as it is. Returns whether it was not. */
async function createPlatform(
  deps: Deps,
  { platformId, environment, walletCurrency }: NewPlatform,
  cause: Cause,
): Promise<boolean> {
  const { commands, now } = deps;
  const uuid = uuidOf(platformId);
  if ((await commands.load('platform', uuid)).status === 'active') return false;
  const details = {
    platformId,
    environment,
    umaDomain: await firstDomainOf(deps, platformId, cause),
    defaultRegion: 'US',
    supportedCurrencies,
    embeddedWalletConfig,
    ...(walletCurrency && { walletCurrency }),
    at: now(),
  };
  await commands.run('platform', uuid, { type: 'CreatePlatform', details }, cause);
  return true;
}

/** The platform of an issued token has others to act for it, and who holds that token is not the operator. */
function requireOwn(
  first: TokenId,
  named: TokenId | undefined,
  clientId: string,
  keptIn: string | undefined,
): void {
  if (named === undefined || named === first) return;
  const issued = `client id ${clientId}, of a token that was issued, and would take it over`;
  if (keptIn === undefined)
    throw cannotStart({
      variable: 'DAYBOOK_BOOTSTRAP_CLIENT_ID',
      tried: `the first token has the ${issued}`,
      next: 'Set it to that of the former first token, or to one that no token has had, for another platform',
    });
  throw cannotStart({
    variable: 'DAYBOOK_DATA_DIR',
    tried: `the first token in the file ${keptIn} has the ${issued}`,
    next: 'Put the former file back, or delete it to get the token of another platform',
  });
}

/** Of production a sandbox would make transfers out of nothing; of a sandbox production would keep what is worth nothing. */
function requireSame(configured: Environment, recorded: Environment, place: Place): void {
  if (configured === recorded) return;
  throw new Error(
    `DAYBOOK_ENVIRONMENT is ${configured}, but the database and its log are those of ${recorded}: set DAYBOOK_ENVIRONMENT=${recorded}, or ${namedBy(place)} of another installation`,
  );
}

function namedBy({ databaseUrl, eventStoreUrl }: Place): string {
  const database = databaseUrl ? 'DATABASE_URL to the database' : 'DAYBOOK_DATA_DIR to the directory';
  return eventStoreUrl ? `DAYBOOK_STREAM_PREFIX and ${database}` : database;
}
