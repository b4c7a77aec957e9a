/** What an operator's commands work on: beside a running service, or without one. */
import { createReadDb } from '../../../../projections/database.ts';
import { tablesOf } from '../../../../projections/migrations/migrate.ts';
import { aggregates } from '../../../domain/aggregates.ts';
import { reactions } from '../../../domain/reactions/reactions.ts';
import { postgresClosings } from '../../../infrastructure/closings/postgres.ts';
import { createDispatcher } from '../../../infrastructure/commands/dispatch.ts';
import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import { createLog, type Log } from '../../../infrastructure/observe/log.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { systemIds } from '../../../kernel/ids.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { type Config, readConfig } from '../../config.ts';
import { hasDatabase, joinDatabase } from '../../installation.ts';
import { openClock } from '../../parts/clock.ts';
import { openEventStore } from '../../parts/event-store.ts';
import { requireServers } from '../../start/servers.ts';

type Database = { readonly databaseUrl: string };
type WithLog = Database & { readonly store: EventStore; readonly log: Log };
type WithCommands = Database & { readonly commands: Commands; readonly now: () => Date };

/** The tables of the installation, until `work` ends. Throws, with what to do, where no service has made them yet. */
export async function onDatabase(
  work: (opened: Database) => Promise<void>,
  config: Config = readConfig(),
): Promise<void> {
  requireDatabase(config);
  const { databaseUrl, close } = await joinDatabase(config, createLog(config.logLevel));
  try {
    await requireTables(databaseUrl, config);
    await work({ databaseUrl });
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
    await requireServers({ eventStoreUrl: config.eventStoreUrl });
    const store = await openEventStore({ eventStoreUrl: config.eventStoreUrl, databaseUrl, log });
    try {
      await work({ databaseUrl, store, log });
    } finally {
      await store.close();
    }
  }, config);

/** The log by itself: with EventStoreDB nothing else has to be there. */
export const onLogAlone = async (
  work: (opened: { readonly store: EventStore }) => Promise<void>,
  config: Config = readConfig(),
): Promise<void> => {
  const { eventStoreUrl, logLevel } = config;
  if (eventStoreUrl === undefined) return onLog(work, config);
  const store = await openEventStore({ eventStoreUrl, databaseUrl: '', log: createLog(logLevel) });
  try {
    await work({ store });
  } finally {
    await store.close();
  }
};

/** Throws, with what to do, where there is neither a database nor the name of one. */
export function requireDatabase(config: Config): void {
  if (!hasDatabase(config)) throw notStarted(config);
}

async function requireTables(databaseUrl: string, config: Config): Promise<void> {
  const db = createReadDb(createPool({ url: databaseUrl, max: 1, name: 'command' }));
  const tables = await tablesOf(db).finally(() => db.destroy());
  if (tables === 'none') throw notStarted(config);
  if (tables === 'older')
    throw new Error(
      'The tables are those of an earlier version. Start the service once with this version (`daybook start`), which brings them up to date.',
    );
}

function notStarted({ databaseUrl, dataDirectory }: Config): Error {
  const where = databaseUrl ? 'The database in DATABASE_URL' : `The data directory ${dataDirectory}`;
  const other = databaseUrl ? 'DATABASE_URL' : 'DAYBOOK_DATA_DIR (or DATABASE_URL)';
  return new Error(
    `${where} has nothing of Daybook: no service has been started on it yet. Start one with \`daybook start\`, or set ${other} to that of the installation which you mean.`,
  );
}

/** What they record is followed by the processes of the service, as what these record themselves. */
export const withCommands = (
  work: (opened: WithCommands) => Promise<void>,
  config: Config = readConfig(),
): Promise<void> =>
  onLog(async ({ databaseUrl, store, log }) => {
    const clock = await openClock(databaseUrl, log);
    const now = () => clock.now();
    const pool = createPool({ url: databaseUrl, max: 1, name: 'closings' });
    const deps = { store, newEventId: systemIds.uuid, now, closings: postgresClosings(pool, log) };
    const commands = createDispatcher(deps, aggregates, reactions);
    await work({ databaseUrl, commands, now }).finally(() => pool.end());
  }, config);
