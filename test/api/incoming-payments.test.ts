import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { expectEnded, inFlightOf, transactionCount, untilEnded } from '../support/log/books.ts';
import { clientWith, serviceOfTests, startTestService } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus, registerPayee } from '../support/resources/flows.ts';
import { balanceOf, eurInfo, receive, sandboxAddress } from '../support/resources/payments.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const { client } = service;

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
    const ended = await expectEnded(service.databaseUrl, client, received, [
      'PENDING',
      'PROCESSING',
      'COMPLETED',
    ]);
    expect(ended.settledAt).toBeDefined();
    expect(await balanceOf(client, receiver.id)).toBe(2_500);
  });

  it.each<[string, (receiver: Json) => object]>([
    ['customerId', ({ id }) => ({ customerId: id })],
    ['an address in capitals', ({ umaAddress }) => ({ receiverUmaAddress: umaAddress.toUpperCase() })],
  ])('may name the receiver by %s', async (_what, named) => {
    const receiver = await createCustomer(client);
    const { id } = expectStatus(await receive(client, named(receiver)), 200);
    await untilEnded(client, id, 'COMPLETED');
    expect(await balanceOf(client, receiver.id)).toBe(2_500);
  });

  it('fails where the sender fails a compliance check', async () => {
    const receiver = await createCustomer(client);
    const sender = { senderUmaAddress: sandboxAddress('fail.compliance.usd') };
    const received = expectStatus(await receive(client, { customerId: receiver.id, ...sender }), 200);
    const ended = await expectEnded(service.databaseUrl, client, received, [
      'PENDING',
      'PROCESSING',
      'FAILED',
    ]);
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
    ['005', 'FAILED'],
    ['006', 'REJECTED'],
    ['007', 'FAILED'],
  ])('ends at a default deposit account that ends in %s as %s', async (suffix, status) => {
    const receiver = await createCustomer(client, { currencies: ['EUR'] });
    const accountInfo = eurInfo(suffix);
    await registerPayee(client, { customerId: receiver.id, accountInfo, defaultUmaDepositAccount: true });
    const euros = { receivingCurrencyCode: 'EUR', senderUmaAddress: sandboxAddress('success.eur') };
    const { id } = expectStatus(await receive(client, { customerId: receiver.id, ...euros }), 200);
    await untilEnded(client, id, status);
    expect(await inFlightOf(service.databaseUrl, id)).toEqual({});
  });

  it('may come from a customer, and does not hold up the next', async () => {
    const own = await startTestService();
    onTestFinished(() => own.stop());
    const [sender, receiver] = [await createCustomer(own.client), await createCustomer(own.client)];
    const ends = { senderUmaAddress: sender.umaAddress, receiverUmaAddress: receiver.umaAddress };
    const { id } = expectStatus(await receive(own.client, ends), 200);
    await untilEnded(own.client, id, 'COMPLETED');
    const next = expectStatus(await receive(own.client, { customerId: receiver.id }), 200);
    await untilEnded(own.client, next.id, 'COMPLETED');
  });
});

