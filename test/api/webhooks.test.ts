import { createHmac, verify } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { answering, type Received, type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
let receiver: Receiver;

const setEndpoint = async (url: string | null) =>
  expectStatus(await service.client.patch('/config', { webhookEndpoint: url }), 200);

/** A receiver of its own for each test, which has had its TEST event; what earlier tests left to retry is cancelled. */
beforeEach(async () => {
  const former = receiver;
  receiver = await startReceiver();
  await setEndpoint(null);
  await setEndpoint(receiver.url);
  await untilReceived(({ body }) => body.type === 'TEST');
  await former?.close();
});
afterAll(() => receiver.close());

const untilReceived = async (wanted: (one: Received) => boolean): Promise<Received> => {
  const found = await eventually(
    async () => receiver.received.find(wanted),
    (one) => one !== undefined,
  );
  if (!found) throw new Error('not received');
  return found;
};

const eventsOf = async (objectId: string): Promise<Json[]> => {
  const { data } = expectStatus(
    await service.client.get('/webhooks/events', { objectId, limit: '100' }),
    200,
  );
  return data;
};
const untilState = (objectId: string, state: string, attempts = 1) =>
  eventually(
    async () => (await eventsOf(objectId)).at(-1),
    (event) =>
      event?.state === state &&
      event.attempts >= attempts &&
      (state !== 'PENDING' || event.nextAttemptAt > event.updatedAt),
  );

describe('what a platform is sent', () => {
  it('tells a payment in order from its quote to its end', async () => {
    const { account, payee } = await payoutParties(service.client, 50_000);
    const quote = expectStatus(await service.client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expectStatus(await service.client.post(`/quotes/${quote.id}/execute`), 200);
    const transaction = await untilTransaction(service.client, quote.transactionId, 'COMPLETED');
    const last = await untilReceived(({ body }) => body.type === 'OUTGOING_PAYMENT.COMPLETED');
    expect(receiver.typesAbout(quote.transactionId)).toEqual(
      ['PENDING', 'PROCESSING', 'COMPLETED'].map((state) => `OUTGOING_PAYMENT.${state}`),
    );
    expect(last.body.data).toEqual(transaction);
  });

  it('tells every balance of a new customer exactly', async () => {
    const customer = await createCustomer(service.client);
    const account = await accountOf(service.client, customer.id);
    const funded = await fund(service.client, account.id, 99_999_999_999n);
    const kyc = await untilReceived(({ body }) => body.data.id === customer.id);
    expect([kyc.body.type, kyc.body.data]).toEqual(['CUSTOMER.KYC_APPROVED', customer]);
    const balance = await untilReceived(({ body }) => body.data.id === account.id);
    expect([balance.body.type, balance.body.data]).toEqual(['INTERNAL_ACCOUNT.BALANCE_UPDATED', funded]);
  });

  it('has two signatures that verify', async () => {
    const { headers, raw, body } = await untilReceived(() => true);
    const { webhookPublicKey } = expectStatus(await service.client.get('/config'), 200);
    const signature = Buffer.from(String(headers['x-service-signature']), 'base64');
    expect(verify('sha256', raw, webhookPublicKey, signature)).toBe(true);
    const [key] = expectStatus(await service.client.get('/webhooks/keys'), 200).data;
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;
    const mac = createHmac('sha256', Buffer.from(key.secret.slice(6), 'base64')).update(content);
    expect(headers['webhook-signature']).toBe(`v1,${mac.digest('base64')}`);
    expect([body.id, headers['user-agent'], headers['content-type']]).toEqual([
      headers['webhook-id'],
      'Daybook',
      'application/json',
    ]);
  });
});

describe('a receiver', () => {
  const fundedAccount = async () => {
    const customer = await createCustomer(service.client);
    const account = await accountOf(service.client, customer.id);
    // What is told of the customer has had its answer before the test changes the answers.
    await untilReceived(({ body }) => body.data.id === customer.id);
    return { ...account, fund: () => fund(service.client, account.id, 1_000) };
  };

  it('is called again after 5 s and 10 s when it fails, and misses nothing', async () => {
    const account = await fundedAccount();
    receiver.answer(500);
    await account.fund();
    const failed = await untilState(account.id, 'PENDING');
    expect(Date.parse(failed.nextAttemptAt) - Date.parse(failed.updatedAt)).toBeLessThanOrEqual(5_000);
    await account.fund();
    clock.advance(5_000);
    await service.webhooks.reconcile();
    await untilState(account.id, 'PENDING', 2);
    receiver.answer(200);
    clock.advance(10_000);
    await service.webhooks.reconcile();
    await eventually(
      () => eventsOf(account.id),
      (events) => events.every(({ state }) => state === 'DELIVERED'),
    );
    const ids = receiver.received
      .filter(({ body }) => body.data.id === account.id)
      .map(({ body }) => body.id);
    expect(ids.length).toBe(4);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    const amounts = receiver.received
      .filter(({ body }) => body.data.id === account.id)
      .map(({ body }) => body.data.balance.amount);
    expect(amounts).toEqual([1_000, 1_000, 1_000, 2_000]);
  });

  it('has a webhook already when it answers 409', async () => {
    const account = await fundedAccount();
    receiver.answer(409);
    await account.fund();
    await untilState(account.id, 'DELIVERED');
  });

  it('has failed when it redirects', async () => {
    const account = await fundedAccount();
    receiver.answer(answering(307, { location: receiver.url }));
    await account.fund();
    const event = await untilState(account.id, 'PENDING');
    expect(receiver.typesAbout(account.id)).toHaveLength(1);
    const { attemptLog } = expectStatus(await service.client.get(`/webhooks/events/${event.id}`), 200);
    expect(attemptLog).toMatchObject([{ status: 307, url: receiver.url }]);
  });

  it.each([['60'], [new Date(Date.now() + 3_600_000).toUTCString()]])(
    'is given the time it asks for: %s',
    async (value) => {
      const account = await fundedAccount();
      receiver.answer(answering(503, { 'retry-after': value }));
      await account.fund();
      const { nextAttemptAt, updatedAt } = await untilState(account.id, 'PENDING');
      expect(Date.parse(nextAttemptAt) - Date.parse(updatedAt)).toBeGreaterThan(50_000);
    },
  );

  it('is not called again once it is gone, until it is set anew', async () => {
    const account = await fundedAccount();
    receiver.answer(410);
    await account.fund();
    const config = await eventually(
      async () => (await service.client.get('/config')).body,
      (one) => one.webhookEndpoint === undefined,
    );
    expect(config.webhookEndpointDisabledAt).toBeDefined();
    await account.fund();
    expect((await eventsOf(account.id)).map(({ state }) => state)).toEqual(['FAILED']);
    expectProblem(await service.client.post('/sandbox/webhooks/test'), 400);
  });

  it('shows in the log with a long answer cut short', async () => {
    const account = await fundedAccount();
    receiver.answer(answering(200, {}, 'x'.repeat(1_000_000)));
    await account.fund();
    const event = await untilState(account.id, 'DELIVERED');
    const { attemptLog } = expectStatus(await service.client.get(`/webhooks/events/${event.id}`), 200);
    expect(attemptLog[0].responseBody).toHaveLength(2_048);
  });

  it('misses a webhook after 7 days, and gets what comes after it', async () => {
    const account = await fundedAccount();
    receiver.answer(500);
    await account.fund();
    await untilState(account.id, 'PENDING');
    await account.fund();
    clock.advance(7 * 24 * 3_600_000);
    receiver.answer(
      ({ body }, response) => void response.writeHead(body.data.balance?.amount === 1_000 ? 500 : 200).end(),
    );
    await service.webhooks.reconcile();
    await eventually(
      () => eventsOf(account.id),
      (events) => events.map(({ state }) => state).join() === 'DELIVERED,FAILED',
    );
  });
});

describe('sending a webhook again', () => {
  it('keeps id and content', async () => {
    const customer = await createCustomer(service.client);
    const first = await untilReceived(({ body }) => body.data.id === customer.id);
    await untilState(customer.id, 'DELIVERED');
    expectStatus(await service.client.post(`/webhooks/events/${first.body.id}/redeliver`), 202);
    const again = await untilReceived(({ headers }) => headers['webhook-redelivery'] === 'true');
    expect([again.body.id, again.body.data]).toEqual([first.body.id, first.body.data]);
    await untilState(customer.id, 'DELIVERED', 2);
  });

  it('sends a period of chosen types again', async () => {
    const since = clock.now().toISOString();
    const customers = await Promise.all([1, 2, 3].map(() => createCustomer(service.client)));
    for (const { id } of customers) await untilState(id, 'DELIVERED');
    const answer = await service.client.post('/webhooks/redeliver', {
      since,
      types: ['CUSTOMER.KYC_APPROVED'],
    });
    expect(expectStatus(answer, 202)).toEqual({ count: 3 });
    for (const { id } of customers) await untilState(id, 'DELIVERED', 2);
  });
});

describe('a platform', () => {
  it('finds no webhook of another', async () => {
    const theirs = await startBeside(service);
    const [{ id }] = expectStatus(await service.client.get('/webhooks/events'), 200).data;
    expectProblem(await theirs.client.get(`/webhooks/events/${id}`), 404);
    expectProblem(await theirs.client.post(`/webhooks/events/${id}/redeliver`), 404);
    expect(expectStatus(await theirs.client.get('/webhooks/events'), 200).totalCount).toBe(0);
    const [our] = expectStatus(await service.client.get('/webhooks/keys'), 200).data;
    const [their] = expectStatus(await theirs.client.get('/webhooks/keys'), 200).data;
    expect(our.publicKey).not.toBe(their.publicKey);
    await theirs.stop();
  });

  it('shows its webhook secret to those who manage', async () => {
    const viewer = await clientWith(service, ['VIEW']);
    const [key] = expectStatus(await viewer.get('/webhooks/keys'), 200).data;
    expect(key.secret).toBeUndefined();
    expectProblem(await viewer.post('/webhooks/keys/rotate'), 403);
  });

  it('can call its endpoint to see what it answers', async () => {
    receiver.answer(answering(418, {}, 'short and stout'));
    expect(expectStatus(await service.client.post('/sandbox/webhooks/test'), 200)).toEqual({
      url: receiver.url,
      response_status: 418,
      response_body: 'short and stout',
    });
    await setEndpoint('http://127.0.0.1:1/nobody');
    expectProblem(await service.client.post('/sandbox/webhooks/test'), 400);
    await setEndpoint(null);
    expectProblem(await service.client.post('/sandbox/webhooks/test'), 400);
  });

  it('is tested once by a call that breaks off, where others before went well', async () => {
    expectStatus(await service.client.post('/sandbox/webhooks/test'), 200);
    const count = receiver.received.length;
    receiver.answer((_received, response) => response.destroy());
    expectProblem(await service.client.post('/sandbox/webhooks/test'), 400, 'WEBHOOK_DELIVERY_ERROR');
    expect(receiver.received.length - count).toBe(1);
  });

  it('is refused an endpoint that could never be called', async () => {
    for (const url of ['http://user:pw@example.com/', 'http://169.254.169.254/', 'ftp://example.com/'])
      expectProblem(await service.client.patch('/config', { webhookEndpoint: url }), 400);
  });

  it('can replace its keys, of which the old ones hold for a day', async () => {
    const before = expectStatus(await service.client.get('/webhooks/keys'), 200).data[0];
    const { data } = expectStatus(await service.client.post('/webhooks/keys/rotate'), 200);
    expect(data.map(({ publicKey }: Json) => publicKey)[0]).toBe(before.publicKey);
    expectProblem(await service.client.post('/webhooks/keys/rotate'), 409);
    expectStatus(await service.client.post('/sandbox/webhooks/test'), 200);
    const { headers, raw } = await untilReceived((one) => 'x-service-signature-next' in one.headers);
    const names = ['x-service-signature', 'x-service-signature-next'];
    const verified = names.map((name, n) =>
      verify('sha256', raw, data[n].publicKey, Buffer.from(String(headers[name]), 'base64')),
    );
    expect([verified, String(headers['webhook-signature']).split(' ').length]).toEqual([[true, true], 2]);
    clock.advance(24 * 3_600_000);
    const after = expectStatus(await service.client.get('/webhooks/keys'), 200).data;
    expect(after.map(({ id }: Json) => id)).toEqual([data[1].id]);
    expect(expectStatus(await service.client.get('/config'), 200).webhookPublicKey).toBe(data[1].publicKey);
  });
});
