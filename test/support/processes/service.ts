import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { testVariables } from '../../../packages/testing/src/variables.ts';
import type { Credentials } from '../../../src/app/bootstrap.ts';
import { type Config, readConfig } from '../../../src/app/config.ts';
import { type Overrides, type Service, startService } from '../../../src/app/service.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { hashSecret } from '../../../src/infrastructure/secrets/hash.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { type Client, clientOf, clientThat } from '../http/client.ts';
import { createDatabaseWithTables, query } from '../postgres/database.ts';
import { patienceMs } from '../time/patience.ts';

export type TestService = {
  readonly url: string;
  readonly databaseUrl: string;
  readonly client: Client;
  readonly credentials: Credentials;
  readonly timers: Service['timers'];
  readonly webhooks: Service['webhooks'];
  /** One more platform in the same process. */
  newPlatform(): Promise<Client>;
  stop(): Promise<void>;
};

export const newCredentials = (): Credentials => ({
  clientId: `test-${randomUUID()}`,
  clientSecret: randomUUID(),
});

export const testMasterKey = Buffer.alloc(32, 7).toString('base64');

/** A configuration as `readConfig` makes it, for a service that listens on a free port and logs nothing. */
export function testConfig(
  databaseUrl: string,
  credentials: Credentials,
  variables: Record<string, string> = {},
): Config {
  return readConfig({
    ...testVariables,
    DATABASE_URL: databaseUrl,
    DAYBOOK_DATA_DIR: join(tmpdir(), 'daybook-test-unused'),
    DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
    DAYBOOK_MASTER_KEY: testMasterKey,
    DAYBOOK_WEBHOOK_ALLOW_PRIVATE: variables.DAYBOOK_ENVIRONMENT === 'production' ? 'false' : 'true',
    LOG_LEVEL: 'silent',
    DAYBOOK_REQUEST_DEADLINE_SECONDS: '300',
    ...variables,
  });
}

export type TestOptions = Overrides & {
  readonly databaseUrl?: string;
  readonly variables?: Record<string, string>;
};

/**
 * Starts a service in this process, on an empty database unless told otherwise, with a platform of its own. It is as
 * patient as its test: it waits as long for Postgres, and for read models that somebody is at work on. What is read next
 * is never older, and no busy machine is told to a caller as a store that is away.
 */
export async function startTestService(options: TestOptions = {}): Promise<TestService> {
  const { databaseUrl = await createDatabaseWithTables(), variables, ...overrides } = options;
  const config = testConfig(databaseUrl, newCredentials(), variables);
  const isProjected = options.databaseUrl !== undefined || config.roles.includes('projector');
  const log = createLog('silent');
  const service = await startService(config, {
    log,
    checkResponses: true,
    ...(isProjected && { patienceMs }),
    ...overrides,
  });
  const url = service.url ?? '';
  const { credentials, timers, webhooks, stop } = service;
  const newPlatform = async () => {
    const other = newCredentials();
    await service.addPlatform(other);
    return clientOf(url, other);
  };
  const client = clientOf(url, credentials);
  return { url, databaseUrl, client, credentials, timers, webhooks, newPlatform, stop };
}

/**
 * A service that starts before the tests of a file, or of the `describe` that it is called in, and stops after them.
 * It can be passed on before it is there, and used by hooks and tests.
 */
export function whileTesting(start: () => Promise<TestService>): TestService {
  let started: TestService | undefined;
  const running = (): TestService => {
    if (!started) throw new Error('the service runs in hooks and tests only');
    return started;
  };
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  return {
    get url() {
      return running().url;
    },
    get databaseUrl() {
      return running().databaseUrl;
    },
    get credentials() {
      return running().credentials;
    },
    get timers() {
      return running().timers;
    },
    get webhooks() {
      return running().webhooks;
    },
    client: clientThat(() => running().client),
    newPlatform: () => running().newPlatform(),
    stop: () => running().stop(),
  };
}

export const serviceOfTests = (options?: TestOptions): TestService =>
  whileTesting(() => startTestService(options));

/** A client whose token has only these permissions, on the platform of the service's first token. */
export async function clientWith(
  { url, databaseUrl, credentials }: TestService,
  permissions: readonly string[],
  environment = 'sandbox',
): Promise<Client> {
  const limited = newCredentials();
  await query(
    databaseUrl,
    `insert into daybook.api_tokens
       (id, platform_id, name, client_id, secret_hash, permissions, environment, created_at, updated_at)
     select $1, platform_id, 'limited', $2, $3, $4, $5, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
     from daybook.api_tokens where client_id = $6`,
    [
      idOf('Token', randomUUID()),
      limited.clientId,
      hashSecret(limited.clientSecret),
      permissions,
      environment,
      credentials.clientId,
    ],
  );
  return clientOf(url, limited);
}
