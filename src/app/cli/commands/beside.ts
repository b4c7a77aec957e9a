/** What an operator's commands work on: beside a running service, or without one. */
import { aggregates } from '../../../domain/aggregates.ts';
import { reactions } from '../../../domain/reactions/reactions.ts';
import { createDispatcher } from '../../../infrastructure/commands/dispatch.ts';
import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import { createLog } from '../../../infrastructure/observe/log.ts';
import { systemIds } from '../../../kernel/ids.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { type Config, readConfig } from '../../config.ts';
import { joinDatabase } from '../../installation.ts';
import { openClock } from '../../parts/clock.ts';
import { openEventStore } from '../../parts/event-store.ts';

type Database = { readonly databaseUrl: string };
type WithLog = Database & { readonly store: EventStore };
type WithCommands = Database & { readonly commands: Commands; readonly now: () => Date };

/** The tables of the installation, until `work` ends. */
export async function onDatabase(
  work: (opened: Database) => Promise<void>,
  config: Config = readConfig(),
): Promise<void> {
  const { databaseUrl, close } = await joinDatabase(config, createLog(config.logLevel));
  try {
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
    const store = await openEventStore({ eventStoreUrl: config.eventStoreUrl, databaseUrl, log });
    try {
      await work({ databaseUrl, store });
    } finally {
      await store.close();
    }
  }, config);

/** What they record is followed by the processes of the service, as what these record themselves. */
export const withCommands = (
  work: (opened: WithCommands) => Promise<void>,
  config: Config = readConfig(),
): Promise<void> =>
  onLog(async ({ databaseUrl, store }) => {
    const clock = await openClock(databaseUrl, createLog(config.logLevel));
    const now = () => clock.now();
    const commands = createDispatcher({ store, newEventId: systemIds.uuid, now }, aggregates, reactions);
    return work({ databaseUrl, commands, now });
  }, config);
