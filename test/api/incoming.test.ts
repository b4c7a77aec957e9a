import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  inFlightOf,
  statusesOf,
  transactionCount,
  transactionOf,
  unbalanced,
  untilEnded,
} from '../support/books.ts';
import type { Client, Json } from '../support/client.ts';
import { countByStatus, together } from '../support/concurrency.ts';
import { accountOf, createCustomer, eventually, expectStatus, registerPayee } from '../support/flows.ts';
import { movableClock } from '../support/movable-clock.ts';
import {
  balanceOf,
  customerWith,
  eurInfo,
  executeQuote,
  quote,
  receive,
  sandboxAddress,
  toAddress,
} from '../support/payments.ts';
import { expectProblem, namedFields } from '../support/problems.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { clientWith, startTestService, type TestService } from '../support/service.ts';

const unknown = '019a0000-0000-7000-8000-000000000000';
/** Longer than a platform may take to approve or reject. */
const approvalOver = 11_000;

const clock = movableClock();
let service: TestService;
let client: Client;
let databaseUrl: string;
/** Says that it will decide later, every time. */
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer(202);
  service = await startTestService({ clock, variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
  ({ client, databaseUrl } = service);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** A platform of the test's own that is asked before a payment is credited. */
async function askedPlatform(): Promise<Client> {
  const variables = { DAYBOOK_ROLES: 'api' };
  const platform = await startTestService({ databaseUrl, clock, variables });
  onTestFinished(() => platform.stop());
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

async function expectEnded(by: Client, { id }: Json, statuses: readonly string[]): Promise<Json> {
  const ended = await untilEnded(by, id, statuses.at(-1) ?? '');
  expect(await statusesOf(databaseUrl, id)).toEqual(statuses);
  expect(await inFlightOf(databaseUrl, id)).toEqual({});
  expect(await unbalanced(client)).toEqual([]);
  return ended;
}

describe('a simulated payment to a platform without webhooks', () => {
  it('is credited to the primary account', async () => {
    const receiver = await createCustomer(client, { currencies: ['USD', 'EUR'] });
    const received = expectStatus(await receive(client, { receiverUmaAddress: receiver.umaAddress }), 200);
    const account = await accountOf(client, receiver.id);
    expect(received).toMatchObject({
      type: 'INCOMING',
      direction: 'CREDIT',
      customerId: receiver.id,
      status: 'PROCESSING',
      platformCustomerId: receiver.platformCustomerId,
      receivedAmount: { amount: 2_500, currency: { code: 'USD' } },
      source: { sourceType: 'UMA_ADDRESS', umaAddress: sandboxAddress('success.usd'), currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: account.id, currency: 'USD' },
    });
    const ended = await expectEnded(client, received, ['PENDING', 'PROCESSING', 'COMPLETED']);
    expect(ended.settledAt).toBeDefined();
    expect(await balanceOf(client, receiver.id)).toBe(2_500);
  });

  it('names the receiver by customerId, and any case of the address', async () => {
    const receiver = await createCustomer(client);
    const byId = expectStatus(await receive(client, { customerId: receiver.id }), 200);
    const shouted = { receiverUmaAddress: receiver.umaAddress.toUpperCase() };
    const byAddress = expectStatus(await receive(client, shouted), 200);
    for (const { id } of [byId, byAddress]) await untilEnded(client, id, 'COMPLETED');
    expect(await balanceOf(client, receiver.id)).toBe(5_000);
  });

  it('fails where the sender fails a compliance check', async () => {
    const receiver = await createCustomer(client);
    const sender = { senderUmaAddress: sandboxAddress('fail.compliance.usd') };
    const received = expectStatus(await receive(client, { customerId: receiver.id, ...sender }), 200);
    const ended = await expectEnded(client, received, ['PENDING', 'PROCESSING', 'FAILED']);
    expect(ended.failureReason).toBe('PAY_REQUEST_FAILED');
    expect(ended).not.toHaveProperty('refund');
    expect(await balanceOf(client, receiver.id)).toBe(0);
  });

  it('stays under way where the sender is slow', async () => {
    const receiver = await createCustomer(client);
    const sender = { senderUmaAddress: sandboxAddress('pending.long.usd') };
    const received = expectStatus(await receive(client, { customerId: receiver.id, ...sender }), 200);
    expect((await client.get(`/transactions/${received.id}`)).body.status).toBe('PROCESSING');
    expect(await balanceOf(client, receiver.id)).toBe(0);
  });

  it('goes to the default deposit account where there is one in its currency', async () => {
    const receiver = await createCustomer(client, { currencies: ['USD', 'EUR'] });
    const external = await registerPayee(client, {
      customerId: receiver.id,
      accountInfo: eurInfo('456'),
      defaultUmaDepositAccount: true,
    });
    const euros = { receivingCurrencyCode: 'EUR', senderUmaAddress: sandboxAddress('success.eur') };
    const inEuro = expectStatus(await receive(client, { customerId: receiver.id, ...euros }), 200);
    const inDollar = expectStatus(await receive(client, { customerId: receiver.id }), 200);
    for (const { id } of [inEuro, inDollar]) await untilEnded(client, id, 'COMPLETED');
    expect(inEuro.destination.accountId).toBe(external.id);
    expect(inDollar.destination.accountId).toBe((await accountOf(client, receiver.id)).id);
    expect([await balanceOf(client, receiver.id, 'EUR'), await balanceOf(client, receiver.id)]).toEqual([
      0, 2_500,
    ]);
  });

  it.each([
    ['002', 'FAILED'],
    ['003', 'COMPLETED'],
    ['004', 'FAILED'],
    ['005', 'COMPLETED'],
    ['006', 'REJECTED'],
    ['007', 'FAILED'],
  ])('ends at a default deposit account that ends in %s as %s', async (suffix, status) => {
    const receiver = await createCustomer(client, { currencies: ['EUR'] });
    const accountInfo = eurInfo(suffix);
    await registerPayee(client, { customerId: receiver.id, accountInfo, defaultUmaDepositAccount: true });
    const euros = { receivingCurrencyCode: 'EUR', senderUmaAddress: sandboxAddress('success.eur') };
    const { id } = expectStatus(await receive(client, { customerId: receiver.id, ...euros }), 200);
    await untilEnded(client, id, status);
    expect(await inFlightOf(databaseUrl, id)).toEqual({});
  });

  it('comes from a customer too, and the service goes on', async () => {
    const own = await startTestService();
    onTestFinished(() => own.stop());
    const [sender, receiver] = [await createCustomer(own.client), await createCustomer(own.client)];
    const ends = { senderUmaAddress: sender.umaAddress, receiverUmaAddress: receiver.umaAddress };
    const { id } = expectStatus(await receive(own.client, ends), 200);
    await untilEnded(own.client, id, 'COMPLETED', 5_000);
    const next = expectStatus(await receive(own.client, { customerId: receiver.id }), 200);
    await untilEnded(own.client, next.id, 'COMPLETED', 5_000);
  });
});

describe('a simulated payment', () => {
  it.each([
    [{ senderUmaAddress: '$nobody@sandbox.daybook.test' }, 404, 'UMA_NOT_FOUND'],
    [{ senderUmaAddress: 'nobody' }, 400, 'INVALID_UMA_ADDRESS'],
    [{ receiverUmaAddress: '$nobody@daybook.test' }, 404, 'UMA_NOT_FOUND'],
    [{ receiverUmaAddress: 'nobody' }, 400, 'INVALID_UMA_ADDRESS'],
    [{ receiverUmaAddress: sandboxAddress('success.usd') }, 404, 'UMA_NOT_FOUND'],
    [{ customerId: `Customer:${unknown}` }, 404, 'USER_NOT_FOUND'],
    [{ customerId: 'nobody' }, 400, 'INVALID_INPUT'],
    [{ receivingCurrencyCode: 'EUR' }, 400, 'INVALID_CURRENCY'],
    [{ receivingCurrencyCode: 'XXX' }, 400, 'INVALID_CURRENCY'],
    [{ receivingCurrencyAmount: 0 }, 400, 'INVALID_AMOUNT'],
    [{ receivingCurrencyAmount: -5 }, 400, 'INVALID_AMOUNT'],
    [{ receivingCurrencyAmount: 0.5 }, 400, 'INVALID_AMOUNT'],
    [{ receivingCurrencyAmount: 9_000_000_000_000_001n }, 400, 'INVALID_AMOUNT'],
  ])('with %o is refused with %i %s', async (overrides, status, code) => {
    const receiver = await createCustomer(client);
    const before = await transactionCount(client);
    const to = 'customerId' in overrides ? {} : { receiverUmaAddress: receiver.umaAddress };
    expectProblem(await receive(client, { ...to, ...overrides }), status, code);
    expect(await transactionCount(client)).toBe(before);
  });

  it('names every field that is missing', async () => {
    const problem = expectProblem(await client.post('/sandbox/uma/receive', {}), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(
      expect.arrayContaining(['receivingCurrencyAmount', 'receivingCurrencyCode', 'senderUmaAddress']),
    );
    const body = { senderUmaAddress: sandboxAddress('success.usd'), receivingCurrencyCode: 'USD' };
    const answer = await client.post('/sandbox/uma/receive', { ...body, receivingCurrencyAmount: 1 });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['receiverUmaAddress']);
  });

  it("is not for another platform's customer, or one who is not approved", async () => {
    const foreign = await createCustomer(await askedPlatform());
    expectProblem(await receive(client, { customerId: foreign.id }), 404, 'USER_NOT_FOUND');
    const address = { receiverUmaAddress: foreign.umaAddress };
    expectProblem(await receive(client, address), 404, 'UMA_NOT_FOUND');
    const pending = await createCustomer(client, { kycStatus: 'PENDING' });
    expectProblem(await receive(client, { customerId: pending.id }), 403, 'USER_NOT_READY');
  });

  it('needs TRANSACT, in the sandbox', async () => {
    const receiver = await createCustomer(client);
    const reader = await clientWith(service, ['VIEW', 'MANAGE']);
    expectProblem(await receive(reader, { customerId: receiver.id }), 403, 'FORBIDDEN');
    const production = await clientWith(service, ['TRANSACT'], 'production');
    expectProblem(await receive(production, { customerId: receiver.id }), 403, 'FORBIDDEN');
  });
});

describe('a payment to a platform that is asked first', () => {
  it('waits, and is credited once it is approved', async () => {
    const by = await askedPlatform();
    const { receiver, waiting } = await waitingPayment(by);
    expect(await balanceOf(by, receiver.id)).toBe(0);
    const approved = expectStatus(await approve(by, waiting), 200);
    expect([approved.id, approved.type, approved.status]).toEqual([waiting.id, 'INCOMING', 'PROCESSING']);
    await expectEnded(by, waiting, ['PENDING', 'PROCESSING', 'COMPLETED']);
    expect(await balanceOf(by, receiver.id)).toBe(2_500);
    expect(await unbalanced(by)).toEqual([]);
  });

  it('takes what the platform says of the receiver', async () => {
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
    await expectEnded(by, waiting, ['PENDING', 'REJECTED']);
    expect(await balanceOf(by, receiver.id)).toBe(0);
  });

  it('fails when the platform says nothing in time', async () => {
    const by = await askedPlatform();
    const { receiver, waiting } = await waitingPayment(by);
    await letTimeRunOut();
    const ended = await expectEnded(by, waiting, ['PENDING', 'FAILED']);
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
    const ended = await expectEnded(by, waiting, ['PENDING', 'PROCESSING', 'FAILED']);
    expect(ended.failureReason).toBe('PAY_REQUEST_FAILED');
  });
});

describe.each([
  ['approve', approve],
  ['reject', reject],
] as const)('%s', (_name, decide) => {
  it('is for incoming payments that wait', async () => {
    const payer = await customerWith(client);
    const deposit = expectStatus(await client.get('/transactions', { customerId: payer.customer.id }), 200);
    const body = await toAddress(client, payer, sandboxAddress('success.usd'));
    const { transactionId } = await quote(client, body);
    for (const id of [deposit.data[0].id, transactionId])
      expectProblem(await decide(client, { id }), 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
  });

  it.each([[`Transaction:${unknown}`], ['nonsense']])('does not find %s', async (id) => {
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
  ] as const)('ends on both sides when it %s', async (_how, end, sent, received, failureReason) => {
    const by = await askedPlatform();
    const { payer, receiver, transactionId, incoming } = await payTo(by);
    expect(incoming.status).toBe('PENDING');
    await end(by, incoming);
    expect((await untilEnded(client, transactionId, sent)).failureReason).toBe(failureReason);
    const ended = await untilEnded(by, incoming.id, received);
    const arrived = sent === 'COMPLETED' ? ended.receivedAmount.amount : 0;
    expect(await balanceOf(by, receiver.id)).toBe(arrived);
    expect(await balanceOf(client, payer.customer.id)).toBe(sent === 'COMPLETED' ? 90_000 : 100_000);
    for (const id of [transactionId, incoming.id]) expect(await inFlightOf(databaseUrl, id)).toEqual({});
    expect([...(await unbalanced(client)), ...(arrived ? await unbalanced(by) : [])]).toEqual([]);
  });
});
