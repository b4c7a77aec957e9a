import type { Environment } from '../../domain/platforms/events.ts';
import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import { type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';

/** The platform that a request is for. */
export async function loadPlatform(commands: Commands, platformId: PlatformId): Promise<ActivePlatform> {
  const platform = await commands.load('platform', uuidOf(platformId));
  invariant(platform.status === 'active', 'a token without a platform');
  return platform;
}

/** At once where it is known. Throws where there is no such platform. */
export type EnvironmentOf = (platformId: PlatformId) => Environment | Promise<Environment>;

/** The environment of a platform as the log has it. It never changes, and is asked for once. */
export function createEnvironmentOf(commands: Commands): EnvironmentOf {
  const known = new Map<PlatformId, Environment>();
  const find = async (platformId: PlatformId): Promise<Environment> => {
    const { environment } = await loadPlatform(commands, platformId);
    known.set(platformId, environment);
    return environment;
  };
  return (platformId) => known.get(platformId) ?? find(platformId);
}
