import { closeLogToAuditors } from '../../../../../projections/auditor/roles.ts';
import { refreshAuditorViews } from '../../../../../projections/auditor/schema.ts';
import { createReadDb, type ReadDb } from '../../../../../projections/database.ts';
import { endMove, loadCheckpoint, movingCheckpoint } from '../../../../../projections/kept/checkpoints.ts';
import { type LogPlace, loadFollowedLog } from '../../../../../projections/kept/followed-log.ts';
import { moveTables, type Pair } from '../../../../../projections/kept/moved-log.ts';
import { requireNobodyGoesBack } from '../../../../../projections/kept/snapshots.ts';
import { projections } from '../../../../../projections/projector/projections.ts';
import { rebuild } from '../../../../../projections/projector/rebuild/rebuild.ts';
import type { EventStore } from '../../../../infrastructure/event-store/event-store.ts';
import { openMovedStreams } from '../../../../infrastructure/event-store/moved-streams.ts';
import { createLog, type Log } from '../../../../infrastructure/observe/log.ts';
import { shownLog } from '../../../../infrastructure/personal-data/shown-log.ts';
import { applicationName, createPool, type Pool } from '../../../../infrastructure/postgres/pool.ts';
import { ofEachProcess } from '../../../../infrastructure/postgres/processes.ts';
import { type Config, readConfig } from '../../../config.ts';
import { foundMasterKeys, joinDatabase } from '../../../installation.ts';
import { openEventStore, restored } from '../../../parts/core/event-store.ts';
import { requireOwnLog } from '../../../parts/core/own-log.ts';
import { openVault } from '../../../parts/core/vault.ts';
import { requireServers } from '../../../start/servers.ts';
import { requireTables } from '../beside.ts';
import { buildShown } from '../building.ts';
import { progressOutput } from '../progress-output.ts';
import { compareLogs, copyLog } from './in-order.ts';

type Move = {
  readonly to: LogPlace;
  readonly source: EventStore;
  readonly target: EventStore;
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly log: Log;
};

const nameOf: Readonly<Record<LogPlace, string>> = { postgres: 'Postgres', eventstoredb: 'EventStoreDB' };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Moves the log of an installation that is stopped between Postgres and EventStoreDB: copies it, compares both, turns
 * all positions in the tables into those of the copy, and builds the read models from that. What was cut short goes on
 * where it was. The former log stays as it is.
 */
export async function moveLog(to: LogPlace): Promise<void> {
  const config = readConfig();
  const { eventStoreUrl } = config;
  if (eventStoreUrl === undefined)
    throw new Error('EVENTSTORE_URL: names the EventStoreDB that the log is copied to, or from. Set it.');
  await requireServers(config);
  const log = createLog(config.logLevel);
  const { databaseUrl, close } = await joinDatabase(config, log);
  const pool = createPool({ url: databaseUrl, max: 4, name: 'move', statementMaxMs: 0 });
  try {
    await requireTables(createReadDb(pool), config);
    await requireNobody(pool);
    await withLogs(config, databaseUrl, log, (logs) =>
      move(
        {
          to,
          pool,
          databaseUrl,
          log,
          source: logs[to === 'postgres' ? 'eventstoredb' : 'postgres'],
          target: logs[to],
        },
        config,
      ),
    );
  } finally {
    await pool.end();
    await close();
  }
}

async function withLogs(
  { eventStoreUrl, streamPrefix }: Config,
  databaseUrl: string,
  log: Log,
  work: (logs: Readonly<Record<LogPlace, EventStore>>) => Promise<void>,
): Promise<void> {
  const where = { streamPrefix, databaseUrl, log };
  const postgres = await openEventStore({ ...where, eventStoreUrl: undefined });
  try {
    const eventstoredb = await openEventStore({ ...where, eventStoreUrl });
    await work({ postgres, eventstoredb }).finally(() => eventstoredb.close());
  } finally {
    await postgres.close();
  }
}

async function move(moving: Move, config: Config): Promise<void> {
  const { to, pool, source, target, databaseUrl, log } = moving;
  const db = createReadDb(pool);
  const isMoved = (await loadFollowedLog(db))?.place === to;
  const isUnderWay = (await loadCheckpoint(db, movingCheckpoint)) !== undefined;
  if (isMoved && !isUnderWay) return say(`The log is in ${nameOf[to]} already.`);
  if (!isMoved) {
    const named = to === 'postgres' ? config : { ...config, eventStoreUrl: undefined };
    await requireOwnLog({ readDb: db, store: source }, named);
    if (!(await loadFollowedLog(db)))
      throw new Error('Start the service once with this version, stop it, and run this again.');
    await copyAndCompare(moving);
  }
  await moveAuditors(db, to);
  const { store: shown } = await openMovedStreams(target, restored, { tellsFormerMoves: false });
  const store = shownLog(shown, openVault(pool, await foundMasterKeys(config)));
  const events = await buildShown({ databaseUrl, store, log }, (deps, onProgress) =>
    rebuild(deps, projections, { onProgress }),
  );
  say(`Built the read models from ${events} events.`);
  await endMove(db);
  say(to === 'postgres' ? 'Unset EVENTSTORE_URL, and start.' : 'Keep EVENTSTORE_URL set, and start.');
}

/** From here on the auditors' views are of the log that goes on, and nobody reads the one that is left. */
async function moveAuditors(db: ReadDb, to: LogPlace): Promise<void> {
  await refreshAuditorViews(db);
  const names = to === 'postgres' ? [] : await closeLogToAuditors(db);
  if (names.length > 0) say(`May not read the log in Postgres any more: ${names.join(', ')}.`);
}

async function copyAndCompare({ to, source, target, pool }: Move): Promise<void> {
  await requireNobodyGoesBack(pool);
  const output = progressOutput(process.stdout, () => performance.now());
  const until = await source.last();
  say(`Copying the log to ${nameOf[to]}.`);
  await copyLog(source, target, until, {
    keepsOrder: to === 'postgres',
    onProgress: ({ events, position }) => output.show({ events, done: position, total: until }),
  }).finally(output.end);
  const requireQuiet = async () => {
    await requireNobody(pool);
    if ((await source.last()) !== until)
      throw new Error('Something was added to the log meanwhile. Stop all processes, and run this again.');
  };
  await requireQuiet();
  await moveTables(pool, to, told(compareLogs(source, target, until)), requireQuiet);
}

/** The pages, and at the end what the comparison has come to. */
async function* told(
  pages: AsyncGenerator<readonly Pair[], { readonly events: number; readonly digest: string }>,
): AsyncGenerator<readonly Pair[]> {
  const { events, digest } = yield* pages;
  say(`Compared ${events} events: the same in both logs, in the same order. SHA-256 ${digest}`);
}

/** Throws where a process of the installation is connected: what it would add meanwhile would be lost. */
async function requireNobody(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name = any($1)`,
    [['books', ofEachProcess.work, 'command'].map(applicationName)],
  );
  if (rows.length > 0)
    throw new Error('Daybook runs on this database. Stop all of its processes, and run this again.');
}
