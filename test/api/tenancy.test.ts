import { beforeAll, describe, expect, it } from 'vitest';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import type { Answer } from '../support/http/client.ts';
import { allPages, idsIn } from '../support/http/lists.ts';
import { expectProblem } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import { documented, isIdSchema, isList, takingBasic, titled } from '../support/interface/interface.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  expectStatus,
  fund,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { lookUp } from '../support/resources/payments.ts';
import {
  type Belongings,
  belongingOf,
  besideOfTests,
  createBelongings,
  pathOf,
  queryOf,
  targetOf,
} from '../support/resources/platforms.ts';
import { idOfNobody } from '../support/values/ids.ts';

const ours = serviceOfTests();
const theirs = besideOfTests(ours);
let our: Belongings;
let their: Belongings;
beforeAll(async () => {
  our = await createBelongings(ours.client);
  their = await createBelongings(theirs.client);
});

const withParams = takingBasic.filter(({ params }) => params.length > 0);
const source = (accountId: string, customerId?: string) => ({
  accountId,
  ...(customerId && { customerId }),
});
const quote = (from: object, accountId: string) => ({
  ...quoteBody('', ''),
  source: from,
  destination: { accountId },
});

describe("another platform's id", () => {
  it.each(titled(withParams.filter(({ method }) => method === 'GET')))(
    'is there for its owner: %s',
    async (_id, operation) => {
      expectStatus(await send(theirs, 'GET', targetOf(operation, their)), 200);
    },
  );

  it.each(titled(documented.filter(({ query }) => query.some(({ name }) => name === 'senderUmaAddress'))))(
    'is not found as the customer who asks: %s',
    async (_id, operation) => {
      const path = pathOf(operation, our);
      const foreign = await send(ours, 'GET', `${path}?customerId=${their.customerId}`);
      expectProblem(foreign, 404, 'USER_NOT_FOUND');
      const unknown = idOfNobody('Customer');
      expect((await send(ours, 'GET', `${path}?customerId=${unknown}`)).body).toEqual(foreign.body);
      const byAddress = (address: string) =>
        send(ours, 'GET', `${path}?senderUmaAddress=${encodeURIComponent(address)}`);
      const nobodys = expectProblem(await byAddress('$nobody@daybook.test'), 404, 'UMA_NOT_FOUND');
      expect(expectProblem(await byAddress(their.umaAddress), 404)).toEqual(nobodys);
      expectStatus(await byAddress(our.umaAddress), 200);
    },
  );

  it('is not found at both ends at once', async () => {
    const both = quote(source(their.accountId), their.externalAccountId);
    expectProblem(await ours.client.post('/quotes', both), 404);
  });

  it('is not found as the customer of a platform account', async () => {
    const { data } = expectStatus(
      await ours.client.get('/platform/internal-accounts', { currency: 'USD' }),
      200,
    );
    const body = quote(source(data[0].id, their.customerId), our.externalAccountId);
    expectProblem(await ours.client.post('/quotes', body), 404, 'USER_NOT_FOUND');
  });
});

describe("another platform's payment address", () => {
  it('tells nothing but what a sender needs', async () => {
    const found = await lookUp(ours.client, their.umaAddress, our.customerId);
    expect(found.receiverUmaAddress).toBe(their.umaAddress);
    const { umaAddress, ...others } = their;
    const text = JSON.stringify(found);
    expect(Object.values(others).filter((id) => text.includes(id))).toEqual([]);
  });

  it("needs a lookup of the sender's own platform", async () => {
    const { umaAddress } = await createCustomer(theirs.client);
    const destination = { destinationType: 'UMA_ADDRESS', umaAddress };
    const body = { ...quoteBody(our.accountId, ''), destination };
    const { lookupId: foreign } = await lookUp(theirs.client, umaAddress, their.customerId);
    const refused = await ours.client.post('/quotes', { ...body, lookupId: foreign });
    expectProblem(refused, 404, 'LOOKUP_REQUEST_NOT_FOUND');
    const { lookupId } = await lookUp(ours.client, umaAddress, our.customerId);
    expectStatus(await ours.client.post('/quotes', { ...body, lookupId }), 201);
  });

  it('is paid without either platform seeing the other side', async () => {
    const receiver = await createCustomer(theirs.client);
    const sender = await createCustomer(ours.client);
    const account = await accountOf(ours.client, sender.id);
    await fund(ours.client, account.id, 10_000);
    const { umaAddress } = receiver;
    const { lookupId } = await lookUp(ours.client, umaAddress, sender.id);
    const destination = { destinationType: 'UMA_ADDRESS', umaAddress };
    const request = { ...quoteBody(account.id, ''), destination, lookupId, immediatelyExecute: true };
    const { transactionId } = expectStatus(await ours.client.post('/quotes', request), 201);
    const sent = await untilTransaction(ours.client, transactionId, 'COMPLETED');
    const query = { customerId: receiver.id };
    const [received] = expectStatus(await theirs.client.get('/transactions', query), 200).data;
    expect(received).toMatchObject({ type: 'INCOMING', status: 'COMPLETED', customerId: receiver.id });
    expect(received.receivedAmount).toEqual(sent.receivedAmount);
    expectProblem(await theirs.client.get(`/transactions/${transactionId}`), 404);
    expectProblem(await ours.client.get(`/transactions/${received.id}`), 404);
    const theirAccount = await accountOf(theirs.client, receiver.id);
    expect(theirAccount.balance.amount).toBe(sent.receivedAmount.amount);
    for (const hidden of [sender.id, sender.platformCustomerId, account.id, transactionId])
      expect(JSON.stringify(received)).not.toContain(hidden);
    for (const hidden of [receiver.id, receiver.platformCustomerId, theirAccount.id, received.id])
      expect(JSON.stringify(sent)).not.toContain(hidden);
  });
});

