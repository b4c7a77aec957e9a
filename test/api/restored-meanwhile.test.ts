/** What is under way for a platform when it goes back to a snapshot, and ends when there is nothing left for it to change. */
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import type { Client } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import { eventually, expectStatus, fund } from '../support/resources/flows.ts';
import { customerWith, receive } from '../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../support/resources/snapshots.ts';
import { startReceiver } from '../support/servers/receiver.ts';

type Parties = Awaited<ReturnType<typeof customerWith>>;
type Ask = (client: Client, parties: Parties) => Promise<unknown>;

const askFor: Ask = (client, { account }) => fund(client, account.id, 1);

/** A platform with a snapshot, whose receiver has not answered the calls that `ask` has brought about since. */
async function waitingFor(type: string, ask: Ask) {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const service = await startTestService({ log });
  onTestFinished(service.stop);
  const { client } = service;
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const parties = await customerWith(client, 0);
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  const told = async (): Promise<readonly string[]> => receiver.received.map(({ body }) => body.type);
  await eventually(told, (types) => types.includes('TEST'));
  const snapshot = await takeSnapshot(client);
  const waiting: ServerResponse[] = [];
  receiver.answer((_received, response) => void waiting.push(response));
  await ask(client, parties);
  await eventually(told, (types) => types.includes(type));
  const answer = () => {
    for (const response of waiting) response.end();
  };
  return { service, client, snapshot, answer, lines };
}

it.each<readonly [string, Ask]>([
  ['INTERNAL_ACCOUNT.BALANCE_UPDATED', askFor],
  ['INCOMING_PAYMENT.PENDING', (client, { customer }) => receive(client, { customerId: customer.id })],
])('the call of a %s that is gone by its answer is no failure', async (type, ask) => {
  const { service, client, snapshot, answer, lines } = await waitingFor(type, ask);
  await restoreSnapshot(client, snapshot);
  answer();
  await service.stop();
  expect(lines).toEqual([]);
});

/** Keeps whoever goes back from removing the oldest webhook of the platform: the attempts have been removed by then. */
async function holdingUp(url: string, restore: () => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query("select from daybook.webhook_events where type = 'TEST' for update");
    const restoring = restore();
    await eventually(
      () =>
        query(
          url,
          `select from pg_stat_activity
           where wait_event_type = 'Lock' and query like 'delete from webhook_events%' and datname = current_database()`,
        ),
      ({ length }) => length > 0,
    );
    await meanwhile();
    await holder.query('commit');
    await restoring;
  } finally {
    await holder.end();
  }
}

it('an answer that comes in the midst of it is recorded behind it, and does not keep it from its end', async () => {
  const { service, client, snapshot, answer, lines } = await waitingFor(
    'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    askFor,
  );
  const { databaseUrl } = service;
  const other = await service.newPlatform();
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const isDelivered = async () => {
    const { data } = expectStatus(await other.get('/webhooks/events', { state: 'DELIVERED' }), 200);
    return data.length > 0;
  };
  await holdingUp(
    databaseUrl,
    () => restoreSnapshot(client, snapshot),
    async () => {
      answer();
      // What is recorded after it, of another platform, which does not wait.
      expectStatus(await other.patch('/config', { webhookEndpoint: receiver.url }), 200);
      await eventually(isDelivered, Boolean);
    },
  );
  await service.stop();
  expect(lines).toEqual([]);
});
