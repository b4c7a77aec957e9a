import type { Pool } from '../../../src/infrastructure/postgres/pool.ts';

/** Calls `asked` for every statement of the pool, those that open and close transactions included. */
export function countStatements(pool: Pool, asked: () => void): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    const counted = (...args: Parameters<typeof query>) => {
      asked();
      return query(...args);
    };
    client.query = counted as typeof client.query;
  });
}
