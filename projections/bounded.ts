/** Lists have connections of their own, a deadline, and a bound on how many wait: they may take long, others may not. */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { createPlaces, type Places } from '../src/infrastructure/jobs/places.ts';
import { createPool, type Pool, type Waits } from '../src/infrastructure/postgres/pool.ts';
import { isCancelled } from '../src/infrastructure/postgres/violations.ts';
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

/** What the pool says when a connection has not become free in time. */
const lateConnection = 'timeout exceeded when trying to connect';

/**
 * For lists, and for all that reads many rows. Throws `Rejected` (SERVICE_UNAVAILABLE) for what takes too long. `tenantOf`
 * says for whom the code runs that asks.
 */
export function createListDb(
  url: string,
  max: number,
  tenantOf: () => string | undefined,
  waits: Waits = {},
): ReadDb {
  const pool = createPool({ url, max, name: 'lists', statementMaxMs, waitMaxMs, ...waits });
  const places = createPlaces({
    max,
    waitingMax,
    waitMaxMs: waits.waitMaxMs ?? waitMaxMs,
    refusal: () => tooMuch('More lists are waiting than are read in time.'),
    late: otherLists,
  });
  const take = () => places.take(tenantOf());
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: bounded(pool, take) }) });
}

function bounded(pool: Pool, take: () => ReturnType<Places['take']>): PostgresPool {
  const prepared = preparing(pool);
  const bind = (client: PostgresPoolClient, leave: () => void): PostgresPoolClient => {
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        return await client.query(text, values);
      } catch (error) {
        throw isCancelled(error) ? tooMuch('The list takes too long.') : error;
      }
    };
    const release = () => {
      client.release();
      leave();
    };
    return { query, release } as PostgresPoolClient;
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const leave = await take();
      try {
        return bind(await prepared.connect(), leave);
      } catch (error) {
        leave();
        throw isLate(error) ? otherLists() : error;
      }
    },
  } as PostgresPool;
}

const otherLists = () => tooMuch('Other lists take too long.');

const isLate = (error: unknown): boolean => error instanceof Error && error.message === lateConnection;

const tooMuch = (why: string) =>
  new Rejected('SERVICE_UNAVAILABLE', `${why} Send the request again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
