/** Statements that come again are parsed and planned once for each connection. */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from '../src/infrastructure/postgres/pool.ts';
import { isRefusedWith } from '../src/infrastructure/postgres/violations.ts';

/** Texts that get a name; those after them are sent as they are. */
export const namesMax = 500;
/** Of Postgres: a table has changed since the statement was prepared. */
const planIsOutdated = '0A000';

/** A name means one text on all connections of a pool, whoever uses it. */
const namesOf = new WeakMap<Pool, Map<string, string>>();

/** A pool for Kysely, on which every statement with parameters is a prepared one. */
export function preparing(pool: Pool): PostgresPool {
  const names = namesOf.get(pool) ?? new Map<string, string>();
  namesOf.set(pool, names);
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= namesMax) return known;
    const name = `prepared-${names.size}`;
    names.set(text, name);
    return name;
  };
  const prepare = (client: PoolClient): PostgresPoolClient => {
    const query = async (text: string, values: readonly unknown[]) => {
      const name = values.length > 0 ? nameOf(text) : undefined;
      if (name === undefined) return client.query(text, [...values]);
      try {
        return await client.query({ name, text, values: [...values] });
      } catch (error) {
        // A newer version has changed the table. Inside a transaction it is too late for another attempt.
        if (!isOutdated(error) || client.getTransactionStatus() !== 'I') throw error;
        return client.query(text, [...values]);
      }
    };
    return { query, release: (error?: boolean) => client.release(error) } as unknown as PostgresPoolClient;
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? prepare(client);
      clients.set(client, known);
      return known;
    },
  } as PostgresPool;
}

const isOutdated = (error: unknown): boolean => isRefusedWith(error, planIsOutdated);
