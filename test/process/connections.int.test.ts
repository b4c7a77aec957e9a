import { describe, expect, it } from 'vitest';
import { backends } from '../support/log/raw-log.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  individual,
} from '../support/resources/flows.ts';

const connectionsMax = 16;

/** Connections to the database but the one that asks. */
const connections = async (url: string): Promise<number> => {
  const [row] = await query<{ n: number }>(
    url,
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return row?.n ?? 0;
};

describe('a process with all roles', () => {
  it(`has at most ${connectionsMax} connections to Postgres, whatever it is asked`, async () => {
    const { client, databaseUrl, stop } = await startTestService();
    const { id } = await createCustomer(client);
    const account = await accountOf(client, id);
    const fundOnceThereIsRoom = (n: number) =>
      eventually(
        () => client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 100 + n }),
        ({ status }) => status !== 503,
      ).then((answer) => expectStatus(answer, 200));
    const all = Array.from({ length: 200 }, (_one, n) => {
      if (n % 4 === 0) return client.post('/customers', individual());
      if (n % 4 === 1) return fundOnceThereIsRoom(n);
      return client.get(n % 4 === 2 ? '/transactions' : '/customers');
    });
    const counts: number[] = [];
    const counting = { over: false };
    const counted = (async () => {
      while (!counting.over) counts.push(await connections(databaseUrl));
    })();
    await Promise.all(all);
    counting.over = true;
    await counted;
    expect(counts.length).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(connectionsMax);
    // A rail that watches is a lease more, on the same connection.
    expect(await backends(databaseUrl, 'daybook-leases')).toHaveLength(1);
    await stop();
  });
});
