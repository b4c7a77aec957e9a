/** The read models follow one log for ever. Of another they would show some of both, and never what is written now. */
import type { ReadDb } from '../../../../projections/database.ts';
import {
  farthestCheckpoint,
  followedLogIfShown,
  keepFollowedLog,
  type LogPlace,
  loadFollowedLog,
} from '../../../../projections/kept/followed-log.ts';
import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import { findFounding } from '../../../use-cases/find/founding.ts';
import type { Config } from '../../config.ts';
import { type CannotStart, cannotStart } from '../../start/cannot-start.ts';

type Followed = { readonly readDb: ReadDb; readonly store: EventStore };
type Named = Pick<Config, 'eventStoreUrl' | 'databaseUrl'>;

/**
 * Throws `CannotStart` where the tables follow another log than the configured one, or have come farther than it goes.
 * Tables that follow none yet follow this one from now on, once it has an installation.
 */
export async function requireOwnLog({ readDb, store }: Followed, named: Named): Promise<void> {
  // Before the end of the log: others go on.
  const reached = await farthestCheckpoint(readDb);
  const followed = await loadFollowedLog(readDb);
  const founding = await findFounding(store);
  if (followed !== undefined && founding?.id !== followed.logId)
    throw another(followed.logId, founding?.id, named);
  const place = placeOf(named);
  if (followed?.place !== undefined && followed.place !== place) throw moved(followed.place);
  const end = await store.last();
  if (reached > end) throw older(reached, end, named);
  if (followed?.place !== undefined || !founding) return;
  await keepFollowedLog(readDb, founding.id, place);
  const first = await loadFollowedLog(readDb);
  if (first?.logId !== founding.id) throw another(String(first?.logId), founding.id, named);
}

/** Throws `CannotStart` where the tables say to this role that they follow the log `logId` in another place than that. */
export async function requireNotMoved(
  readDb: ReadDb,
  logId: string | undefined,
  named: Pick<Named, 'eventStoreUrl'>,
): Promise<void> {
  const followed = await followedLogIfShown(readDb);
  if (followed?.place === undefined || followed.logId !== logId) return;
  if (followed.place !== placeOf(named)) throw moved(followed.place);
}

/** Where the configured log is. */
export const placeOf = ({ eventStoreUrl }: Pick<Named, 'eventStoreUrl'>): LogPlace =>
  eventStoreUrl === undefined ? 'postgres' : 'eventstoredb';

const restoreElsewhere =
  'or make the tables of this log in an empty database (DATABASE_URL) with `daybook restore`';

function another(followed: string, found: string | undefined, { eventStoreUrl }: Named): CannotStart {
  const named = eventStoreUrl === undefined ? 'is not set: the log in Postgres' : 'the log that it names';
  const is = found === undefined ? 'has no installation' : `is ${found}`;
  return cannotStart({
    variable: 'EVENTSTORE_URL',
    tried: `${named} ${is}, but the read models in this database follow the log ${followed}`,
    next: `Set EVENTSTORE_URL to the log that they follow, or unset it where that is in Postgres, ${restoreElsewhere}`,
  });
}

function moved(place: LogPlace): CannotStart {
  const isInPostgres = place === 'postgres';
  return cannotStart({
    variable: 'EVENTSTORE_URL',
    tried: isInPostgres
      ? 'names a copy of the log, but the read models in this database follow the log in Postgres'
      : 'is not set: there is a copy of the log in Postgres, but the read models in this database follow the one in EventStoreDB',
    next: `${isInPostgres ? 'Unset EVENTSTORE_URL' : 'Set EVENTSTORE_URL'}, or move the log with \`daybook log copy\``,
  });
}

function older(reached: bigint, end: bigint, { eventStoreUrl, databaseUrl }: Named): CannotStart {
  const inPostgres = databaseUrl === undefined ? 'DAYBOOK_DATA_DIR' : 'DATABASE_URL';
  return cannotStart({
    variable: eventStoreUrl === undefined ? inPostgres : 'EVENTSTORE_URL',
    tried: `the log ends at position ${end}, but the read models have come to ${reached}: it is older than they are, like one from a backup`,
    next: `Restore log and database from backups of which the log's was made last, ${restoreElsewhere}`,
  });
}
