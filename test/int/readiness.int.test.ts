import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { createDatabase } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import { eventually, expectStatus, individual } from '../support/resources/flows.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { lineTo } from '../support/servers/line.ts';
import { noRedis, startRedis } from '../support/servers/redis.ts';

/** A service that says what is away after its own time, however long a test waits. */
async function serviceWith(variables: Record<string, string>, databaseUrl?: string) {
  const service = await startTestService({
    variables,
    patienceMs: undefined,
    ...(databaseUrl && { databaseUrl }),
  });
  onTestFinished(() => service.stop());
  const readyz = async () => {
    const answer = await fetch(new URL('/readyz', service.url));
    return { code: answer.status, body: (await answer.json()) as Json };
  };
  /** Once it says so: a check that took too long on a busy machine names what it asked as well. */
  const untilReadyz = async (code: number, status: string, notReady: readonly string[]) =>
    eventually(readyz, (said) =>
      isDeepStrictEqual([said.code, said.body.status, said.body.notReady], [code, status, notReady]),
    );
  return { ...service, untilReadyz };
}

describe('/readyz', () => {
  it('names EventStoreDB, and writes are 503 while it is away', async () => {
    const server = await startEventStoreDb();
    const { client, untilReadyz } = await serviceWith({ EVENTSTORE_URL: server.url });
    await untilReadyz(200, 'ready', []);
    expectStatus(await client.post('/customers', individual()), 201);
    await server.close();
    await untilReadyz(503, 'not ready', ['eventStore']);
    const { status, headers, body } = await client.post('/customers', individual());
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
  });

  it('names Postgres when its line is cut, and requests are 503', async () => {
    const line = await lineTo(await createDatabase());
    const { client, untilReadyz } = await serviceWith({}, line.url);
    line.cutForGood();
    await untilReadyz(503, 'not ready', ['database']);
    const { status, headers, body } = await client.post('/customers', individual());
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
  });

  it.skipIf(noRedis)('names Redis, without which requests are served', async () => {
    const redis = await startRedis();
    const { client, untilReadyz } = await serviceWith({ REDIS_URL: redis.url });
    await untilReadyz(200, 'ready', []);
    await redis.stop();
    await untilReadyz(200, 'degraded', ['redis']);
    expectStatus(await client.post('/customers', individual()), 201);
  });

  it.skipIf(noRedis)('names Redis while it takes no jobs', async () => {
    const redis = await startRedis();
    const { client, untilReadyz } = await serviceWith({ REDIS_URL: redis.url });
    await redis.set('maxmemory', '1');
    await untilReadyz(200, 'degraded', ['redis']);
    expectStatus(await client.post('/customers', individual()), 201);
    await redis.set('maxmemory', '0');
    await untilReadyz(200, 'ready', []);
    await redis.stop();
  });
});
