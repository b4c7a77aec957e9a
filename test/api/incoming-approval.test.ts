import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { expectEnded, inFlightOf, transactionOf, unbalanced, untilEnded } from '../support/log/books.ts';
import { clientWith, serviceOfTests, startTestService } from '../support/processes/service.ts';
import { createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  executeQuote,
  quote,
  receive,
  sandboxAddress,
  toAddress,
} from '../support/resources/payments.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { idOfNobody } from '../support/values/ids.ts';

/** Longer than a platform may take to approve or reject. */
const approvalOver = 11_000;

const clock = movableClock();
const service = serviceOfTests({ clock, variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const { client } = service;
/** Says that it will decide later, every time. */
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer(202);
});
afterAll(() => receiver.close());

/** A platform of the test's own, with money on its books, that is asked before a payment is credited. */
async function askedPlatform(): Promise<Client> {
  const variables = { DAYBOOK_ROLES: 'api' };
  const { databaseUrl } = service;
  const platform = await startTestService({ databaseUrl, clock, variables });
  onTestFinished(() => platform.stop());
  await customerWith(platform.client);
  expectStatus(await platform.client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  return platform.client;
}

async function waitingPayment(by: Client, overrides: object = {}) {
  const receiver = await createCustomer(by);
  const answer = await receive(by, { receiverUmaAddress: receiver.umaAddress, ...overrides });
  const waiting = expectStatus(answer, 200);
  expect(waiting.status).toBe('PENDING');
  return { receiver, waiting };
}

const approve = (by: Client, { id }: Json, body?: object) => by.post(`/transactions/${id}/approve`, body);
const reject = (by: Client, { id }: Json, body?: object) => by.post(`/transactions/${id}/reject`, body);

async function letTimeRunOut(): Promise<void> {
  clock.advance(approvalOver);
  await service.timers.empty();
  await service.timers.reconcile();
}

describe('a payment to a platform that is asked first', () => {
  it('is credited once it is approved', async () => {
    const by = await askedPlatform();
    const { receiver, waiting } = await waitingPayment(by);
    expect(await balanceOf(by, receiver.id)).toBe(0);
    const approved = expectStatus(await approve(by, waiting), 200);
    expect([approved.id, approved.type, approved.status]).toEqual([waiting.id, 'INCOMING', 'PROCESSING']);
    await expectEnded(service.databaseUrl, by, waiting, ['PENDING', 'PROCESSING', 'COMPLETED']);
    expect(await balanceOf(by, receiver.id)).toBe(2_500);
  });

  it('is credited with what the platform says of the receiver', async () => {
    const by = await askedPlatform();
    const { waiting } = await waitingPayment(by);
    expectStatus(await approve(by, waiting, { receiverCustomerInfo: { FULL_NAME: 'Ada Lovelace' } }), 200);
    await untilEnded(by, waiting.id, 'COMPLETED');
  });

  it.each([[undefined], [{}], [{ reason: 'not ours' }]])('is rejected with the body %j', async (body) => {
    const by = await askedPlatform();
    const { receiver, waiting } = await waitingPayment(by);
    const rejected = expectStatus(await reject(by, waiting, body), 200);
    expect([rejected.status, rejected.type]).toEqual(['REJECTED', 'INCOMING']);
    await expectEnded(service.databaseUrl, by, waiting, ['PENDING', 'REJECTED']);
    expect(await balanceOf(by, receiver.id)).toBe(0);
  });

  it('fails when the platform says nothing in time', async () => {
    const by = await askedPlatform();
    const { receiver, waiting } = await waitingPayment(by);
    await letTimeRunOut();
    const ended = await expectEnded(service.databaseUrl, by, waiting, ['PENDING', 'FAILED']);
    expect(ended.failureReason).toBe('PAYMENT_APPROVAL_TIMED_OUT');
    expect(await balanceOf(by, receiver.id)).toBe(0);
  });

  it('is decided once by twenty callers who approve and reject at the same time', async () => {
    const by = await askedPlatform();
    const { receiver, waiting } = await waitingPayment(by);
    const answers = await together(20, (n) => (n % 2 ? approve : reject)(by, waiting));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 19 });
    const codes = new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code));
    expect(codes).toEqual(new Set(['TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL']));
    const isApproved = answers.some(({ status }, n) => status === 200 && n % 2 === 1);
    await untilEnded(by, waiting.id, isApproved ? 'COMPLETED' : 'REJECTED');
    expect(await balanceOf(by, receiver.id)).toBe(isApproved ? 2_500 : 0);
  });

  it.each([
    ['approved', approve],
    ['rejected', reject],
    ['out of time', letTimeRunOut],
  ] as const)('cannot be decided again once it is %s', async (_how, end) => {
    const by = await askedPlatform();
    const { waiting } = await waitingPayment(by);
    await end(by, waiting);
    await letTimeRunOut();
    await eventually(
      () => transactionOf(by, waiting.id),
      ({ status }) => status !== 'PENDING',
    );
    for (const decide of [approve, reject]) {
      const answer = await decide(by, waiting);
      expectProblem(answer, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
    }
  });

  it("is not another platform's to decide", async () => {
    const by = await askedPlatform();
    const { waiting } = await waitingPayment(by);
    for (const decide of [approve, reject])
      expectProblem(await decide(client, waiting), 404, 'TRANSACTION_NOT_FOUND');
    expect((await by.get(`/transactions/${waiting.id}`)).body.status).toBe('PENDING');
  });

  it('fails after approval where the sender fails a compliance check', async () => {
    const by = await askedPlatform();
    const sender = { senderUmaAddress: sandboxAddress('fail.compliance.usd') };
    const { waiting } = await waitingPayment(by, sender);
    expectStatus(await approve(by, waiting), 200);
    const ended = await expectEnded(service.databaseUrl, by, waiting, ['PENDING', 'PROCESSING', 'FAILED']);
    expect(ended.failureReason).toBe('PAY_REQUEST_FAILED');
  });
});

