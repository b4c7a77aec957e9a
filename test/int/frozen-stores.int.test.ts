/** Stores that take what they are sent and answer nothing: a frozen machine, a stopped process. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import type { Json } from '../support/http/client.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import { eventually, individual } from '../support/resources/flows.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { lineTo } from '../support/servers/line.ts';

type Told = { readonly msg: string; readonly variable?: string };

/** A service with a line to the store that will be frozen, and what it logs. */
async function serviceBy(store: 'EventStoreDB' | 'Postgres') {
  const lines: Told[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const databaseUrl = await createDatabase();
  const line = await lineTo(store === 'Postgres' ? databaseUrl : (await eventStoreDb()).url);
  const where =
    store === 'Postgres'
      ? { databaseUrl: line.url }
      : { databaseUrl, variables: { EVENTSTORE_URL: line.url } };
  const variables = { ...where.variables, DAYBOOK_REQUEST_DEADLINE_SECONDS: '6' };
  const service = await startTestService({ ...where, variables, log, patienceMs: undefined });
  onTestFinished(() => service.stop());
  const readyz = async () => {
    const answer = await fetch(new URL('/readyz', service.url));
    return { code: answer.status, body: (await answer.json()) as Json };
  };
  return { ...service, databaseUrl, line, lines, readyz };
}

async function eventStoreDb(): Promise<EventStoreDbServer> {
  const server = await startEventStoreDb();
  onTestFinished(() => server.close());
  return server;
}

const requests = 12;
const key = (n: number) => ({ 'idempotency-key': `in-the-cold-${n}` });

describe.each([
  ['EventStoreDB', 'eventStore', 'EVENTSTORE_URL'],
  ['Postgres', 'database', 'DATABASE_URL'],
] as const)('while %s is frozen', (store, name, variable) => {
  it('requests are 503 by their deadline, and the same keys do the same once afterwards', async () => {
    const { client, line, lines, readyz, databaseUrl } = await serviceBy(store);
    const ask = (n: number) =>
      client.post('/customers', individual({ platformCustomerId: `cold-${n}` }), key(n));
    await eventually(
      () => ask(0),
      ({ status }) => status === 201,
    );
    line.freeze();
    const [ready, ...answers] = await Promise.all([
      eventually(readyz, ({ body }) => isDeepStrictEqual(body.notReady, [name])),
      ...Array.from({ length: requests }, (_one, n) => ask(n + 1)),
    ]);
    expect(ready).toMatchObject({ code: 503, body: { status: 'not ready' } });
    for (const { status, headers, body } of answers)
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    line.thaw();
    await eventually(readyz, ({ code }) => code === 200);
    for (let n = 1; n <= requests; n++)
      await eventually(
        async () => (await ask(n)).status,
        (status) => status === 201,
      );
    await eventually(
      () => query<{ n: number }>(databaseUrl, 'select count(*)::int as n from daybook.customers'),
      ([row]) => row?.n === requests + 1,
    );
    const lost = lines.filter(({ msg }) => msg.includes('further errors are counted'));
    expect(lost.map((one) => one.variable)).toEqual([variable]);
    await eventually(
      async () => lines.filter(({ msg }) => msg.includes('it is back')).map((one) => one.variable),
      ([back]) => back === variable,
    );
  });
});
