/** What decides on commands, and closes the books of long streams. */
import { aggregates } from '../../../domain/aggregates.ts';
import type { Environment } from '../../../domain/platforms/events.ts';
import { reactionsIn } from '../../../domain/reactions/reactions.ts';
import type { PlatformTimes } from '../../../infrastructure/clock/platform-times.ts';
import type { Closings } from '../../../infrastructure/closings/closings.ts';
import { postgresClosings } from '../../../infrastructure/closings/postgres.ts';
import { createDispatcher } from '../../../infrastructure/commands/dispatch.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { eventIdsOf } from './ids.ts';
import type { ShownLog } from './shown-log.ts';
import type { Stores } from './stores.ts';
import { hidingFor } from './vault.ts';

type Deps = Pick<Stores, 'pool'> &
  Pick<ShownLog, 'store' | 'moved' | 'vault'> & {
    readonly ids: Ids;
    readonly times: PlatformTimes;
    readonly installationNow: () => Date;
    readonly log: Log;
    readonly environment: Environment;
  };

/** `unchained`: events have no hashes. For measuring what those cost. */
export function openCommands(
  { pool, store, moved, vault, ids, times, installationNow, log, environment }: Deps,
  { unchained = false }: { readonly unchained?: boolean | undefined },
): { readonly closings: Closings; readonly commands: Commands } {
  const closings = postgresClosings(pool, log);
  const commands: Commands = createDispatcher(
    {
      store,
      newEventId: eventIdsOf(ids),
      now: installationNow,
      times,
      closings,
      hide: hidingFor(vault, () => commands.load),
      ...(moved && { placeOf: moved.placeOf, onMove: moved.onMove, isLeft: moved.isLeft }),
      ...(unchained && { seal: (_stream, _head, events) => events }),
    },
    aggregates,
    reactionsIn(environment),
  );
  return { closings, commands };
}
