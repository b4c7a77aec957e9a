import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { codeOf } from '../error-code.ts';
import { tooManyWait } from './away.ts';
import { addressOf } from './connection/address.ts';
import { BoundedClient } from './connection/bounded-client.ts';

const int8Oid = 20;
const numericOid = 1700;
const timestamptzOid = 1184;
/** How Postgres writes a moment in UTC, with milliseconds at the most. */
const utcMoment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/;

/** Reads moments by the engine's own parser where it can: lists are full of them. */
function toDate(text: string): Date {
  if (!utcMoment.test(text)) return parseMoment(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

const parseMoment = pg.types.getTypeParser(timestamptzOid) as (text: string) => Date;

/** Reads `bigint` columns, and `numeric` ones, which hold whole numbers only, as bigint; the rest as pg does. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8Oid || oid === numericOid) return BigInt;
    if (oid === timestamptzOid) return toDate;
    return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
  },
};

/** The schema of the read models and of the tables that serve requests. */
export const booksSchema = 'daybook';

/** What Postgres calls a connection with this name. */
export const applicationName = (name: string): string => `daybook-${name}`;

/** A statement of a request, or of what runs beside requests, may take so long. */
export const statementMaxMs = 5_000;
/** The client gives up later than a server that is alive. */
const answerMarginMs = 1_000;
/** Nothing comes of a statement after that which the server has begun. */
export const answerMaxMs = statementMaxMs + answerMarginMs;
/** So long one waits for a connection, or for it to be made. */
export const connectionWaitMs = 5_000;
/** So many wait for a connection of one pool at the same time. */
export const waitingMax = 1_000;
/** A server that did not answer in time is not asked again for so long: who comes meanwhile would only wait as well. */
const silentMs = 1_000;
/**
 * A connection that nobody uses is kept for so long. To make one anew costs a payment three times what it costs besides:
 * the server begins a process, which finds its tables and plans its statements.
 */
const idleConnectionMs = 600_000;

/** How long whoever uses a pool waits, where that is not as usual, in milliseconds; and what is asked before. */
export type Waits = {
  /** Asks each new connection before it is used. One at which this throws is given up, and whoever wanted it fails. */
  readonly askNew?: (client: pg.ClientBase) => Promise<void>;
  /** For a connection. */
  readonly waitMaxMs?: number;
  /** For the answer to a statement; 0 for operators' commands and migrations, which take as long as they take. */
  readonly statementMaxMs?: number;
};

export type PoolOptions = Waits & {
  readonly url: string;
  readonly max: number;
  readonly name: string;
  readonly schema?: string;
  /** A connection ends after so many uses. */
  readonly usesMax?: number;
  /**
   * How long a transaction may stand still between two statements, in milliseconds, where a statement may take longer
   * than that: what it has locked is held for so long by a process that is stopped.
   */
  readonly idleMaxMs?: number;
  /** Of the server, for these connections alone. */
  readonly settings?: Readonly<Record<string, string>>;
};

/**
 * For connections whose statements find each row by its key, whatever the number of rows. A prepared statement keeps
 * its plan: one made while its table was small would read the table whole long after.
 */
export const byKey = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' } as const;

/**
 * What makes the server let go of a client that is gone or stopped: within seconds it ends the connection of a host
 * that answers no more, a statement that nobody waits for, and a transaction in which nothing happens.
 */
const abandonment = {
  tcp_keepalives_idle: '3',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '6000',
  client_connection_check_interval: '2000',
} as const;

/**
 * Statements here take milliseconds; to compile one takes a second. A server before 18 would compile each that has to
 * read a table whole after all: it counts that as dearer than anything.
 */
const uncompiled = { jit: 'off' } as const;

/**
 * What statements here, and who reads their answers, take for granted, and what an administrator may have set otherwise
 * for the role, the database or the server: that a transaction which meets another one waits for it and goes on, that
 * moments, lists, fractions and definitions of indexes are written in one way, and that a connection which waits to be
 * told of something may wait.
 */
const takenForGranted = {
  default_transaction_isolation: 'read committed',
  datestyle: 'ISO',
  timezone: 'UTC',
  array_nulls: 'on',
  extra_float_digits: '1',
  quote_all_identifiers: 'off',
  standard_conforming_strings: 'on',
  lock_timeout: '0',
  idle_session_timeout: '0',
} as const;

const ofEveryConnection = { ...takenForGranted, ...uncompiled, ...abandonment } as const;

/** As a server reads the options of a connection: the last one counts, and a space after a backslash is part of a value. */
const optionsOf = (before: string, settings: Readonly<Record<string, string>>): string =>
  [
    ...(before && [before]),
    ...Object.entries(settings).map(
      ([setting, value]) => `-c ${setting}=${value.replaceAll(/[\\ ]/g, '\\$&')}`,
    ),
  ].join(' ');

/** Asked of the server, and no option: one before 17 does not have the setting, and refuses a connection that names it. */
async function withoutEnd(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`,
  );
}

/**
 * A pool whose connections look tables up in one schema. Broken idle connections are dropped, not thrown. Whoever uses
 * it waits for a bounded time: for a connection, and for the answer to a statement.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const { url, max, name, schema = booksSchema, settings } = options;
  const { waitMaxMs = connectionWaitMs, statementMaxMs: mostMs = statementMaxMs, askNew } = options;
  const { idleMaxMs = mostMs, usesMax: maxUses } = options;
  const { connectionString, itsOptions } = addressOf(url);
  const pool = new BoundedPool({
    Client: BoundedClient as never,
    connectionString,
    max,
    ...(maxUses && { maxUses }),
    connectionTimeoutMillis: mostMs > 0 ? waitMaxMs : 0,
    idleTimeoutMillis: idleConnectionMs,
    application_name: applicationName(name),
    options: optionsOf(itsOptions, {
      search_path: schema,
      ...ofEveryConnection,
      ...deadlines(mostMs, idleMaxMs),
      ...settings,
    }),
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...((askNew ?? mostMs === 0) && { onConnect: askNew ?? withoutEnd }),
    ...bounds(mostMs > 0 ? mostMs + answerMarginMs : 0),
  });
  pool.on('error', () => {});
  // A connection that breaks while it is in use fails its query, and then says so once more on itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** For `BoundedClient`, which is made of what its pool was made of. */
const bounds = (answerMaxMs: number): object => ({ answerMaxMs });

const keepAliveAfterMs = 3_000;

const deadlines = (mostMs: number, idleMaxMs = mostMs) => ({
  statement_timeout: String(mostMs),
  idle_in_transaction_session_timeout: String(idleMaxMs),
});

/**
 * A connection of its own, for LISTEN and for leases. Connecting and each statement take `mostMs` at the most: after
 * that the connection is given up.
 */
export function createClient(url: string, name: string, mostMs: number): pg.Client {
  const { connectionString, itsOptions } = addressOf(url);
  const client = new BoundedClient({
    connectionString,
    application_name: applicationName(name),
    options: optionsOf(itsOptions, {
      search_path: booksSchema,
      ...ofEveryConnection,
      ...deadlines(mostMs),
    }),
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    connectionTimeoutMillis: mostMs,
    ...bounds(mostMs),
  });
  client.on('error', () => {});
  return client;
}

const readOnlyTransaction = '25006';

/** Rows as Postgres writes their values. */
export type TextRows = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
};

/** A statement that writes, where nothing is written. */
class WritesNothing extends Error {
  override name = 'WritesNothing';
}

/**
 * The answer to one statement, in a transaction that cannot write; it takes as long as it takes. Of several statements
 * none runs. Throws `WritesNothing` for one that writes.
 */
export async function askReadOnly(url: string, schema: string, statement: string): Promise<TextRows> {
  const pool = createPool({ url, max: 1, name: 'question', schema, statementMaxMs: 0 });
  const client = await pool.connect();
  try {
    await client.query('begin transaction read only');
    const asText = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;
    const asked = { text: statement, rowMode: 'array', queryMode: 'extended', types: asText } as const;
    const { fields, rows } = await client.query<(string | null)[]>(asked as pg.QueryArrayConfig);
    return { columns: fields.map(({ name }) => name), rows };
  } catch (cause) {
    // The transaction is what only reads, whatever its server does.
    if (codeOf(cause) !== readOnlyTransaction || !(cause instanceof Error)) throw cause;
    throw new WritesNothing(`${cause.message}: a question changes nothing`, { cause });
  } finally {
    client.release(true);
    await pool.end();
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * At most so many wait, and nobody for a server that has just let somebody wait in vain. Its connections that were there
 * before that are not used again: a line that is cut, or a server that is gone, takes them all, and each would only be
 * found out by a statement that waits.
 */
class BoundedPool extends pg.Pool {
  #silentUntil = 0;
  #lastLate = Number.NEGATIVE_INFINITY;

  constructor(config: pg.PoolConfig) {
    super(config);
    const late = () => {
      this.#lastLate = performance.now();
      this.#silentUntil = this.#lastLate + silentMs;
    };
    this.on('connect', (client: EventEmitter) => client.on('late', late));
  }

  // biome-ignore lint/suspicious/noExplicitAny: as the class that it extends has it
  override connect(connected?: Connected): any {
    const isSilent = performance.now() < this.#silentUntil;
    if (!isSilent && this.waitingCount < waitingMax) return connected ? this.#give(connected) : this.#take();
    const error = tooManyWait(isSilent);
    if (!connected) return Promise.reject(error);
    return connected(error, undefined, () => {});
  }

  #isLeft(client: pg.PoolClient): boolean {
    return client instanceof BoundedClient && client.madeAt < this.#lastLate;
  }

  async #take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect();
      if (!this.#isLeft(client)) return client;
      client.release(true);
    }
  }

  #give(connected: NonNullable<Connected>): void {
    super.connect((error, client, release) => {
      if (!client || !this.#isLeft(client)) return connected(error, client, release);
      release(true);
      this.#give(connected);
    });
  }
}

export type { Client, Pool, PoolClient } from 'pg';