describe.each([
  ['approve', approve],
  ['reject', reject],
] as const)('%s', (_name, decide) => {
  it('is refused for payments that do not wait for it', async () => {
    const payer = await customerWith(client);
    const deposit = expectStatus(await client.get('/transactions', { customerId: payer.customer.id }), 200);
    const body = await toAddress(client, payer, sandboxAddress('success.usd'));
    const { transactionId } = await quote(client, body);
    for (const id of [deposit.data[0].id, transactionId])
      expectProblem(await decide(client, { id }), 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
  });

  it.each([[idOfNobody('Transaction')], ['nonsense']])('does not find %s', async (id) => {
    expectProblem(await decide(client, { id }), 404, 'TRANSACTION_NOT_FOUND');
  });

  it('needs TRANSACT', async () => {
    const by = await askedPlatform();
    const { waiting } = await waitingPayment(by);
    const reader = await clientWith(service, ['VIEW', 'MANAGE']);
    expectProblem(await decide(reader, waiting), 404, 'TRANSACTION_NOT_FOUND');
    const deposit = await customerWith(client);
    const list = await client.get('/transactions', { customerId: deposit.customer.id });
    expectProblem(await decide(reader, list.body.data[0]), 403, 'FORBIDDEN');
  });
});

describe("a customer's payment to a platform that is asked first", () => {
  const payTo = async (by: Client) => {
    const payer = await customerWith(client, 100_000);
    const receiver = await createCustomer(by);
    const { id, transactionId } = await quote(client, await toAddress(client, payer, receiver.umaAddress));
    await executeQuote(client, { id });
    const find = async () => (await by.get('/transactions', { customerId: receiver.id })).body.data[0];
    let incoming = await find();
    while (!incoming) incoming = await find();
    return { payer, receiver, transactionId, incoming };
  };

  it.each([
    ['approves', approve, 'COMPLETED', 'COMPLETED', undefined],
    ['rejects', reject, 'REJECTED', 'REJECTED', 'PAY_REQUEST_FAILED'],
    ['does not answer', letTimeRunOut, 'FAILED', 'FAILED', 'PAYMENT_APPROVAL_TIMED_OUT'],
  ] as const)('ends on both sides when the platform %s', async (_how, end, sent, received, failureReason) => {
    const by = await askedPlatform();
    const { payer, receiver, transactionId, incoming } = await payTo(by);
    expect(incoming.status).toBe('PENDING');
    await end(by, incoming);
    expect((await untilEnded(client, transactionId, sent)).failureReason).toBe(failureReason);
    const ended = await untilEnded(by, incoming.id, received);
    const arrived = sent === 'COMPLETED' ? ended.receivedAmount.amount : 0;
    expect(await balanceOf(by, receiver.id)).toBe(arrived);
    expect(await balanceOf(client, payer.customer.id)).toBe(sent === 'COMPLETED' ? 90_000 : 100_000);
    for (const id of [transactionId, incoming.id])
      expect(await inFlightOf(service.databaseUrl, id)).toEqual({});
    expect([...(await unbalanced(client)), ...(arrived ? await unbalanced(by) : [])]).toEqual([]);
  });
});
