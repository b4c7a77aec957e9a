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
