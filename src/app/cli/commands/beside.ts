/** What an operator's commands work on: beside a running service, or without one. */
import { createReadDb, type ReadDb } from '../../../../projections/database.ts';
import { loadBeginnings } from '../../../../projections/kept/checkpoints.ts';
import { tablesOf } from '../../../../projections/migrations/migrate.ts';
import { aggregates } from '../../../domain/aggregates.ts';
import { reactionsIn } from '../../../domain/reactions/reactions.ts';
import { postgresClosings } from '../../../infrastructure/closings/postgres.ts';
import { createDispatcher } from '../../../infrastructure/commands/dispatch.ts';
import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import { openMovedStreams } from '../../../infrastructure/event-store/moved-streams.ts';
import {
  type LogReader,
  logAt,
  postgresLogReader,
} from '../../../infrastructure/event-store/postgres/reader.ts';
import { createLog, type Log } from '../../../infrastructure/observe/log.ts';
import { shownLog } from '../../../infrastructure/personal-data/shown-log.ts';
import type { Vault } from '../../../infrastructure/personal-data/vault.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { systemIds } from '../../../kernel/ids.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { findEnvironment, findFounding } from '../../../use-cases/find/founding.ts';
import { type Config, type LogAddress, readConfig, readLogAddress } from '../../config.ts';
import { foundMasterKeys, hasDatabase, joinDatabase } from '../../installation.ts';
import { openClock } from '../../parts/clock.ts';
import { openEventStore, restored } from '../../parts/core/event-store.ts';
import { requireNotMoved, requireOwnLog } from '../../parts/core/own-log.ts';
import { hidingFor, openVault } from '../../parts/core/vault.ts';
import { requireServers } from '../../start/servers.ts';
import { NotInLog } from './audit/outcome.ts';
import { onTables } from './audit/tables.ts';

type Database = { readonly databaseUrl: string };
type ForAdministrators = Database & { readonly administratorUrl: string };
type Place = Pick<Config, 'databaseUrl' | 'dataDirectory'>;
/** `dense` where the positions of a log are 1, 2, 3 and so on. */
export type Positions = 'dense' | 'growing';
type WithLog = Database & {
  /** By the names that the code knows, for who begins with nothing. */
  readonly store: EventStore;
  readonly wholeLog: EventStore;
  readonly vault: Vault;
  readonly log: Log;
};
type WithCommands = Database & {
  readonly commands: Commands;
  readonly now: () => Date;
  /** The position of the last event of the log. */
  readonly last: () => Promise<bigint>;
};

/** The tables of the installation, until `work` ends. Throws, with what to do, where no service has made them yet. */
export async function onDatabase(
  work: (opened: ForAdministrators) => Promise<void>,
  config: Config = readConfig(),
): Promise<void> {
  requireDatabase(config);
  const { databaseUrl, administratorUrl, close } = await joinDatabase(config, createLog(config.logLevel));
  try {
    const db = createReadDb(createPool({ url: databaseUrl, max: 1, name: 'command' }));
    await requireTables(db, config).finally(() => db.destroy());
    await work({ databaseUrl, administratorUrl });
  } finally {
    await close();
  }
}

/** And the log. */
export const onLog = (
  work: (opened: WithLog) => Promise<void>,
  config: Config = readConfig(),
): Promise<void> =>
  onDatabase(async ({ databaseUrl }) => {
    const log = createLog(config.logLevel);
    await requireServers({ ...config, databaseUrl: undefined });
    const wholeLog = await openEventStore({ ...config, databaseUrl, log });
    const readDb = createReadDb(createPool({ url: databaseUrl, max: 1, name: 'command' }));
    const keyPool = createPool({ url: databaseUrl, max: 1, name: 'person-keys' });
    try {
      await requireOwnLog({ readDb, store: wholeLog }, config).finally(() => readDb.destroy());
      const { store } = await openMovedStreams(wholeLog, restored, { tellsFormerMoves: false });
      const vault = openVault(keyPool, await foundMasterKeys(config));
      await work({ databaseUrl, store: shownLog(store, vault), wholeLog, vault, log });
    } finally {
      await keyPool.end();
      await wholeLog.close();
    }
  }, config);

type LogAlone = {
  readonly log: LogReader;
  readonly positions: Positions;
  /** Where the read models are, if that is said. */
  readonly databaseUrl: string | undefined;
};

/**
 * The log by itself, for who may read it and nothing else: its address is enough, and nothing is written. Throws, with
 * what to do, where there is none, where it is closed to the role of the address, has no installation, or was moved.
 */
