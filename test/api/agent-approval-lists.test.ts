import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  approvalRequired,
  approve,
  employed,
  payOut,
  reject,
  type Staffed,
  staffed,
  usageOf,
} from '../support/resources/agents.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { transferOut } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { clientFor, issueToken } from '../support/resources/tokens.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

const cautious = () => staffed(client, approvalRequired);
const asked = async (one: Staffed, amount = 5_000): Promise<Json> =>
  expectStatus(await payOut(one, amount), 201);
const approvals = async (filters: Record<string, string>): Promise<Json> =>
  expectStatus(await client.get('/agents/approvals', { limit: '100', ...filters }), 200);
const unspent = { dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 };

describe('the list of approvals', () => {
  it('shows what waits only, by every filter and in both orders', async () => {
    const one = await cautious();
    const second = { ...one, ...(await employed(client, one.customer.id, approvalRequired)) };
    const actions = [await asked(one), await asked(second), await asked(one)];
    expectStatus(await reject(client, await asked(one)), 200);
    const [first, middle, last] = actions.map(({ id }) => id);
    const listed = async (filters: Record<string, string>) =>
      (await approvals({ customerId: one.customer.id, ...filters })).data.map(({ id }: Json) => id);
    expect(await listed({})).toEqual([last, middle, first]);
    expect(await listed({ sortOrder: 'asc' })).toEqual([first, middle, last]);
    expect(await listed({ agentId: second.agent.id })).toEqual([middle]);
    expect(await listed({ startDate: actions[1].createdAt, endDate: actions[1].createdAt })).toContain(
      middle,
    );
    expect(await listed({ endDate: '2020-01-01' })).toEqual([]);
    const page = await approvals({ customerId: one.customer.id, limit: '2' });
    const rest = await approvals({ customerId: one.customer.id, limit: '2', cursor: page.nextCursor });
    expect([page.totalCount, rest.data.map(({ id }: Json) => id)]).toEqual([3, [first]]);
  });

  it('shows nothing of another platform', async () => {
    await asked(await cautious());
    expect(expectStatus(await beside.client.get('/agents/approvals'), 200).totalCount).toBe(0);
  });
});

describe('the list of decisions', () => {
  const decisions = async (filters: Record<string, string>): Promise<Json> =>
    expectStatus(await client.get('/agents/decisions', { limit: '100', ...filters }), 200);

  it('shows what was approved and rejected, when and by whom, and nothing else', async () => {
    const one = await cautious();
    const token = await issueToken(client, ['TRANSACT']);
    const [approved, rejected] = [await asked(one), await asked(one)];
    await asked(one);
    const free = await employed(client, one.customer.id);
    expectStatus(await payOut({ ...one, ...free }, 100), 201);
    expectStatus(await approve(clientFor(service.url, token), approved), 200);
    const answered = expectStatus(await reject(client, rejected), 200);
    const { data, totalCount } = await decisions({ customerId: one.customer.id, sortOrder: 'asc' });
    expect(totalCount).toBe(2);
    expect(data[0]).toMatchObject({ id: approved.id, status: 'APPROVED', approvedBy: token.id });
    expect(data[0].decidedAt >= approved.createdAt).toBe(true);
    expect(data[0]).not.toHaveProperty('rejectedBy');
    expect(data[1]).toEqual(answered);
    expect(data[1].rejectedBy).toMatch(/^Token:/);
    expect(data[1]).not.toHaveProperty('approvedBy');

    const ids = async (filters: Record<string, string>) =>
      (await decisions({ customerId: one.customer.id, ...filters })).data.map(({ id }: Json) => id);
    expect(await ids({ status: 'REJECTED' })).toEqual([rejected.id]);
    expect(await ids({ agentId: free.agent.id })).toEqual([]);
    expect(await ids({ decidedAfter: answered.decidedAt })).toContain(rejected.id);
    expect(await ids({ decidedBefore: '2020-01-01' })).toEqual([]);
    const pending = await client.get('/agents/decisions', { status: 'PENDING_APPROVAL' });
    expectProblem(pending, 400, 'INVALID_INPUT');
  });

  it('shows nothing of another platform', async () => {
    const one = await cautious();
    expectStatus(await reject(client, await asked(one)), 200);
    expect(expectStatus(await beside.client.get('/agents/decisions'), 200).totalCount).toBe(0);
  });

  it('says who deleted the agent of what waited', async () => {
    const one = await cautious();
    const action = await asked(one);
    expectStatus(await client.delete(`/agents/${one.agent.id}`), 204);
    const [decided] = (await decisions({ agentId: one.agent.id })).data;
    expect(decided).toMatchObject({ id: action.id, status: 'REJECTED' });
    expect(decided.rejectedBy).toMatch(/^Token:/);
  });
});

describe('an action', () => {
  it('is decided by its platform, under its agent only', async () => {
    const one = await cautious();
    const second = await employed(client, one.customer.id);
    const action = await asked(one);
    const misplaced = { id: action.id, agentId: second.agent.id };
    for (const decide of [approve, reject]) {
      expectProblem(await decide(beside.client, action), 404, 'REFERENCE_NOT_FOUND');
      expectProblem(await decide(client, misplaced), 404, 'REFERENCE_NOT_FOUND');
      const unknown = { ...action, id: idOfNobody('AgentAction') };
      expectProblem(await decide(client, unknown), 404, 'REFERENCE_NOT_FOUND');
    }
    expectProblem(await second.me.get(`/agents/me/actions/${action.id}`), 404, 'REFERENCE_NOT_FOUND');
    expectStatus(await approve(client, action), 200);
  });

  it('is not made by a payment of the platform', async () => {
    const one = await cautious();
    const transaction = expectStatus(await transferOut(client, one.account.id, one.bank.id, 100), 201);
    expect(transaction).not.toHaveProperty('agentId');
    expect((await one.me.get('/agents/me/actions')).body.totalCount).toBe(0);
    expect(await usageOf(one)).toMatchObject(unspent);
  });
});
