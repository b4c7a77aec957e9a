import { userInfo } from 'node:os';
import { aggregates } from '../../../domain/aggregates.ts';
import { reactions } from '../../../domain/reactions/reactions.ts';
import { createDispatcher } from '../../../infrastructure/commands/dispatch.ts';
import { createLog } from '../../../infrastructure/observe/log.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { systemIds } from '../../../kernel/ids.ts';
import { readConfig } from '../../config.ts';
import { joinDatabase } from '../../installation.ts';
import { openEventStore } from '../../parts/event-store.ts';
import { askedOf } from './account-change.ts';
import { runOn } from './change-account.ts';

/**
 * What the operator of an installation does to an account: it writes to the log, from which the processes of the service
 * take it. Throws `UsageError` for what cannot be asked for.
 */
export async function onAccount(
  command: string,
  account: string,
  options: Parameters<typeof askedOf>[2],
): Promise<void> {
  const asked = askedOf(command, account, options, userInfo().username);
  const config = readConfig();
  const log = createLog(config.logLevel);
  const { databaseUrl, close } = await joinDatabase(config, log);
  try {
    const store = await openEventStore({ eventStoreUrl: config.eventStoreUrl, databaseUrl, log });
    try {
      const now = () => systemClock.now();
      const commands = createDispatcher({ store, newEventId: systemIds.uuid, now }, aggregates, reactions);
      process.stdout.write(`${await runOn({ commands, now }, asked)}\n`);
    } finally {
      await store.close();
    }
  } finally {
    await close();
  }
}
