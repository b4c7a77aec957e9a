/** What the process says to whoever has started it. Logs go elsewhere. */
import { relative } from 'node:path';
import { hostsOf } from '../../infrastructure/event-store/address.ts';
import type { Config } from '../config.ts';
import type { Place } from '../outside-config.ts';
import type { Service } from '../service.ts';

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Where a server is, without the user and the password that may stand in its address. */
const placeOf = (url: string) => new URL(url).host;

const railOf = (place: Place): string =>
  place.kind === 'own' ? place.name : place.kind === 'module' ? place.path : `at ${placeOf(place.url)}`;

/** What the start uses: the first line of all. */
export function sayStarting({ environment, databaseUrl, eventStoreUrl, redisUrl, ...config }: Config): void {
  const database = databaseUrl
    ? `Postgres at ${placeOf(databaseUrl)}`
    : `a Postgres of its own in ${config.dataDirectory}, which the first start makes`;
  const log = eventStoreUrl && `the log in EventStoreDB at ${hostsOf(eventStoreUrl)}`;
  const jobs = redisUrl && `jobs on Redis at ${placeOf(redisUrl)}`;
  const rail = config.outside.rail && `payments by the rail ${railOf(config.outside.rail)}`;
  const used = [database, log, jobs, rail].filter(Boolean).join(', ');
  print(`Starting Daybook (${environment}; ${config.roles.join(', ')}) with ${used}`);
}

/** The first token where nobody has seen it, the ready line, and calls to try. */
export async function sayReady(
  service: Service,
  { inContainer }: Pick<Config, 'inContainer'>,
): Promise<void> {
  const { url, credentials, credentialsFile, credentialsWork } = service;
  if (!url) {
    print('Daybook is ready');
    return;
  }
  const file = credentialsFile && fromHere(credentialsFile.path);
  if (credentialsWork && (await credentialsFile?.takeFirstShowing())) {
    print(`Your first API token, printed this once and kept in ${file}:`);
    print(`  client id      ${credentials.clientId}`);
    print(`  client secret  ${credentials.clientSecret}`);
  }
  print(`Daybook is ready at ${url}`);
  print(`Documentation: ${new URL('/docs', url)}`);
  const isHere = file !== undefined && !inContainer;
  if (credentialsWork) tryOut(url, isHere ? `"$(cat ${quoted(file)})"` : quoted(credentials.clientId));
  else print(`The first token (${file ?? 'DAYBOOK_BOOTSTRAP_CLIENT_ID'}) was deleted: use another one`);
}

const fromHere = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The secret itself is not printed again: it is read from its file, or curl, given a user alone, asks for the password. */
function tryOut(url: string, user: string): void {
  const customer = `{"customerType":"INDIVIDUAL","fullName":"Ada Lovelace","region":"US","currencies":["USD"]}`;
  print('Try:');
  print(`  curl -u ${user} -H 'Content-Type: application/json' -d '${customer}' ${url}/customers`);
  print(`  curl -u ${user} ${url}/customers/internal-accounts`);
  print(`  curl -u ${user} '${url}/exchange-rates?sourceCurrency=USD&destinationCurrency=EUR'`);
}
