/** Transactions that are not bounded, and would be tried again without end where a statement was given up. */
import {
  type Client,
  createPool,
  type PoolClient,
  statementMaxMs,
  type Waits,
} from '../../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../../infrastructure/postgres/transaction.ts';
import { once } from '../../../infrastructure/scheduling/once.ts';
import { oneAtATime } from '../../../infrastructure/scheduling/one-at-a-time.ts';
import type { Closer } from '../closer.ts';

export type Unhurried = {
  /** One at a time: whoever comes meanwhile waits, and fails where the end comes before. */
  readonly inTransaction: <Result>(work: (client: PoolClient) => Promise<Result>) => Promise<Result>;
  /** Breaks off what is under way: what it has locked would hold up whatever else comes to its end. */
  readonly end: Closer;
};

/** Each transaction has a connection of its own: of one that stood idle nobody would find out that its server is gone. */
export function createUnhurried(url: string, waits: Waits): Unhurried {
  const endless = { statementMaxMs: 0, idleMaxMs: statementMaxMs };
  const pool = createPool({ url, max: 1, usesMax: 1, name: 'put-back', ...waits, ...endless });
  const open = new Set<PoolClient>();
  const breakOff = (client: PoolClient) => (client as unknown as Client).end().catch(() => undefined);
  pool.on('connect', (client) => {
    open.add(client);
    if (pool.ending) breakOff(client);
  });
  pool.on('remove', (client) => open.delete(client));
  // The pool would forget at its end who waits for a connection.
  const inTurn = oneAtATime();
  return {
    inTransaction: (work) => inTurn(() => inTransaction(pool, work)),
    end: once(async () => {
      const ended = pool.end();
      for (const client of open) breakOff(client);
      await ended;
    }),
  };
}
