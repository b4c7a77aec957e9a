import { beforeAll, describe, expect, it } from 'vitest';
import { agentClientOf, type Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  createAgent,
  employed,
  everything,
  newQuoteAs,
  payOut,
  policyOf,
  redeem,
  staffed,
} from '../support/resources/agents.ts';
import { accountOf, createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests, clientThrough } from '../support/resources/platforms.ts';
import { idOfNobody } from '../support/values/ids.ts';

const unknownAgent = idOfNobody('Agent');

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);
let customer: Json;
beforeAll(async () => {
  customer = await createCustomer(client);
});

const create = (policy: Json = {}) => createAgent(client, customer.id, policy);
const read = async ({ id }: Json): Promise<Json> => expectStatus(await client.get(`/agents/${id}`), 200);
const change = async ({ id }: Json, body: object): Promise<Json> =>
  expectStatus(await client.patch(`/agents/${id}`, body), 200);
const changePolicy = async ({ id }: Json, body: object): Promise<Json> =>
  expectStatus(await client.patch(`/agents/${id}/policy`, body), 200).policy;
const statusOf = (code: string, by = client) => by.get(`/agents/device-codes/${code}/status`);

describe('creating an agent', () => {
  it('answers with the agent and its first device code', async () => {
    const { agent, deviceCode } = await create();
    expect(agent).toEqual({
      id: expect.stringMatching(/^Agent:/),
      name: 'Bookkeeper',
      customerId: customer.id,
      isPaused: false,
      isConnected: false,
      policy: {
        permissions: everything,
        defaultExecutionMode: 'AUTO',
        spendingLimits: {
          currency: 'USD',
          perTransactionLimit: 100_000,
          dailyLimit: null,
          monthlyLimit: null,
        },
      },
      usage: {
        dailyTransactionCount: 0,
        dailySpend: 0,
        monthlySpend: 0,
        dailyResetDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        monthlyResetMonth: expect.stringMatching(/^\d{4}-\d\d$/),
      },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(deviceCode).toEqual({
      code: expect.stringMatching(/^SVC-AGENT-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/),
      agentId: agent.id,
      expiresAt: new Date(Date.parse(agent.createdAt) + 86_400_000).toISOString(),
      redeemed: false,
    });
    expect(await read(agent)).toEqual(agent);
  });

  it('keeps the whole policy', async () => {
    const account = await accountOf(client, customer.id);
    const policy = {
      permissions: ['CREATE_QUOTES'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      spendingLimits: {
        currency: 'EUR',
        perTransactionLimit: 0,
        dailyLimit: 9_007_199_254_740_993n,
        dailyTransactionLimit: 3,
        monthlyLimit: 9_223_372_036_854_775_807n,
      },
      accountRestrictions: {
        allowedAccountIds: [account.id],
        accountRules: [{ accountId: account.id, executionMode: 'AUTO', perTransactionLimit: 5 }],
      },
      approvalThresholds: { currency: 'GBP', amount: 0 },
    };
    const body = { name: 'x', customerId: customer.id, policy };
    const { agent } = expectStatus(await client.post('/agents', body), 201);
    expect(agent.policy).toEqual(policy);
    expect((await read(agent)).policy).toEqual(policy);
  });

  it.each<[string, Json, string[]]>([
    ['no permissions', { permissions: undefined }, ['policy.permissions']],
    ['an unknown permission', { permissions: ['SPEND'] }, ['policy.permissions.0']],
    ['an unknown mode', { defaultExecutionMode: 'MANUAL' }, ['policy.defaultExecutionMode']],
    ['an unknown currency', { spendingLimits: { currency: 'XXX' } }, ['policy.spendingLimits.currency']],
    [
      'a negative limit',
      { spendingLimits: { perTransactionLimit: -1, dailyLimit: -1 } },
      ['policy.spendingLimits.dailyLimit', 'policy.spendingLimits.perTransactionLimit'],
    ],
    [
      'a threshold without a currency',
      { approvalThresholds: { amount: 5 } },
      ['policy.approvalThresholds.currency'],
    ],
    [
      'what is no account',
      { accountRestrictions: { allowedAccountIds: ['Customer:1'] } },
      ['policy.accountRestrictions.allowedAccountIds.0'],
    ],
  ])('refuses %s', async (_what, policy, fields) => {
    const body = { name: 'x', customerId: customer.id, policy: policyOf(policy) };
    const problem = expectProblem(await client.post('/agents', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(fields);
  });

  it("refuses another platform's customer", async () => {
    const body = { name: 'x', customerId: customer.id, policy: policyOf() };
    expectProblem(await beside.client.post('/agents', body), 404, 'USER_NOT_FOUND');
  });
});

describe('the list of agents', () => {
  const listed = async (filters: Record<string, string>) => {
    const { data, totalCount } = expectStatus(await client.get('/agents', { limit: '100', ...filters }), 200);
    expect(totalCount).toBe(data.length);
    return data.map(({ id }: Json) => id);
  };

  it('takes every filter', async () => {
    const { id: customerId } = await createCustomer(client);
    const first = await employed(client, customerId);
    await eventually(
      async () => Date.now(),
      (at) => at > Date.parse(first.agent.createdAt),
    );
    const { agent: second } = await createAgent(client, customerId);
    await change(second, { isPaused: true });
    expect(await listed({ customerId })).toEqual([second.id, first.agent.id]);
    expect(await listed({ customerId, isPaused: 'true' })).toEqual([second.id]);
    expect(await listed({ customerId, isPaused: 'false' })).toEqual([first.agent.id]);
    expect(await listed({ customerId, isConnected: 'true' })).toEqual([first.agent.id]);
    expect(await listed({ customerId, createdAfter: second.createdAt })).toEqual([second.id]);
    expect(await listed({ customerId, createdBefore: first.agent.createdAt })).toEqual([first.agent.id]);
    const { updatedAt } = await read(second);
    expect(await listed({ customerId, updatedAfter: updatedAt })).toEqual([second.id]);
    expect(await listed({ customerId, updatedBefore: updatedAt })).toEqual([second.id, first.agent.id]);
  });

  it('shows each agent as it is, page by page', async () => {
    const { agent } = await create();
    const page = expectStatus(await client.get('/agents', { limit: '1' }), 200);
    expect(page).toMatchObject({ data: [agent], hasMore: true, nextCursor: expect.any(String) });
    const next = expectStatus(await client.get('/agents', { limit: '1', cursor: page.nextCursor }), 200);
    expect(next.data[0].id).not.toBe(agent.id);
  });

  it("is the platform's own", async () => {
    await create();
    expect(expectStatus(await beside.client.get('/agents'), 200).totalCount).toBe(0);
  });
});

describe('changing an agent', () => {
  it('renames it, pauses it or lets it go on', async () => {
    const { agent } = await create();
    expect(await change(agent, { name: 'Clerk' })).toMatchObject({ name: 'Clerk', isPaused: false });
    expect(await change(agent, { isPaused: true })).toMatchObject({ name: 'Clerk', isPaused: true });
    const again = await change(agent, { isPaused: false });
    expect(await read(agent)).toEqual(again);
  });

  it('is refused when nothing is to change', async () => {
    const { agent } = await create();
    const problem = expectProblem(await client.patch(`/agents/${agent.id}`, {}), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['isPaused', 'name']);
  });
});

describe('changing a policy', () => {
  it('replaces lists as a whole, but limits one by one', async () => {
    const { agent } = await create({ spendingLimits: { dailyLimit: 10, monthlyLimit: 20 } });
    const limits = { currency: 'USD', perTransactionLimit: 100_000 };
    expect(await changePolicy(agent, { permissions: ['CREATE_QUOTES'] })).toMatchObject({
      permissions: ['CREATE_QUOTES'],
      spendingLimits: { ...limits, dailyLimit: 10, monthlyLimit: 20 },
    });
    const changed = await changePolicy(agent, { spendingLimits: { dailyLimit: null, monthlyLimit: 30 } });
    expect(changed.spendingLimits).toEqual({ ...limits, dailyLimit: null, monthlyLimit: 30 });
    expect((await read(agent)).policy).toEqual(changed);
    expect(await changePolicy(agent, {})).toEqual(changed);
  });

  it('takes effect at once in every process', async () => {
    const one = await staffed(client);
    await changePolicy(one.agent, { spendingLimits: { perTransactionLimit: 99 } });
    const there = agentClientOf(beside.client, one.accessToken);
    expectProblem(await payOut({ ...one, me: there }, 100), 403, 'FORBIDDEN');
    expectStatus(await payOut({ ...one, me: there }, 99), 201);
  });

  it('refuses a threshold without a currency', async () => {
    const { agent } = await create();
    const answer = await client.patch(`/agents/${agent.id}/policy`, { approvalThresholds: { amount: 5 } });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['approvalThresholds.currency']);
  });
});

describe('deleting an agent', () => {
  it('leaves nothing to be found', async () => {
    const { agent, deviceCode } = await create();
    expect((await client.delete(`/agents/${agent.id}`)).status).toBe(204);
    expectProblem(await client.get(`/agents/${agent.id}`), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await client.delete(`/agents/${agent.id}`), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await statusOf(deviceCode.code), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await redeem(client, deviceCode.code), 404, 'REFERENCE_NOT_FOUND');
  });

  it('ends its token at once in every process', async () => {
    const one = await staffed(client);
    const there = agentClientOf(beside.client, one.accessToken);
    expectStatus(await there.get('/agents/me'), 200);
    const quoted = await newQuoteAs(one);
    expect((await client.delete(`/agents/${one.agent.id}`)).status).toBe(204);
    for (const me of [there, one.me]) {
      const answer = await me.get('/agents/me');
      expectProblem(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Daybook"');
      expectProblem(await me.post(`/agents/me/quotes/${quoted.id}/execute`), 401, 'UNAUTHORIZED');
    }
  });

  it('leaves no secret of it behind', async () => {
    const { agent } = await employed(client, customer.id);
    expect((await client.delete(`/agents/${agent.id}`)).status).toBe(204);
    const left = `select (select count(*) from daybook.agent_tokens where agent_id = $1)
      + (select count(*) from daybook.agent_device_codes where agent_id = $1) as n`;
    expect(await query(service.databaseUrl, left, [agent.id])).toEqual([{ n: '0' }]);
  });
});

describe("another platform's agent", () => {
  it('is not found', async () => {
    const { agent } = await create();
    const missing = await beside.client.get(`/agents/${agent.id}`);
    expectProblem(missing, 404, 'REFERENCE_NOT_FOUND');
    expect((await client.get(`/agents/${unknownAgent}`)).body).toEqual(missing.body);
    expectProblem(await beside.client.patch(`/agents/${agent.id}`, { isPaused: true }), 404);
    expectProblem(await beside.client.patch(`/agents/${agent.id}/policy`, {}), 404);
    expectProblem(await beside.client.post(`/agents/${agent.id}/device-codes`), 404);
    expectProblem(await beside.client.delete(`/agents/${agent.id}`), 404);
    expectStatus(await clientThrough(beside, service).get(`/agents/${agent.id}`), 200);
  });
});
