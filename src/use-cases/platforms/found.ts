/**
 * What an installation is, sandbox or production: written into its log at its first start. One that has platforms
 * already is what they are, production if one of them is, and they hold the domains that they have.
 */
import type { ReadDb } from '../../../projections/database.ts';
import { moveTokensToProduction, platformsWithTokens } from '../../../projections/kept/api-tokens.ts';
import { installationStream } from '../../domain/installation/installation.ts';
import type { Environment } from '../../domain/platforms/events.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import { holdDomain } from './domains.ts';

type Deps = { readonly commands: Commands; readonly readDb: ReadDb; readonly now: () => Date };

/** Who starts it, and as what. */
type Founder = { readonly platformId: PlatformId; readonly environment: Environment };

export type Founded = {
  readonly environment: Environment;
  /** It was founded before. */
  readonly wasThere: boolean;
};

/** What the installation is, whatever the founder takes it for. Safe to repeat, and from many processes at once. */
export async function foundInstallation(
  { commands, readDb, now }: Deps,
  { platformId, environment: wanted }: Founder,
  cause: Cause,
): Promise<Founded> {
  const known = await commands.load('installation', installationStream);
  if (known.status === 'founded') return { environment: known.environment, wasThere: true };
  const found = await environmentsOf(commands, readDb, platformId);
  for (const [platformId, environment] of found)
    if (environment === 'production') await moveTokensToProduction(readDb, platformId);
  for (const platformId of found.keys()) await holdDomain({ commands, now }, platformId, cause);
  const environments = [...found.values()];
  const environment = environments.includes('production') ? 'production' : (environments[0] ?? wanted);
  const command = { type: 'FoundInstallation', environment, at: now() } as const;
  const { state } = await commands.run('installation', installationStream, command, cause);
  invariant(state.status === 'founded', 'founded an installation that is not there');
  return { environment: state.environment, wasThere: false };
}

/** As the log has each platform; as its tokens have it, where the log is a new one. */
async function environmentsOf(
  commands: Commands,
  readDb: ReadDb,
  starting: PlatformId,
): Promise<ReadonlyMap<PlatformId, Environment>> {
  const found = new Map<PlatformId, Environment>();
  for (const { platformId, environment } of await platformsWithTokens(readDb))
    found.set(platformId, environment);
  for (const platformId of new Set([...found.keys(), starting])) {
    const platform = await commands.load('platform', uuidOf(platformId));
    if (platform.status === 'active') found.set(platformId, platform.environment);
  }
  return found;
}
