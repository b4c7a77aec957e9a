/** How the clocks of platforms stand, in every process: as the read models have it, and as it changes. */

import type { ReadDb } from '../../../../projections/database.ts';
import {
  announcedSetting,
  loadClocks,
  platformClocksChannel,
} from '../../../../projections/models/platform-clocks.ts';
import type { PlatformTimes } from '../../../infrastructure/clock/platform-times.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import type { Listening } from '../../../infrastructure/postgres/listen.ts';

type Deps = {
  readonly readDb: ReadDb;
  readonly listening: Pick<Listening, 'on'>;
  readonly times: Pick<PlatformTimes, 'set'>;
  readonly log: Log;
};

export async function followPlatformClocks({ readDb, listening, times, log }: Deps): Promise<void> {
  const load = async () => {
    for (const setting of await loadClocks(readDb)) times.set(setting);
  };
  await load();
  listening.on(platformClocksChannel, (payload) => {
    if (payload !== undefined) return times.set(announcedSetting(payload));
    return load().catch((error) => log.warn({ err: error }, 'the clocks of platforms were not read'));
  });
}
