/** Ready means that the log is followed: what keeps the followers from it keeps the service from being ready. */
import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../../src/app/service.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import type { Json } from '../support/http/client.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { newCredentials, startTestService, testConfig } from '../support/processes/service.ts';
import { eventually, expectStatus, individual } from '../support/resources/flows.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

async function eventStoreDb(): Promise<EventStoreDbServer> {
  const server = await startEventStoreDb();
  onTestFinished(() => server.close());
  return server;
}

async function started(variables: Record<string, string> = {}) {
  const service = await startTestService({ variables, patienceMs: undefined });
  onTestFinished(() => service.stop());
  const readyz = async () => {
    const answer = await fetch(new URL('/readyz', service.url));
    return { code: answer.status, body: (await answer.json()) as Json };
  };
  return { ...service, readyz };
}

const all = ['projections', 'outbox', 'reactions'];
/** A database that is slow for a moment is not ready either. */
const isWithout = ({ code, body }: { code: number; body: Json }, ...names: readonly string[]) =>
  code === 503 && names.every((name) => body.notReady.includes(name));

describe('a user of EventStoreDB without a right', () => {
  it.each([
    ['append', 'append to streams daybook.*'],
    ['$all', 'read $all and subscribe to it'],
  ] as const)('starts no service: %s', async (denied, told) => {
    const server = await eventStoreDb();
    server.standing.denied.add(denied);
    const config = testConfig(await createDatabase(), newCredentials(), { EVENTSTORE_URL: server.url });
    await expect(startService(config, { log: createLog('silent') })).rejects.toThrow(
      `EVENTSTORE_URL: EventStoreDB at 127.0.0.1:${server.port} does not let its user ${told}. Give the user the right, or name another one in EVENTSTORE_URL.`,
    );
  });
});

describe('/readyz', () => {
  it('has a row for each follower, which is not behind where nothing is to be done', async () => {
    const { client, readyz } = await started();
    expectStatus(await client.post('/customers', individual()), 201);
    const { body } = await eventually(readyz, ({ body: { followers } }) =>
      followers.every(({ behind }: Json) => behind === '0'),
    );
    expect(body.followers).toEqual(
      all.map((name) => ({
        name,
        position: expect.stringMatching(/^[1-9]\d*$/),
        behind: '0',
        standsStillSeconds: 0,
      })),
    );
  });

  it('is 503 where $all may be read no more, until it may be', async () => {
    const server = await eventStoreDb();
    const { client, readyz } = await started({ EVENTSTORE_URL: server.url });
    await eventually(readyz, ({ code }) => code === 200);
    server.standing.denied.add('$all');
    server.dropConnections();
    await eventually(readyz, (answer) => isWithout(answer, 'eventStore'));
    server.standing.denied.clear();
    await eventually(readyz, ({ code }) => code === 200);
    expectStatus(await client.post('/customers', individual()), 201);
  });

  it('is 503 where nobody follows, and nothing else is wrong', async () => {
    const { databaseUrl } = await started();
    const alone = await startTestService({
      databaseUrl,
      variables: { DAYBOOK_ROLES: 'api' },
      patienceMs: undefined,
    });
    await alone.stop();
    const { client, readyz } = await started({ DAYBOOK_ROLES: 'api' });
    expectStatus(await client.post('/customers', individual()), 201);
    const { body } = await eventually(readyz, (answer) => isWithout(answer, ...all));
    expect(body.status).toBe('not ready');
  });
});

describe('an event that this version does not know', () => {
  it.each(['EventStoreDB', 'Postgres'])('holds up nothing else in %s, and is told', async (store) => {
    const server = store === 'EventStoreDB' ? await eventStoreDb() : undefined;
    const { client, readyz, databaseUrl } = await started(server && { EVENTSTORE_URL: server.url });
    if (server) await appendTo(server.url);
    else await insertInto(databaseUrl);
    expectStatus(await client.post('/customers', individual()), 201);
    await eventually(readyz, ({ body: { followers } }) =>
      followers.every(({ behind }: Json) => behind === '0'),
    );
    const parked = await query<{ consumer: string }>(databaseUrl, 'select consumer from daybook.parked_work');
    expect(parked.length).toBeGreaterThan(0);
  });
});

const unknown = { type: 'FromLater', data: { of: 'a later version' } };
const metadata = {
  platformId: `Platform:${randomUUID()}`,
  correlationId: 'x',
  causationId: 'x',
  actor: 'x',
  at: '2026-11-01T00:00:00.000Z',
};

async function appendTo(url: string): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  await client.appendToStream(`daybook.customer-${randomUUID()}`, jsonEvent({ ...unknown, metadata }));
  await client.dispose();
}

const insertInto = (databaseUrl: string) =>
  query(databaseUrl, `select daybook_log.append_events($1, '{-1}', false, '{0}', '{0}', $2, $3, $4, $5)`, [
    [`customer-${randomUUID()}`],
    [randomUUID()],
    [unknown.type],
    JSON.stringify([unknown.data]),
    JSON.stringify([metadata]),
  ]);
