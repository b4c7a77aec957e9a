import { beforeAll, describe, expect, it } from 'vitest';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import { basic } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { documented, takingBasic, titled } from '../support/interface/interface.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  approvalRequired,
  employed,
  executeAs,
  newQuoteAs,
  payOut,
  reasonOf,
  type Staffed,
  staffed,
} from '../support/resources/agents.ts';
import { accountOf, createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { registerUsd } from '../support/resources/payments.ts';
import { withCheckDigits } from '../support/values/iban.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;
let one: Staffed;
let other: Staffed;
beforeAll(async () => {
  one = await staffed(client);
  other = await staffed(client);
});

const asAgents = documented.filter(({ schemes }) => schemes.includes('bearer'));
const reach = (path: string) => path.replace(/\{(\w+)\}/g, idOfNobody('X'));

describe('credentials', () => {
  it('are Bearer for everything under /agents/me and for nothing else', () => {
    const paths = asAgents.map(({ path }) => path);
    expect(paths.every((path) => path.startsWith('/agents/me'))).toBe(true);
    expect(takingBasic.filter(({ path }) => path.startsWith('/agents/me'))).toEqual([]);
    expect(paths.length).toBe(15);
  });

  it.each(titled(asAgents))('of an API token are refused by %s', async (_id, { method, path }) => {
    for (const headers of [{ authorization: basic(service.credentials) }, {}]) {
      const answer = await client.raw(reach(path), { method, headers });
      expectProblem(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Daybook"');
    }
  });

  it.each(titled(takingBasic))('of an agent are refused by %s', async (_id, { method, path }) => {
    const headers = { authorization: `Bearer ${one.accessToken}` };
    const answer = await client.raw(reach(path), { method, headers });
    expectProblem(answer, 401, 'UNAUTHORIZED');
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Daybook"');
  });
});

describe('an agent reads', () => {
  it('itself', async () => {
    const me = expectStatus(await one.me.get('/agents/me'), 200);
    expect(me).toEqual(expectStatus(await client.get(`/agents/${one.agent.id}`), 200));
  });

  it("its customer's transactions, and no other's", async () => {
    const mine = expectStatus(await payOut(one, 100), 201).transaction;
    const theirs = expectStatus(await payOut(other, 100), 201).transaction;
    const { data } = expectStatus(await one.me.get('/agents/me/transactions'), 200);
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toContain(mine.id);
    expect(ids).not.toContain(theirs.id);
    expect((await one.me.get(`/agents/me/transactions/${mine.id}`)).body).toMatchObject({
      id: mine.id,
      agentId: one.agent.id,
    });
    const foreign = await one.me.get(`/agents/me/transactions/${theirs.id}`);
    expectProblem(foreign, 404, 'TRANSACTION_NOT_FOUND');
  });

  it('transactions by filter, page by page in both orders', async () => {
    await payOut(one, 101);
    await payOut(one, 102);
    const list = async (filters: Record<string, string>) =>
      expectStatus(await one.me.get('/agents/me/transactions', filters), 200);
    const outgoing = await list({ type: 'OUTGOING', senderAccountIdentifier: one.account.id, limit: '1' });
    expect(outgoing).toMatchObject({ hasMore: true, data: [{ type: 'OUTGOING' }] });
    const next = await list({
      type: 'OUTGOING',
      senderAccountIdentifier: one.account.id,
      limit: '1',
      cursor: outgoing.nextCursor,
    });
    expect(next.data[0].id).not.toBe(outgoing.data[0].id);
    const oldest = await list({ sortOrder: 'asc', limit: '1' });
    expect(oldest.data[0].type).toBe('INCOMING');
    expect((await list({ status: 'EXPIRED' })).totalCount).toBe(0);
  });

  it.each(['customerId', 'platformCustomerId'])('no transactions by %s', async (field) => {
    const answer = await one.me.get('/agents/me/transactions', { [field]: one.customer.id });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual([field]);
  });

  it('the internal accounts that it may use', async () => {
    const customer = await createCustomer(client, { currencies: ['USD', 'EUR'] });
    const account = await accountOf(client, customer.id, 'EUR');
    const restricted = { accountRestrictions: { allowedAccountIds: [account.id] } };
    const { me } = await employed(client, customer.id, restricted);
    const { data, totalCount } = expectStatus(await me.get('/agents/me/internal-accounts'), 200);
    expect([data, totalCount]).toEqual([[account], 1]);
    const none = await employed(client, customer.id, { accountRestrictions: { allowedAccountIds: [] } });
    expect((await none.me.get('/agents/me/internal-accounts')).body.totalCount).toBe(0);
    const all = await employed(client, customer.id);
    const usd = expectStatus(await all.me.get('/agents/me/internal-accounts', { currency: 'USD' }), 200);
    expect(usd.data).toEqual([await accountOf(client, customer.id)]);
  });

  it('quotes of its own only', async () => {
    const mine = await newQuoteAs(one);
    expect((await one.me.get(`/agents/me/quotes/${mine.id}`)).body).toEqual(mine);
    const ofPlatform = await client.post('/quotes', quoteBody(one.account.id, one.payee.id));
    const foreign = [await newQuoteAs(other), expectStatus(ofPlatform, 201), { id: idOfNobody('Quote') }];
    for (const { id } of foreign) {
      expectProblem(await one.me.get(`/agents/me/quotes/${id}`), 404, 'QUOTE_NOT_FOUND');
      expectProblem(await executeAs(one, { id }), 404, 'QUOTE_NOT_FOUND');
    }
  });

  it('actions of its own only', async () => {
    const mine = expectStatus(await payOut(one, 100), 201);
    const theirs = expectStatus(await payOut(other, 100), 201);
    expect((await one.me.get(`/agents/me/actions/${mine.id}`)).body).toMatchObject({ id: mine.id });
    expectProblem(await one.me.get(`/agents/me/actions/${theirs.id}`), 404, 'REFERENCE_NOT_FOUND');
    const { data } = expectStatus(await one.me.get('/agents/me/actions', { status: 'APPROVED' }), 200);
    expect(data.every(({ agentId }: { agentId: string }) => agentId === one.agent.id)).toBe(true);
    expect((await one.me.get('/agents/me/actions', { status: 'REJECTED' })).body.totalCount).toBe(0);
  });

  it('while it is paused', async () => {
    const paused = await staffed(client, approvalRequired);
    const action = expectStatus(await payOut(paused, 100), 201);
    const quoted = await newQuoteAs(paused);
    expectStatus(await client.patch(`/agents/${paused.agent.id}`, { isPaused: true }), 200);
    const paths = ['', '/transactions', '/internal-accounts', '/external-accounts', '/actions'];
    const ids = [`/actions/${action.id}`, `/quotes/${quoted.id}`, `/transactions/${quoted.transactionId}`];
    for (const path of [...paths, ...ids]) expectStatus(await paused.me.get(`/agents/me${path}`), 200);
  });

  it('nothing without the permission', async () => {
    const { me } = await employed(client, one.customer.id, { permissions: ['CREATE_TRANSFERS'] });
    const transaction = `/agents/me/transactions/${(await newQuoteAs(one)).transactionId}`;
    const external = `/agents/me/external-accounts/${one.bank.id}`;
    const lists = ['transactions', 'internal-accounts', 'external-accounts'].map(
      (name) => `/agents/me/${name}`,
    );
    for (const path of [...lists, transaction, external])
      expect(reasonOf(await me.get(path))).toBe('PERMISSION');
    expectStatus(await me.get('/agents/me'), 200);
    expectStatus(await me.get('/agents/me/actions'), 200);
  });
});

describe('external accounts of an agent', () => {
  const path = '/agents/me/external-accounts';
  const iban = (digits: string) => ({
    currency: 'EUR',
    accountInfo: accountInfoInput('EUR_ACCOUNT', { iban: withCheckDigits(`DE0037040044053202${digits}`) }),
  });

  it('can be registered, read, listed and deleted by it', async () => {
    const created = expectStatus(
      await one.me.post(path, { ...iban('1001'), platformAccountId: 'rent' }),
      201,
    );
    expect(created).toMatchObject({ customerId: one.customer.id, platformAccountId: 'rent' });
    expect((await one.me.get(`${path}/${created.id}`)).body).toEqual(created);
    const { data } = expectStatus(await one.me.get(path, { currency: 'EUR', limit: '1' }), 200);
    expect(data).toEqual([created]);
    expect((await one.me.delete(`${path}/${created.id}`)).status).toBe(204);
    expectProblem(await one.me.get(`${path}/${created.id}`), 404, 'REFERENCE_NOT_FOUND');
  });

  it('may name no other customer than its own', async () => {
    const named = { ...iban('1002'), customerId: one.customer.id };
    expectStatus(await one.me.post(path, named), 201);
    const foreign = { ...iban('1003'), customerId: other.customer.id };
    expectProblem(await one.me.post(path, foreign), 403, 'FORBIDDEN');
  });

  it('are registered once', async () => {
    expectStatus(await one.me.post(path, iban('1004')), 201);
    expectProblem(await one.me.post(path, iban('1004')), 409, 'CONFLICT');
  });

  it('are those of its customer only', async () => {
    const ofPlatform = await client.post('/platform/external-accounts', iban('1005'));
    for (const id of [other.bank.id, expectStatus(ofPlatform, 201).id]) {
      expectProblem(await one.me.get(`${path}/${id}`), 404, 'REFERENCE_NOT_FOUND');
      expectProblem(await one.me.delete(`${path}/${id}`), 404, 'REFERENCE_NOT_FOUND');
    }
    const { data } = expectStatus(await one.me.get(path, { limit: '100' }), 200);
    expect(new Set(data.map(({ customerId }: { customerId: string }) => customerId))).toEqual(
      new Set([one.customer.id]),
    );
  });

  it('need the permission, and an agent that is not paused, to be changed', async () => {
    const without = await employed(client, one.customer.id, { permissions: ['CREATE_QUOTES'] });
    const paused = await employed(client, one.customer.id);
    expectStatus(await client.patch(`/agents/${paused.agent.id}`, { isPaused: true }), 200);
    const bank = await registerUsd(client, one.customer.id, '777');
    for (const [{ me }, reason] of [
      [without, 'PERMISSION'],
      [paused, 'PAUSED'],
    ] as const) {
      expect(reasonOf(await me.post(path, iban('1006')))).toBe(reason);
      expect(reasonOf(await me.delete(`${path}/${bank.id}`))).toBe(reason);
    }
    expectStatus(await client.get(`/customers/external-accounts/${bank.id}`), 200);
  });
});