export async function onLogAlone(
  work: (opened: LogAlone) => Promise<void>,
  address: LogAddress = readLogAddress(),
): Promise<void> {
  const { eventStoreUrl, logLevel } = address;
  const log = createLog(logLevel);
  if (eventStoreUrl !== undefined) {
    await requireServers({ ...address, databaseUrl: undefined }, ['read', 'subscribe']);
    const store = await openEventStore({ ...address, databaseUrl: '', log });
    return requireInstallation(store, address, address.databaseUrl)
      .then(() => work({ log: store, positions: 'growing', databaseUrl: address.databaseUrl }))
      .finally(() => store.close());
  }
  requireDatabase(address);
  const { databaseUrl, close } = await joinDatabase(address, log);
  try {
    await requireReadable(databaseUrl, address);
    const reader = postgresLogReader(databaseUrl);
    await requireInstallation(reader, address, databaseUrl)
      .then(() => work({ log: reader, positions: 'dense', databaseUrl }))
      .finally(() => reader.close());
  } finally {
    await close();
  }
}

/**
 * Throws `NotInLog` where nothing of an installation is found: to find nothing wrong with nothing is no answer. Former
 * versions, whose logs are in Postgres, have recorded no founding. Throws `CannotStart` where the log was moved, as far
 * as the tables say so to the role of the database: what is left of it does not go on.
 */
async function requireInstallation(
  log: Pick<LogReader, 'read' | 'last'>,
  { eventStoreUrl, streamPrefix }: LogAddress,
  databaseUrl: string | undefined,
): Promise<void> {
  const founding = await findFounding(log);
  if (databaseUrl !== undefined)
    await onTables(databaseUrl, (db) => requireNotMoved(db, founding?.id, { eventStoreUrl }));
  if (founding) return;
  if (eventStoreUrl !== undefined)
    throw new NotInLog(
      `There is no installation in EVENTSTORE_URL whose streams begin with ${streamPrefix}: set DAYBOOK_STREAM_PREFIX as the service has it.`,
    );
  if ((await log.last()) === 0n) throw new NotInLog('The log in DATABASE_URL has no events.');
}

async function requireReadable(databaseUrl: string, address: LogAddress): Promise<void> {
  const seen = await logAt(databaseUrl);
  if (seen === 'none') throw notStarted(address);
  if (seen === 'readable') return;
  throw new Error(
    'The role in DATABASE_URL may not read the log. The operator makes one that may: daybook auditor create NAME --log',
  );
}

/** Throws `NotInLog`, with what to do, where there is neither a database nor the name of one. */
export function requireDatabase(config: Place): void {
  if (!hasDatabase(config)) throw notStarted(config);
}

/** Throws, with what to do, where the tables are not there, or are those of another version. */
export async function requireTables(db: ReadDb, config: Config): Promise<void> {
  const tables = await tablesOf(db);
  if (tables === 'none') throw notStarted(config);
  if (tables === 'newer')
    throw new Error(
      'The tables are those of a later version, which this one does not know. Run the command of that version; nothing was done.',
    );
  if (tables === 'older')
    throw new Error(
      'The tables are those of an earlier version. Start the service once with this version (`daybook start`), which brings them up to date.',
    );
}

function notStarted({ databaseUrl, dataDirectory }: Place): NotInLog {
  const where = databaseUrl ? 'The database in DATABASE_URL' : `The data directory ${dataDirectory}`;
  const other = databaseUrl ? 'DATABASE_URL' : 'DAYBOOK_DATA_DIR (or DATABASE_URL)';
  return new NotInLog(
    `${where} has nothing of Daybook: no service has been started on it yet. Start one with \`daybook start\`, or set ${other} to that of the installation which you mean.`,
  );
}

/** Throws, with what to do, where the read models are being built, or were left so: who decides by them sees nothing. */
async function requireBuilt(databaseUrl: string): Promise<void> {
  const readDb = createReadDb(createPool({ url: databaseUrl, max: 1, name: 'command' }));
  await loadBeginnings(readDb).finally(() => readDb.destroy());
}

/** What they record is followed by the processes of the service, as what these record themselves. */
export const withCommands = (
  work: (opened: WithCommands) => Promise<void>,
  config: Config = readConfig(),
): Promise<void> =>
  onLog(async ({ databaseUrl, wholeLog, vault, log }) => {
    await requireBuilt(databaseUrl);
    const { store, placeOf, onMove } = await openMovedStreams(wholeLog, restored);
    const clock = await openClock(databaseUrl, log);
    const now = () => clock.now();
    const pool = createPool({ url: databaseUrl, max: 1, name: 'closings' });
    const deps = {
      store: shownLog(store, vault),
      hide: hidingFor(vault, () => commands.load),
      placeOf,
      onMove,
      newEventId: systemIds.uuid,
      now,
      closings: postgresClosings(pool, log),
    };
    const environment = (await findEnvironment(wholeLog)) ?? config.environment;
    const commands: Commands = createDispatcher(deps, aggregates, reactionsIn(environment));
    await work({ databaseUrl, commands, now, last: () => wholeLog.last() }).finally(() => pool.end());
  }, config);
