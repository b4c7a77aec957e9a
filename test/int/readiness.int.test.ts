import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import { expectStatus, individual } from '../support/resources/flows.ts';
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
    return { code: answer.status, body: await answer.json() };
  };
  return { ...service, readyz };
}

describe('/readyz', () => {
  it('names EventStoreDB, and writes are 503 while it is away', async () => {
    const server = await startEventStoreDb();
    const { client, readyz } = await serviceWith({ EVENTSTORE_URL: server.url });
    expect(await readyz()).toMatchObject({ code: 200, body: { status: 'ready', notReady: [] } });
    expectStatus(await client.post('/customers', individual()), 201);
    await server.close();
    const away = { code: 503, body: { status: 'not ready', notReady: ['eventStore'] } };
    expect(await readyz()).toMatchObject(away);
    const { status, headers, body } = await client.post('/customers', individual());
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
  });

  it('names Postgres when its line is cut, and requests are 503', async () => {
    const line = await lineTo(await createDatabase());
    const { client, readyz } = await serviceWith({}, line.url);
    line.cutForGood();
    expect(await readyz()).toMatchObject({
      code: 503,
      body: { status: 'not ready', notReady: ['database'] },
    });
    const { status, headers, body } = await client.post('/customers', individual());
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
  });

  it.skipIf(noRedis)('names Redis, without which requests are served', async () => {
    const redis = await startRedis();
    const { client, readyz } = await serviceWith({ REDIS_URL: redis.url });
    expect(await readyz()).toMatchObject({ code: 200, body: { status: 'ready', notReady: [] } });
    await redis.stop();
    expect(await readyz()).toMatchObject({ code: 200, body: { status: 'degraded', notReady: ['redis'] } });
    expectStatus(await client.post('/customers', individual()), 201);
  });

  it.skipIf(noRedis)('names Redis while it takes no jobs', async () => {
    const redis = await startRedis();
    const { client, readyz } = await serviceWith({ REDIS_URL: redis.url });
    await redis.set('maxmemory', '1');
    expect(await readyz()).toMatchObject({ code: 200, body: { status: 'degraded', notReady: ['redis'] } });
    expectStatus(await client.post('/customers', individual()), 201);
    await redis.set('maxmemory', '0');
    expect(await readyz()).toMatchObject({ code: 200, body: { status: 'ready', notReady: [] } });
    await redis.stop();
  });
});
