/** The servers that a start needs are asked before anything is made: a wrong address is told in one line, and not by what fails later. */

import { codeOf, pathOf } from '../../infrastructure/error-code.ts';
import { hostsOf } from '../../infrastructure/event-store/address.ts';
import type { EventStoreDb } from '../../infrastructure/event-store/eventstoredb.ts';
import type { Right } from '../../infrastructure/event-store/probe.ts';
import { isUnanswered } from '../../infrastructure/postgres/away.ts';
import { booksSchema, type Client, createClient } from '../../infrastructure/postgres/pool.ts';
import type { Config } from '../config.ts';
import { CannotStart, cannotStart, wordsOf } from './cannot-start.ts';

const answerMaxMs = 5_000;
/** Of a server that does not answer in time: the machine may be busy starting it, or us. */
const attemptsMax = 3;

type Addresses = Partial<Pick<Config, 'databaseUrl' | 'eventStoreUrl' | 'streamPrefix'>>;

const allRights: readonly Right[] = ['append', 'read', 'subscribe'];

/** Throws `CannotStart`, with a line for each configured server that cannot be used, or not for all that is needed. */
export async function requireServers(
  { databaseUrl, eventStoreUrl, streamPrefix }: Addresses,
  rights: readonly Right[] = allRights,
): Promise<void> {
  const asked = await Promise.allSettled([
    databaseUrl && requirePostgres(databaseUrl),
    eventStoreUrl && requireEventStoreDb(eventStoreUrl, rights, streamPrefix),
  ]);
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (refused.length === 0) return;
  throw new CannotStart(refused.map(({ message }) => message).join('\n'), { cause: refused[0] });
}