describe('a simulated payment', () => {
  it.each([
    [{ senderUmaAddress: '$nobody@sandbox.daybook.test' }, 404, 'UMA_NOT_FOUND'],
    [{ senderUmaAddress: 'nobody' }, 400, 'INVALID_UMA_ADDRESS'],
    [{ receiverUmaAddress: '$nobody@daybook.test' }, 404, 'UMA_NOT_FOUND'],
    [{ receiverUmaAddress: 'nobody' }, 400, 'INVALID_UMA_ADDRESS'],
    [{ receiverUmaAddress: sandboxAddress('success.usd') }, 404, 'UMA_NOT_FOUND'],
    [{ customerId: idOfNobody('Customer') }, 404, 'USER_NOT_FOUND'],
    [{ customerId: 'nobody' }, 400, 'INVALID_INPUT'],
    [{ receivingCurrencyCode: 'EUR' }, 400, 'INVALID_CURRENCY'],
    [{ receivingCurrencyCode: 'XXX' }, 400, 'INVALID_CURRENCY'],
    [{ receivingCurrencyAmount: 0 }, 400, 'INVALID_AMOUNT'],
    [{ receivingCurrencyAmount: -5 }, 400, 'INVALID_AMOUNT'],
    [{ receivingCurrencyAmount: 0.5 }, 400, 'INVALID_AMOUNT'],
    [{ receivingCurrencyAmount: 9_000_000_000_000_001n }, 400, 'INVALID_AMOUNT'],
  ])('is refused for %o: %i %s', async (overrides, status, code) => {
    const receiver = await createCustomer(client);
    const before = await transactionCount(client);
    const to = 'customerId' in overrides ? {} : { receiverUmaAddress: receiver.umaAddress };
    expectProblem(await receive(client, { ...to, ...overrides }), status, code);
    expect(await transactionCount(client)).toBe(before);
  });

  it('is refused with every field that is missing', async () => {
    const problem = expectProblem(await client.post('/sandbox/uma/receive', {}), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(
      expect.arrayContaining(['receivingCurrencyAmount', 'receivingCurrencyCode', 'senderUmaAddress']),
    );
  });

  it('is refused without a receiver', async () => {
    const body = { senderUmaAddress: sandboxAddress('success.usd'), receivingCurrencyCode: 'USD' };
    const answer = await client.post('/sandbox/uma/receive', { ...body, receivingCurrencyAmount: 1 });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['receiverUmaAddress']);
  });

  describe('whose receiver is named both ways', () => {
    it('is for the customer that both name', async () => {
      const { id, umaAddress } = await createCustomer(client);
      const named = { customerId: id, receiverUmaAddress: umaAddress.toUpperCase() };
      expect(expectStatus(await receive(client, named), 200).customerId).toBe(id);
    });

    it('is refused where they name two', async () => {
      const [one, other] = [await createCustomer(client), await createCustomer(client)];
      const answer = await receive(client, { customerId: one.id, receiverUmaAddress: other.umaAddress });
      const problem = expectProblem(answer, 400, 'INVALID_INPUT');
      expect(namedFields(problem)).toEqual(['customerId', 'receiverUmaAddress']);
    });

    it.each([
      ['$nobody@nowhere.test', 404, 'UMA_NOT_FOUND'],
      ['not an address', 400, 'INVALID_UMA_ADDRESS'],
    ])('is refused for an address that is no one: %s', async (receiverUmaAddress, status, code) => {
      const { id } = await createCustomer(client);
      expectProblem(await receive(client, { customerId: id, receiverUmaAddress }), status, code);
    });
  });

  it("is refused for another platform's customer", async () => {
    const beside = await startBeside(service);
    onTestFinished(() => beside.stop());
    const foreign = await createCustomer(beside.client);
    expectProblem(await receive(client, { customerId: foreign.id }), 404, 'USER_NOT_FOUND');
    const address = { receiverUmaAddress: foreign.umaAddress };
    expectProblem(await receive(client, address), 404, 'UMA_NOT_FOUND');
  });

  it('is refused for a customer who is not approved', async () => {
    const pending = await createCustomer(client, { kycStatus: 'PENDING' });
    expectProblem(await receive(client, { customerId: pending.id }), 403, 'USER_NOT_READY');
  });

  it('needs the permission TRANSACT', async () => {
    const receiver = await createCustomer(client);
    const reader = await clientWith(service, ['VIEW', 'MANAGE']);
    expectProblem(await receive(reader, { customerId: receiver.id }), 403, 'FORBIDDEN');
  });

  it('is refused to a token of production', async () => {
    const receiver = await createCustomer(client);
    const production = await clientWith(service, ['TRANSACT'], 'production');
    expectProblem(await receive(production, { customerId: receiver.id }), 403, 'FORBIDDEN');
  });
});
