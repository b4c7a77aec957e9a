import type { LogSetBack } from '../infrastructure/event-store/postgres/seen.ts';
import { createLog, type Log } from '../infrastructure/observe/log.ts';
import { weakerSslMode } from '../infrastructure/postgres/connection/address.ts';
import { type Config, readConfig } from './config.ts';
import { openDataDirectory } from './installation.ts';
import type { Service } from './service.ts';
import { print, sayReady, sayStarting } from './start/announce.ts';
import { collectOnceAtRest, thisProcess } from './start/collect.ts';
import { markDatabase } from './start/former-database.ts';
import { stopMaxMs } from './start/stop.ts';

/** The last one comes when the terminal is closed. Node takes it although `nohup` has it ignored. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

// Where there is no room to say something, that is no reason to end.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

const starting = new AbortController();
try {
  const config = readConfig();
  const begun = Promise.withResolvers<void>();
  const started = begun.promise.then(() => start(config, starting.signal));
  // Loading the code takes a while in which nothing else is done: until then a signal would end the process as it is.
  stopOnSignals(started);
  begun.resolve();
  await sayReady(await started, config);
  collectOnceAtRest(thisProcess());
} catch (error) {
  if (!starting.signal.aborted) {
    process.stderr.write(`${error instanceof Error ? error.message || error.stack : String(error)}\n`);
    process.exitCode = 1;
    // What stays open of a start that has failed, a module's too, keeps the process for no longer than this.
    setTimeout(() => process.exit(), stopMaxMs).unref();
  }
}

/** A Postgres of its own starts while the rest of the code is loaded. Another one is asked when the process can listen to the answer. */
async function start(config: Config, signal: AbortSignal): Promise<Service> {
  const log = createLog(config.logLevel);
  process.on('uncaughtException', (error) => endOnBug(log, error));
  sayStarting(config);
  for (const name of config.ignored) log.warn({ variable: name }, 'no variable of Daybook; it is ignored');
  const sslmode = config.databaseUrl && weakerSslMode(config.databaseUrl);
  if (sslmode)
    log.warn(
      { variable: 'DATABASE_URL', sslmode },
      'sslmode is taken as verify-full; write that in its place',
    );
  const installation = config.databaseUrl ? undefined : openDataDirectory(config, log, signal);
  // Its failure is for whoever waits for it.
  installation?.catch(() => undefined);
  const { startService } = await import('./service.ts');
  const logSetBack = (err: LogSetBack) => endAtOnce(log, err);
  const own = installation && { installation };
  const service = await startService(config, { log, signal, logSetBack, ...own });
  if (config.databaseUrl) await markDatabase(config.dataDirectory, config.databaseUrl);
  return service;
}

/** Nothing that is under way may be written any more. The next process reads all anew. */
function endAtOnce(log: Log, err: LogSetBack): never {
  // It is told whatever else was told of the database.
  log.fatal({ err, store: undefined }, 'the log was set back; this process ends, start it again');
  process.exit(1);
}

/** As one line of the log: Node would print many, with all that libraries hang on an error. */
function endOnBug(log: Log, err: unknown): never {
  log.fatal({ err, store: undefined }, 'an error that nobody has caught; this process ends, start it again');
  process.exit(1);
}

/** A start that is not over ends; what was started is stopped in order. The second signal ends the process at once. */
function stopOnSignals(started: Promise<Service>): void {
  let isReady = false;
  started.then(
    () => {
      isReady = true;
    },
    () => undefined,
  );
  const stop = async () => {
    for (const signal of signals) process.off(signal, stop);
    setTimeout(() => process.exit(1), stopMaxMs).unref();
    print(isReady ? 'Stopping: requests in flight are finished first' : 'Stopping before it was ready');
    starting.abort();
    const service = await started.catch(() => undefined);
    await service?.stop();
    process.exit(0);
  };
  for (const signal of signals) process.on(signal, stop);
}
