import pg from 'pg';

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

export type PoolOptions = {
  readonly url: string;
  readonly max: number;
  readonly name: string;
  readonly schema?: string;
  /** Of the server, for these connections alone. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long one waits for a connection; without end where it is not given. */
  readonly waitMaxMs?: number;
};

/**
 * For connections whose statements find each row by its key, whatever the number of rows. A prepared statement keeps
 * its plan: one made while its table was small would read the table whole long after.
 */
export const byKey = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' } as const;

/** A pool whose connections look tables up in one schema. Broken idle connections are dropped, not thrown. */
export function createPool(options: PoolOptions): pg.Pool {
  const { url, max, name, schema = booksSchema, settings, waitMaxMs = 0 } = options;
  const all = Object.entries({ search_path: schema, ...settings });
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMaxMs,
    application_name: `daybook-${name}`,
    options: all.map(([setting, value]) => `-c ${setting}=${value}`).join(' '),
    types,
    keepAlive: true,
  });
  pool.on('error', () => {});
  // A connection that breaks while it is in use fails its query, and then says so once more on itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** A connection of its own, for LISTEN and for advisory locks. */
export function createClient(url: string, name: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: `daybook-${name}`,
    options: `-c search_path=${booksSchema}`,
    types,
    keepAlive: true,
  });
  client.on('error', () => {});
  return client;
}

export type { Pool, PoolClient } from 'pg';