async function requirePostgres(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = clientOf(url);
    const { host, port, user, database } = client;
    try {
      await client.connect();
      await requireUsable(client);
      return;
    } catch (cause) {
      if (cause instanceof CannotStart) throw cause;
      if (isUnanswered(cause) && attempt < attemptsMax) continue;
      const place = `${host}:${port}`;
      const variable = 'DATABASE_URL';
      throw cannotStart({ variable, cause, ...toldOfPostgres(cause, { place, host, user, database }) });
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The driver reads the files of certificates that the address names. Throws `CannotStart` where it cannot. */
function clientOf(url: string): Client {
  try {
    return createClient(url, 'start', answerMaxMs);
  } catch (cause) {
    const file = pathOf(cause);
    throw cannotStart({
      variable: 'DATABASE_URL',
      cause,
      tried: file
        ? `the file ${file} that it names cannot be read (${codeOf(cause)})`
        : `the driver does not take the address: ${wordsOf(cause)}`,
      next: file ? 'Put it there for this user to read, or correct its path in DATABASE_URL' : 'Correct it',
    });
  }
}

/** UTF8, or what takes bytes for what they are. */
const holdsEveryCharacter: ReadonlySet<string> = new Set(['UTF8', 'SQL_ASCII']);

/** Throws `CannotStart` where the settings of a connection do not reach Postgres, or it cannot hold every character. */
async function requireUsable(client: Client): Promise<void> {
  const { rows } = await client.query<{ schema: string; encoding: string }>(
    `select current_setting('search_path') as schema, current_setting('server_encoding') as encoding`,
  );
  const [{ schema, encoding } = { schema: '', encoding: '' }] = rows;
  const variable = 'DATABASE_URL';
  if (schema !== booksSchema)
    throw cannotStart({ variable, ...toldOfPooler(`${client.host}:${client.port}`) });
  if (!holdsEveryCharacter.has(encoding))
    throw cannotStart({
      variable,
      tried: `the database ${client.database} has the encoding ${encoding}, and names and addresses have characters that it lacks`,
      next: 'Make one with the encoding UTF8 (createdb --template=template0 --encoding=UTF8 NAME), and name it in DATABASE_URL',
    });
}

const toldOfPooler = (place: string) => ({
  tried: `what answers at ${place} does not keep what is set for a connection, as a pooler does not`,
  next: 'Name Postgres itself in DATABASE_URL',
});

/** As poolers name what they know no way to keep. */
const refusedSettings = /unsupported startup parameter/;

type Postgres = {
  readonly place: string;
  readonly host: string;
  readonly user: string | undefined;
  readonly database: string | undefined;
};

function toldOfPostgres(error: unknown, { place, host, user, database }: Postgres) {
  const correct = (what: string) => `Correct ${what} in DATABASE_URL`;
  if (refusedSettings.test(wordsOf(error))) return toldOfPooler(place);
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return {
        tried: `Postgres at ${place} refused the connection (ECONNREFUSED)`,
        next: 'Start it, or set DATABASE_URL to where it runs; unset, Daybook starts a Postgres of its own',
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { tried: `the host ${host} is unknown (${codeOf(error)})`, next: correct('the host') };
    case '28P01':
      return {
        tried: `Postgres at ${place} refused the password of the user ${user}`,
        next: correct('the user and the password'),
      };
    case '28000':
      return {
        tried: `Postgres at ${place} does not let the user ${user} in: ${wordsOf(error)}`,
        next: `${correct('the user')}, or let the user in by pg_hba.conf`,
      };
    case '3D000':
      return {
        tried: `Postgres at ${place} has no database ${database}`,
        next: `Create it (createdb ${database}), or correct the name in DATABASE_URL`,
      };
    default:
      return {
        tried: `no connection to Postgres at ${place}: ${wordsOf(error)}`,
        next: 'Look whether it runs and can be reached from here, or correct DATABASE_URL',
      };
  }
}

/** Tries what the service does with the log. */
async function requireEventStoreDb(
  eventStoreUrl: string,
  rights: readonly Right[],
  streamPrefix = 'daybook.',
): Promise<void> {
  const { eventStoreDb } = await import('../../infrastructure/event-store/eventstoredb.ts');
  const variable = 'EVENTSTORE_URL';
  let store: EventStoreDb;
  try {
    store = eventStoreDb({ url: eventStoreUrl, streamPrefix, log: { warn: () => undefined } });
  } catch (cause) {
    const tried = `the client of EventStoreDB does not take the address: ${wordsOf(cause)}`;
    throw cannotStart({ variable, tried, next: 'Correct it', cause });
  }
  let missing: readonly Right[];
  try {
    missing = await store.missingRights(rights);
  } catch (cause) {
    throw cannotStart({
      variable,
      tried: `no answer from EventStoreDB at ${hostsOf(eventStoreUrl)}: ${reasonOf(cause)}`,
      next: 'Start it, or correct host, port, user and tls in EVENTSTORE_URL; unset, the log is in Postgres',
      cause,
    });
  } finally {
    await store.close().catch(() => undefined);
  }
  if (missing.length > 0)
    throw cannotStart({
      variable,
      tried: `EventStoreDB at ${hostsOf(eventStoreUrl)} does not let its user ${missing.map((right) => told[right](streamPrefix)).join(', nor ')}`,
      next: 'Give the user the right, or name another one in EVENTSTORE_URL',
    });
}

const told: Readonly<Record<Right, (streamPrefix: string) => string>> = {
  append: (streamPrefix) => `append to streams ${streamPrefix}*`,
  read: (streamPrefix) => `read streams ${streamPrefix}*`,
  subscribe: () => 'read $all and subscribe to it',
};

/** The system's own words, without what the client of EventStoreDB puts around them. */
function reasonOf(error: unknown): string {
  const words = wordsOf(error);
  const [, system] =
    /(connect [A-Z]+ [\w.:[\]-]+[\w\]]|Name resolution failed[^.]*|Failed to discover[^.]*)(?=\.|\s|$)/.exec(
      words,
    ) ?? [];
  return system ?? words;
}
