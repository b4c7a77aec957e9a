/** Starts the service in this process, on a database of its own. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readConfig } from '../../../src/app/config.ts';
import { startService } from '../../../src/app/service.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { type Access, platformWith, type TestPlatform } from './platform.ts';
import { createDatabase, type Database, usualDirectory } from './postgres.ts';
import { stockOf } from './stock.ts';
import type { TestDaybook, TestOptions } from './test-daybook.ts';
import { testVariables } from './variables.ts';

/** As many test files begin at the same moment, on most machines, as there are here or fewer. */
const platformsAhead = 4;

export async function start({
  directory = usualDirectory(),
  ...options
}: TestOptions = {}): Promise<TestDaybook> {
  const database = await createDatabase(directory);
  return startOn(database, { directory, ...options }).catch(async (error: unknown) => {
    await database.drop();
    throw error;
  });
}

async function startOn(
  database: Database,
  { variables = {}, seed, directory }: TestOptions & { readonly directory: string },
): Promise<TestDaybook> {
  const newAccess = accessFrom(seed);
  const access = newAccess();
  const config = readConfig({
    ...testVariables,
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.url,
    DAYBOOK_DATA_DIR: directory,
    DAYBOOK_MASTER_KEY: randomBytes(32).toString('base64'),
    DAYBOOK_BOOTSTRAP_CLIENT_ID: access.clientId,
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: access.clientSecret,
    ...(seed !== undefined && { DAYBOOK_SANDBOX_SEED: seed }),
    ...variables,
  });
  const service = await startService(config, { log: createLog(config.logLevel, process.stderr) });
  const { url: baseUrl } = service;
  if (baseUrl === undefined) {
    await service.stop();
    throw new Error('DAYBOOK_ROLES must have api: tests call the interface');
  }
  const platforms = stockOf(async () => {
    const credentials = newAccess();
    await service.addPlatform(credentials);
    const platform = platformWith({ baseUrl, ...credentials });
    if (config.environment === 'sandbox') await useInbox(platform);
    return platform;
  }, platformsAhead);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= platforms
      .close()
      .then(() => service.stop())
      .then(() => database.drop());
    return stopped;
  };
  return {
    baseUrl,
    newPlatform: platforms.take,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** So that what it is told can be waited for without a receiver. */
async function useInbox({ client }: TestPlatform): Promise<void> {
  const { inboxUrl: webhookEndpoint } = await client.sandboxListOutcomes();
  await client.updatePlatformConfig({ body: { webhookEndpoint } });
}

/** Of a service with a seed the n-th platform has the same name in each run, from which its identifiers follow. */
function accessFrom(seed: string | undefined): () => Omit<Access, 'baseUrl'> {
  let made = 0;
  return () => ({
    clientId: `test-${seed === undefined ? randomUUID() : made++}`,
    clientSecret: randomUUID(),
  });
}
