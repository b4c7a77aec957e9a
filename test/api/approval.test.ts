import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { unbalanced, untilEnded } from '../support/log/books.ts';
import { addWebhookEvents, arrivedAt } from '../support/postgres/outbox.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import { createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import { balanceOf, receive } from '../support/resources/payments.ts';
import { answering, type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();
const service = serviceOfTests({ clock, variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const { client } = service;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
});
afterEach(() => receiver.close());

async function incoming() {
  const customer = await createCustomer(client);
  const payment = expectStatus(await receive(client, { receiverUmaAddress: customer.umaAddress }), 200);
  return { customer, payment };
}

const json = (status: number, body: object) =>
  answering(status, { 'content-type': 'application/json' }, JSON.stringify(body));

describe('an incoming payment that the platform is asked about', () => {
  it.each([
    ['200', json(200, {}), 'COMPLETED', undefined],
    [
      '200 with what it knows of the receiver',
      json(200, { receiverCustomerInfo: { FULL_NAME: 'Ada' } }),
      'COMPLETED',
      undefined,
    ],
    ['200 without a body', answering(200), 'COMPLETED', undefined],
    ['403', json(403, { code: 'NO', message: 'not ours', reason: 'a stranger' }), 'REJECTED', undefined],
    ['422', json(422, { code: 'MORE', message: 'more', requiredFields: [] }), 'FAILED', 'PAY_REQUEST_FAILED'],
    ['500', answering(500), 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['404', answering(404), 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['409', answering(409), 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
    ['301', answering(301, { location: 'http://127.0.0.1/' }), 'FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR'],
  ] as const)('%s', async (_title, answer, status, failureReason) => {
    receiver.answer(answer);
    const { customer, payment } = await incoming();
    const ended = await untilEnded(client, payment.id, status);
    expect(ended.failureReason).toBe(failureReason);
    expect((await balanceOf(client, customer.id)) > 0).toBe(status === 'COMPLETED');
    expect(await unbalanced(client)).toEqual([]);
    const asked = receiver.received.filter(({ body }) => body.type === 'INCOMING_PAYMENT.PENDING');
    expect(asked.map(({ body }) => body.data.requestedReceiverCustomerInfoFields)).toEqual([[]]);
  });

  it('is approved by the inbox of the sandbox', async () => {
    expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    const { customer, payment } = await incoming();
    await untilEnded(client, payment.id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBeGreaterThan(0);
  });

  it('is asked while the platform answers nothing else, and hundreds of events wait', async () => {
    receiver.answer(({ body }, response) => {
      if (body.type === 'INCOMING_PAYMENT.PENDING') response.end();
    });
    await addWebhookEvents(service, 300);
    await eventually(
      async () => arrivedAt(receiver).length,
      (calls) => calls > 0,
    );
    const { payment } = await incoming();
    await untilEnded(client, payment.id, 'COMPLETED');
    expect(arrivedAt(receiver).length).toBeLessThan(300);
  });

  it('fails when the platform refuses the connection', async () => {
    await receiver.close();
    const { payment } = await incoming();
    const ended = await untilEnded(client, payment.id, 'FAILED');
    expect(ended.failureReason).toBe('PAYMENT_APPROVAL_WEBHOOK_ERROR');
  });

  it('is asked about once when the call breaks off, where others before went well', async () => {
    await untilEnded(client, (await incoming()).payment.id, 'COMPLETED');
    const asked = () =>
      receiver.received.filter(({ body }) => body.type === 'INCOMING_PAYMENT.PENDING').length;
    const count = asked();
    receiver.answer((_received, response) => response.destroy());
    const ended = await untilEnded(client, (await incoming()).payment.id, 'FAILED');
    expect(ended.failureReason).toBe('PAYMENT_APPROVAL_WEBHOOK_ERROR');
    expect(asked() - count).toBe(1);
  });

  it('fails when the platform does not answer in 5 seconds', async () => {
    receiver.answer(() => {});
    const { payment } = await incoming();
    const ended = await untilEnded(client, payment.id, 'FAILED');
    expect(ended.failureReason).toBe('PAYMENT_APPROVAL_TIMED_OUT');
  });
});

describe('a platform that decides later (202)', () => {
  const deferred = async () => {
    receiver.answer(202);
    const { customer, payment } = await incoming();
    await expect.poll(() => receiver.received.some(({ body }) => body.data.id === payment.id)).toBe(true);
    return { customer, payment };
  };

  it('may approve the payment', async () => {
    const { customer, payment } = await deferred();
    expectStatus(await client.post(`/transactions/${payment.id}/approve`), 200);
    await untilEnded(client, payment.id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBeGreaterThan(0);
  });

  it('may reject the payment', async () => {
    const { payment } = await deferred();
    expectStatus(await client.post(`/transactions/${payment.id}/reject`, { reason: 'no' }), 200);
    await untilEnded(client, payment.id, 'REJECTED');
  });

  it('loses the payment when it says nothing more', async () => {
    const { payment } = await deferred();
    clock.advance(11_000);
    await service.timers.reconcile();
    const ended = await untilEnded(client, payment.id, 'FAILED');
    expect(ended.failureReason).toBe('PAYMENT_APPROVAL_TIMED_OUT');
  });

  it('decides once, though it says many things at once', async () => {
    const { payment } = await deferred();
    const answers = await together(20, (n) =>
      client.post(`/transactions/${payment.id}/${n % 2 ? 'approve' : 'reject'}`),
    );
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 19 });
    const won =
      answers.find(({ status }) => status === 200)?.body.status === 'REJECTED' ? 'REJECTED' : 'COMPLETED';
    await untilEnded(client, payment.id, won);
  });
});

describe('a claimed invitation', () => {
  it('is told to the platform that created it, whoever claims it', async () => {
    const variables = { DAYBOOK_ROLES: 'api' };
    const other = await startTestService({ databaseUrl: service.databaseUrl, clock, variables });
    onTestFinished(() => other.stop());
    const customer = await createCustomer(client);
    const { code } = expectStatus(
      await client.post('/invitations', { inviterUma: customer.umaAddress }),
      201,
    );
    const guest = await createCustomer(other.client);
    const claim = await other.client.post(`/invitations/${code}/claim`, { inviteeUma: guest.umaAddress });
    expectStatus(claim, 200);
    const told = () => receiver.received.filter(({ body }) => body.type === 'INVITATION_CLAIMED');
    await expect.poll(() => told().length).toBe(1);
    expect(told()[0]?.body.data).toEqual((await client.get(`/invitations/${code}`)).body);
  });
});
