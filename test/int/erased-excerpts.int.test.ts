/** What receivers have answered with is kept beside each attempt: it may say what they were told of somebody who is erased. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { inTransaction } from '../../src/infrastructure/postgres/transaction.ts';
import type { Claimed } from '../../src/workers/webhooks/lanes/claims.ts';
import { unknownLane } from '../../src/workers/webhooks/lanes/lane.ts';
import { type Attempt, createDeliveryStore, type DeliveryStore } from '../../src/workers/webhooks/store.ts';
import type { Client, Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { everyRow } from '../support/postgres/every-row.ts';
import { addWebhookEvents } from '../support/postgres/outbox.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { approvalRequired, executeAs, staffed } from '../support/resources/agents.ts';
import { createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import { toAddress } from '../support/resources/payments.ts';
import { type Received, type Receiver, startReceiver } from '../support/servers/receiver.ts';

let service: TestService;
let client: Client;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestService();
  ({ client } = service);
  receiver = await startReceiver();
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const echo = ({ raw }: Received, response: ServerResponse) => void response.writeHead(500).end(raw);

const excerptsOf = (objectId: string) =>
  query<{ excerpt: string | null }>(
    service.databaseUrl,
    `select excerpt from daybook.webhook_attempts join daybook.webhook_events e on e.id = event_id
     where object_id = $1 order by event_id, webhook_attempts.n`,
    [objectId],
  );

const untilAttempted = (objectId: string) =>
  eventually(
    () => excerptsOf(objectId),
    ({ length }) => length > 0,
  );

const erase = (id: string): Promise<Json> =>
  eventually(
    async () => expectStatus(await client.post(`/customers/${id}/erase`), 200),
    ({ status }) => status === 'ERASED',
  );

async function tablesWith(text: string): Promise<readonly string[]> {
  const all = await everyRow((sql) => query(service.databaseUrl, sql));
  return all.filter(({ row }) => row.includes(text)).map(({ table, row }) => `${table}: ${row}`);
}

it('nothing is left of what was told of an action that names the person', async () => {
  receiver.answer(echo);
  const { umaDomain } = expectStatus(await client.get('/config'), 200);
  const umaAddress = `$quixworthy@${umaDomain}`;
  const person = await createCustomer(client, { umaAddress });
  const one = await staffed(client, approvalRequired);
  const asked = await toAddress(client, one, umaAddress, { lockedCurrencyAmount: 5_000 });
  const quote = expectStatus(await one.me.post('/agents/me/quotes', asked), 201);
  const action = expectStatus(await executeAs(one, quote), 200);
  expect(action.status).toBe('PENDING_APPROVAL');
  expect((await untilAttempted(action.id))[0]?.excerpt).toContain(umaAddress);
  await erase(person.id);
  expect(await tablesWith(umaAddress)).toEqual([]);
});

it('nothing is kept of what is answered when the person is erased already', async () => {
  const held: (() => void)[] = [];
  const fullName = 'Zebulon Quixworthy';
  receiver.answer((received, response) => {
    if (received.body.data?.fullName === fullName) held.push(() => echo(received, response));
    else echo(received, response);
  });
  const { id } = await createCustomer(client, { fullName });
  await eventually(
    async () => held.length,
    (calls) => calls > 0,
  );
  await erase(id);
  expect(await excerptsOf(id)).toEqual([]);
  for (const answer of held) answer();
  await untilAttempted(id);
  expect(await tablesWith(fullName)).toEqual([]);
});

it('what is answered stays where nobody was erased', async () => {
  receiver.answer(echo);
  const fullName = 'Xanthippe Quillfeather';
  const { id } = await createCustomer(client, { fullName });
  expect((await untilAttempted(id))[0]?.excerpt).toContain(fullName);
});

describe('what is answered while a body is being rewritten', () => {
  let unattended: TestService;
  let pool: Pool;
  beforeAll(async () => {
    unattended = await startTestService({ variables: { DAYBOOK_ROLES: 'api,projector' } });
    pool = createPool({ url: unattended.databaseUrl, max: 3, name: 'test-excerpts' });
  });
  afterAll(async () => {
    await pool.end();
    await unattended.stop();
  });

  type Way = (store: DeliveryStore, attempts: readonly Attempt[]) => Promise<void>;
  const ways: [string, Way][] = [
    ['which is the last attempt', (store, attempts) => store.finish(attempts, new Date())],
    ['which others follow', (store, attempts) => store.passOver(attempts)],
  ];

  it.each(ways)('is not kept, %s', async (_, record) => {
    await addWebhookEvents(unattended, 1);
    const { rows } = await pool.query<Claimed>(
      `update webhook_events set attempts = 1, locked_until = 'infinity' where state = 'PENDING' and attempts = 0
       returning id, platform_id as "platformId", object_id as "objectId", type, body, attempts, retries,
         retrying_since as "retryingSince", redelivery`,
    );
    const attempts = rows.map(
      (row): Attempt => ({
        claimed: { ...row, url: 'http://127.0.0.1:9/', environment: 'sandbox', lane: unknownLane },
        at: new Date(),
        outcome: { status: 500, latencyMs: 1, excerpt: row.body },
        ending: { state: 'PENDING', nextAttemptAt: new Date() },
        passesTurn: false,
      }),
    );
    const ids = rows.map(({ id }) => id);
    const recorded = await inTransaction(pool, async (client) => {
      await client.query(`update webhook_events set body = '"erased"' where id = any($1)`, [ids]);
      const recording = record(createDeliveryStore(pool), attempts);
      await eventually(
        () =>
          query(
            unattended.databaseUrl,
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ({ length }) => length > 0,
      );
      return [recording];
    });
    await Promise.all(recorded);
    const kept = await pool.query('select status, excerpt from webhook_attempts where event_id = any($1)', [
      ids,
    ]);
    expect(kept.rows).toEqual([{ status: 500, excerpt: null }]);
  });
});
