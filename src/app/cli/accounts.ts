/**
 * `npm run accounts -- COMMAND ACCOUNT --reason TEXT`: what the operator of an installation does to accounts. It writes to
 * the log, from which the processes of the service take it; with an embedded Postgres the service has to be stopped.
 */
import { userInfo } from 'node:os';
import { aggregates } from '../../domain/aggregates.ts';
import { reactions } from '../../domain/reactions/reactions.ts';
import { createDispatcher } from '../../infrastructure/commands/dispatch.ts';
import { createLog } from '../../infrastructure/observe/log.ts';
import { systemClock } from '../../kernel/clock.ts';
import { systemIds } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { readConfig } from '../config.ts';
import { openDataDirectory } from '../installation.ts';
import { openEventStore } from '../parts/event-store.ts';
import { runOn } from './accounts/run.ts';
import { parse, UsageError, usage } from './accounts/usage.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const complain = (line: string) => void process.stderr.write(`${line}\n`);

async function run(): Promise<void> {
  const asked = parse(process.argv.slice(2), userInfo().username);
  const config = readConfig();
  const log = createLog(config.logLevel);
  const installation = await openDataDirectory(config, log);
  try {
    const { eventStoreUrl } = config;
    const store = await openEventStore({ eventStoreUrl, databaseUrl: installation.databaseUrl, log });
    try {
      const now = () => systemClock.now();
      const commands = createDispatcher({ store, newEventId: systemIds.uuid, now }, aggregates, reactions);
      say(await runOn({ commands, now }, asked));
    } finally {
      await store.close();
    }
  } finally {
    await installation.close();
  }
}

try {
  await run();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) complain(usage);
  process.exitCode = error instanceof UsageError ? 2 : 1;
  if (!(error instanceof UsageError || error instanceof Rejected) && error instanceof Error)
    complain(error.stack ?? '');
}
