import { relative } from 'node:path';
import { createLog } from '../infrastructure/observe/log.ts';
import { readConfig } from './config.ts';
import { openDataDirectory } from './installation.ts';
import type { Service } from './service.ts';

/** A stop that takes longer than this is cut short. */
const stopMaxMs = 9_500;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

// Where there is no room to say something, that is no reason to end.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

try {
  const started = start();
  stopOnSignals(started);
  announce(await started);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** Postgres starts while the rest of the code is loaded. */
async function start(): Promise<Service> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const installation = openDataDirectory(config, log);
  // Its failure is for whoever waits for it.
  installation.catch(() => undefined);
  const { startService } = await import('./service.ts');
  return startService(config, { log, installation });
}

function announce({ url, credentials, credentialsFile }: Service): void {
  if (!url) {
    print('Daybook is ready');
    return;
  }
  const file = credentialsFile && relative(process.cwd(), credentialsFile.path);
  if (credentialsFile?.created) {
    print(`Your first API token, printed this once and kept in ${file}:`);
    print(`  client id      ${credentials.clientId}`);
    print(`  client secret  ${credentials.clientSecret}`);
  }
  const user = file
    ? `"$(cat '${file.replaceAll("'", "'\\''")}')"`
    : '"$DAYBOOK_BOOTSTRAP_CLIENT_ID:$DAYBOOK_BOOTSTRAP_CLIENT_SECRET"';
  const customer = `{"customerType":"INDIVIDUAL","fullName":"Ada Lovelace","region":"US","currencies":["USD"]}`;
  print(`Daybook is ready at ${url}`);
  print('Try:');
  print(`  curl -u ${user} -H 'Content-Type: application/json' -d '${customer}' ${url}/customers`);
  print(`  curl -u ${user} ${url}/customers/internal-accounts`);
  print(`  curl -u ${user} '${url}/exchange-rates?sourceCurrency=USD&destinationCurrency=EUR'`);
}

function stopOnSignals(started: Promise<Service>): void {
  const stop = async () => {
    setTimeout(() => process.exit(1), stopMaxMs).unref();
    const service = await started.catch(() => undefined);
    await service?.stop();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