describe('the configuration', () => {
  it('is one of each platform', async () => {
    const before = expectStatus(await theirs.client.get('/config'), 200);
    const embeddedWalletConfig = { appName: 'Ours', otpLength: 9 };
    const changed = expectStatus(await ours.client.patch('/config', { embeddedWalletConfig }), 200);
    expect(changed.embeddedWalletConfig).toMatchObject(embeddedWalletConfig);
    expect(changed.id).not.toBe(before.id);
    expect(expectStatus(await theirs.client.get('/config'), 200)).toEqual(before);
  });
});

describe('a list', () => {
  const lists = takingBasic.filter(isList);

  it.each(titled(lists))('shows nothing of another platform: %s', async (_id, operation) => {
    const { path, query } = operation;
    const limit: Record<string, string> = query.some(({ name }) => name === 'limit') ? { limit: '100' } : {};
    const as = (own: Belongings) => ({ ...limit, ...queryOf(operation, own) });
    expectNothingOf(their, await ours.client.get(path, as(our)));
    expectNothingOf(our, await theirs.client.get(path, as(their)));
  });

  const filters = lists.flatMap((operation) =>
    operation.query
      .filter(({ schema }) => isIdSchema(schema))
      .map(({ name }) => [operation.path, name, operation] as const),
  );
  it.each(filters)("finds nothing at %s by another platform's %s", async (path, name, operation) => {
    const key = belongingOf(operation, name, their);
    const query = { ...queryOf(operation, our), [name]: key ? their[key] : '' };
    expect(expectStatus(await ours.client.get(path, query), 200)).toMatchObject({ data: [] });
    expect(await allPages(theirs.client, path, query)).not.toEqual([]);
  });

  it.each(['accountIdentifier', 'senderAccountIdentifier', 'receiverAccountIdentifier'])(
    'finds no transaction by %s',
    async (name) => {
      for (const id of [their.accountId, their.externalAccountId])
        expect(await idsIn(ours.client, '/transactions', { [name]: id })).toEqual([]);
    },
  );

  it("shows its own rows alone with another platform's cursor", async () => {
    await fund(theirs.client, their.accountId, 1);
    const page = expectStatus(await theirs.client.get('/transactions', { limit: '1' }), 200);
    const answer = await ours.client.get('/transactions', { limit: '100', cursor: page.nextCursor });
    if (answer.status !== 400) expectNothingOf(their, answer);
  });

  function expectNothingOf(belongings: Belongings, answer: Answer): void {
    const text = JSON.stringify(expectStatus(answer, 200));
    expect(Object.values(belongings).filter((id) => text.includes(id))).toEqual([]);
  }
});

describe('a name', () => {
  it("may be another platform's too as platformCustomerId", async () => {
    const given = { customerType: 'INDIVIDUAL', platformCustomerId: 'ada' };
    expectStatus(await ours.client.post('/customers', given), 201);
    expectStatus(await theirs.client.post('/customers', given), 201);
  });

  it('belongs to one customer in the whole domain as payment address', async () => {
    const given = { customerType: 'INDIVIDUAL', umaAddress: '$ada@daybook.test' };
    expectStatus(await ours.client.post('/customers', given), 201);
    expectProblem(await ours.client.post('/customers', given), 409, 'UMA_ADDRESS_EXISTS');
    expectProblem(await theirs.client.post('/customers', given), 400, 'INVALID_UMA_ADDRESS');
    expect(await idsIn(theirs.client, '/customers', { umaAddress: given.umaAddress })).toEqual([]);
  });

  it('may be registered by both as bank account', async () => {
    const body = { currency: 'GBP', accountInfo: accountInfoInput('GBP_ACCOUNT') };
    expectStatus(await ours.client.post('/platform/external-accounts', body), 201);
    expectStatus(await theirs.client.post('/platform/external-accounts', body), 201);
  });
});
