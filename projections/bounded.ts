/** Lists have connections of their own, a deadline, and a bound on how many wait: they may take long, others may not. */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { createPool, type Pool, type Waits } from '../src/infrastructure/postgres/pool.ts';
import { Rejected } from '../src/kernel/rejected.ts';
import type { Database, ReadDb } from './database.ts';
import { preparing } from './prepared.ts';

/** A statement of a list may take so long. */
export const statementMaxMs = 5_000;
/** So long one waits for a connection. */
export const waitMaxMs = 3_000;
/** Statements that wait for a connection at the same time. */
export const waitingMax = 128;
const retryAfterSeconds = 5;

/** Of Postgres: a statement has taken too long. */
const canceled = '57014';
/** What the pool says when a connection has not become free in time. */
const lateConnection = 'timeout exceeded when trying to connect';

/** For lists, and for all that reads many rows. Throws `Rejected` (SERVICE_UNAVAILABLE) for what takes too long. */
export function createListDb(url: string, max: number, waits: Waits = {}): ReadDb {
  const pool = createPool({ url, max, name: 'lists', statementMaxMs, waitMaxMs, ...waits });
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: bounded(pool) }) });
}

function bounded(pool: Pool): PostgresPool {
  const prepared = preparing(pool);
  const clients = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  const bind = (client: PostgresPoolClient): PostgresPoolClient => {
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        return await client.query(text, values);
      } catch (error) {
        throw codeOf(error) === canceled ? tooMuch('The list takes too long.') : error;
      }
    };
    return { query, release: client.release } as PostgresPoolClient;
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      if (pool.waitingCount >= waitingMax) throw tooMuch('More lists are waiting than are read in time.');
      const client = await prepared.connect().catch((error) => {
        throw isLate(error) ? tooMuch('Other lists take too long.') : error;
      });
      const known = clients.get(client) ?? bind(client);
      clients.set(client, known);
      return known;
    },
  } as PostgresPool;
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

const isLate = (error: unknown): boolean => error instanceof Error && error.message === lateConnection;

const tooMuch = (why: string) =>
  new Rejected('SERVICE_UNAVAILABLE', `${why} Send the request again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
