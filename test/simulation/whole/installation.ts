/** The processes of an installation on one database: they start, end without notice, and start again. */
import type { Server } from 'node:http';
// Loaded by their first use otherwise, which takes as long as the disk does.
import '@simplewebauthn/server';
import '@simplewebauthn/server/helpers';
import 'jose';
import '../../../src/use-cases/wallets/crypto/oidc-tokens.ts';
import { readConfig } from '../../../src/app/config.ts';
import { openDataDirectory } from '../../../src/app/installation.ts';
import type { OwnRail } from '../../../src/app/parts/rails.ts';
import type { OwnScreening } from '../../../src/app/parts/screening.ts';
import { type Service, startService } from '../../../src/app/service.ts';
import type { EventStoreDbClient } from '../../../src/infrastructure/event-store/eventstoredb.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { createSealer } from '../../../src/infrastructure/secrets/sealing.ts';
import type { Mailer } from '../../../src/workers/mail/smtp.ts';
import type { Sender } from '../../../src/workers/webhooks/send.ts';
import { beginProcess, runAs, type SimulatedProcess } from './engine/process.ts';
import { logServerUrl } from './ports/log/place.ts';
import { serverOf } from './ports/network.ts';
import type { SharedQueues } from './ports/queue.ts';

export const credentialsOf = (n: number) => ({
  clientId: `simulated-${n}`,
  clientSecret: `secret-of-${n}-and-longer`,
});

const masterKey = Buffer.alloc(32, 7).toString('base64');
/** As a process has it: what is sealed in a life can be told from what is not. */
export const sealerOfLives = createSealer({ current: masterKey });

const variables = {
  PORT: '0',
  DAYBOOK_DATA_DIR: '/nonexistent',
  DAYBOOK_BOOTSTRAP_CLIENT_ID: credentialsOf(0).clientId,
  DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentialsOf(0).clientSecret,
  DAYBOOK_MASTER_KEY: masterKey,
  DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
  DAYBOOK_QUOTE_LIFETIME_SECONDS: '8',
  DAYBOOK_RATE_LIMIT_CHALLENGE: '0',
  DAYBOOK_RATE_LIMIT_VERIFY: '0',
  DAYBOOK_RATE_LIMIT_REDEEM: '0',
  DAYBOOK_RATE_LIMIT_INVITATIONS: '0',
  DAYBOOK_RATE_LIMIT_LISTS: '0',
};

/** What is looked after every second: less often, since most of a life would be looks that find nothing. */
const everyMs = (_: string, usualMs: number): number => (usualMs === 1_000 ? 4_000 : usualMs);

export type Line = {
  readonly level: number;
  readonly msg: string;
  readonly err?: { message: string; stack: string };
};

export type LiveProcess = {
  /** Whose context its code runs in. */
  readonly process: SimulatedProcess;
  /** Once it answers requests. */
  readonly server: () => Server | undefined;
  /** Ends without notice: no code of it runs any more. */
  readonly die: () => void;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly service: Promise<Service>;
};

type Around = {
  readonly databaseUrl: string;
  /** Where the log is not in the same Postgres. */
  readonly logClientOf?: ((process: SimulatedProcess) => EventStoreDbClient) | undefined;
  readonly queues: SharedQueues;
  /** Never the same twice, whichever process asks. */
  readonly newUuid: () => string;
  readonly railOf: (process: SimulatedProcess) => OwnRail;
  readonly screeningOf: (process: SimulatedProcess) => OwnScreening;
  readonly senderOf: (process: SimulatedProcess) => Sender;
  readonly mailerOf: (process: SimulatedProcess) => Mailer;
  readonly told: (line: Line) => void;
};

export function startProcess(
  name: string,
  { databaseUrl, logClientOf, queues, newUuid, railOf, screeningOf, senderOf, mailerOf, told }: Around,
): LiveProcess {
  let server: Server | undefined;
  const ended = Promise.withResolvers<void>();
  const { process, end } = beginProcess(name);
  const onDatabase = readConfig({ ...variables, DATABASE_URL: databaseUrl });
  const log = createLog('warn', { write: (line) => told(JSON.parse(line)) });
  // Whether its address leads to a server is asked over the network.
  const elsewhere = () =>
    logClientOf && {
      installation: openDataDirectory(onDatabase, log),
      logClient: () => logClientOf(process),
    };
  const config = logClientOf ? { ...onDatabase, eventStoreUrl: logServerUrl } : onDatabase;
  const service = runAs(process, () =>
    startService(config, {
      log,
      ids: { uuid: newUuid },
      ...elsewhere(),
      rail: railOf(process),
      screening: screeningOf(process),
      sender: senderOf(process),
      mailer: mailerOf(process),
      jobs: queues.open(process.isAlive),
      checkResponses: true,
      everyMs,
      async listen(app) {
        server = serverOf(app);
        const close = async () => {
          server = undefined;
        };
        return { origin: `http://${name}.simulated`, close };
      },
    }),
  );
  return {
    process,
    server: () => server,
    ended: ended.promise,
    service,
    die() {
      end();
      ended.resolve();
    },
  };
}
