/** Somebody who was paid beside others is erased: what is kept of the payer, and said of the others, stays. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidOf } from '../../src/kernel/ids.ts';
import type { Answer, Client, Json } from '../support/http/client.ts';
import { allPages } from '../support/http/lists.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import {
  createCustomer,
  eventually,
  expectStatus,
  quoteBody,
  registerPayee,
  untilTransaction,
} from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

const description = 'Salary of November';

let service: TestService;
let client: Client;
let receiver: Receiver;
let payer: Json;
beforeAll(async () => {
  service = await startTestService();
  ({ client } = service);
  receiver = await startReceiver();
  receiver.answer(({ raw }, response) => void response.writeHead(200).end(raw));
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  ({ account: payer } = await customerWith(client, 100_000_000));
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

async function newPayee(): Promise<Json> {
  const customer = await createCustomer(client);
  return { customer, account: await registerPayee(client, { customerId: customer.id }) };
}

const pay = ({ account }: Json, overrides: object = {}, key: string = randomUUID()): Promise<Answer> => {
  const asked = { lockedCurrencyAmount: 1_000, immediatelyExecute: true, ...overrides };
  return client.post('/quotes', quoteBody(payer.id, account.id, asked), { 'idempotency-key': key });
};

const erase = ({ customer }: Json): Promise<Json> =>
  eventually(
    async () => expectStatus(await client.post(`/customers/${customer.id}/erase`), 200),
    ({ status }) => status === 'ERASED',
  );

/** What the endpoint is shown of a payment, and what it has answered to it. */
async function told({ transactionId }: Json): Promise<string> {
  const events = await allPages(client, '/webhooks/events', { objectId: transactionId });
  expect(events.length).toBeGreaterThan(0);
  const shown = events.map(async ({ id }) =>
    JSON.stringify(expectStatus(await client.get(`/webhooks/events/${id}`), 200)),
  );
  return (await Promise.all(shown)).join('\n');
}

it('the same words stay in what is said of payments to others', async () => {
  const [leaving, staying] = [await newPayee(), await newPayee()];
  const key = randomUUID();
  const first = expectStatus(await pay(leaving, { description }), 201);
  const second = expectStatus(await pay(staying, { description }, key), 201);
  for (const { transactionId } of [first, second]) await untilTransaction(client, transactionId, 'COMPLETED');
  await eventually(
    async () => expectStatus(await client.get('/webhooks/events', { state: 'PENDING' }), 200).totalCount,
    (left) => left === 0,
  );
  const before = await told(second);
  expect(before.split(description).length).toBeGreaterThan(2);
  await erase(leaving);
  expect(await told(first)).not.toContain(description);
  expect(await told(second)).toBe(before);
  const again = await pay(staying, { description }, key);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(expectStatus(again, 201)).toEqual(second);
});

it('the payer’s account need not be read from its first event again', async () => {
  const [leaving, staying] = [await newPayee(), await newPayee()];
  expectStatus(await pay(leaving, { description }), 201);
  for (let paid = 0; paid < 520; paid += 40)
    await Promise.all(Array.from({ length: 40 }, async () => expectStatus(await pay(staying), 201)));
  const closings = () =>
    query<{ revision: string }>(
      service.databaseUrl,
      'select revision from daybook.closings where stream = $1 order by revision',
      [`account-${uuidOf(payer.id)}`],
    );
  const before = await eventually(closings, ({ length }) => length > 0);
  await erase(leaving);
  expect(await closings()).toEqual(before);
});
