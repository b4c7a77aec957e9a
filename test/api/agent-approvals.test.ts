import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  actionsOf,
  approvalRequired,
  approve,
  executeAs,
  newQuoteAs,
  payOut,
  pullIn,
  quoteAs,
  reject,
  type Staffed,
  staffed,
  usageOf,
} from '../support/resources/agents.ts';
import { eventually, expectStatus, fund, untilTransaction } from '../support/resources/flows.ts';
import { balanceOf, registerUsd } from '../support/resources/payments.ts';
import { besideOfTests, clientThrough } from '../support/resources/platforms.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();

const service = serviceOfTests({ clock });
const { client } = service;
const beside = besideOfTests(service);
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
});
afterAll(() => receiver.close());

type Way = (one: Staffed) => Promise<Answer>;
const ways: [string, Way][] = [
  ['TRANSFER_OUT', (one) => payOut(one, 5_000)],
  ['TRANSFER_IN', (one) => pullIn(one, 5_000)],
  ['EXECUTE_QUOTE', async (one) => executeAs(one, await newQuoteAs(one, { lockedCurrencyAmount: 5_000 }))],
];

const cautious = (policy: Json = {}, amount?: number) =>
  staffed(client, { ...approvalRequired, ...policy }, amount);
const asked = async (one: Staffed, amount = 5_000): Promise<Json> =>
  expectStatus(await payOut(one, amount), 201);
const approvals = async (filters: Record<string, string>): Promise<Json> =>
  expectStatus(await client.get('/agents/approvals', { limit: '100', ...filters }), 200);
const unspent = { dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 };

describe.each(ways)('an action that needs approval: %s', (type, ask) => {
  it('waits, and has moved nothing', async () => {
    const one = await cautious();
    const before = await balanceOf(client, one.customer.id);
    const { body: action, status } = await ask(one);
    expect(status).toBe(type === 'EXECUTE_QUOTE' ? 200 : 201);
    expect(action).toMatchObject({ status: 'PENDING_APPROVAL', type, agentId: one.agent.id });
    expect(action).toHaveProperty(type === 'EXECUTE_QUOTE' ? 'quote' : 'transferDetails');
    expect(action).not.toHaveProperty('transaction');
    expect(await usageOf(one)).toMatchObject(unspent);
    expect(await balanceOf(client, one.customer.id)).toBe(before);
    await eventually(
      async () => receiver.typesAbout(action.id),
      (types) => types.length > 0,
    );
    const told = receiver.received.filter(({ body }) => body.data.id === action.id);
    expect(told.map(({ body }) => [body.type, body.data])).toEqual([
      ['AGENT_ACTION.PENDING_APPROVAL', action],
    ]);
    expect((await approvals({ agentId: one.agent.id })).data).toEqual([action]);
    expect((await one.me.get(`/agents/me/actions/${action.id}`)).body).toEqual(action);
  });

  it('is executed and counted once it is approved', async () => {
    const one = await cautious();
    const action = (await ask(one)).body;
    const approved = expectStatus(await approve(client, action), 200);
    expect(approved).toMatchObject({ id: action.id, status: 'APPROVED', createdAt: action.createdAt });
    expect(approved.transaction).toMatchObject({ agentId: one.agent.id });
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 1, dailySpend: 5_000 });
    expect((await approvals({ agentId: one.agent.id })).data).toEqual([]);
    await untilTransaction(client, approved.transaction.id, 'COMPLETED');
    expectProblem(await approve(client, action), 409, 'CONFLICT');
    expectProblem(await reject(client, action), 409, 'CONFLICT');
  });

  it('moves nothing once it is rejected', async () => {
    const one = await cautious();
    const action = (await ask(one)).body;
    const rejected = expectStatus(await reject(client, action, { reason: 'Too much' }), 200);
    expect(rejected).toMatchObject({ status: 'REJECTED', rejectionReason: 'Too much' });
    expect(rejected).not.toHaveProperty('transaction');
    expect((await one.me.get(`/agents/me/actions/${action.id}`)).body).toEqual(rejected);
    expectProblem(await approve(client, action), 409, 'CONFLICT');
    expectProblem(await reject(client, action), 409, 'CONFLICT');
    expect(await usageOf(one)).toMatchObject(unspent);
    expect(await balanceOf(client, one.customer.id)).toBe(1_000_000);
  });

  it('is executed once by 20 approvals at once, over two processes', async () => {
    const one = await cautious();
    const action = (await ask(one)).body;
    const through = [client, clientThrough(beside, service)];
    const answers = await together(20, (n) => approve(through[n % 2] ?? client, action));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 19 });
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 1, dailySpend: 5_000 });
    const { data } = expectStatus(await client.get('/transactions', { customerId: one.customer.id }), 200);
    expect(data.filter(({ agentId }: Json) => agentId === one.agent.id).length).toBe(1);
  });

  it('is either approved or rejected', async () => {
    const one = await cautious();
    const action = (await ask(one)).body;
    const answers = await together(10, (n) => (n % 2 ? approve(client, action) : reject(client, action)));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 9 });
  });

  it.each<[string, (one: Staffed) => Promise<unknown>]>([
    ['the agent is paused', ({ agent }) => client.patch(`/agents/${agent.id}`, { isPaused: true })],
    [
      'a limit does not cover it',
      ({ agent }) => client.patch(`/agents/${agent.id}/policy`, { spendingLimits: { dailyLimit: 4_999 } }),
    ],
    [
      'the account is not allowed',
      ({ agent }) =>
        client.patch(`/agents/${agent.id}/policy`, { accountRestrictions: { allowedAccountIds: [] } }),
    ],
  ])('fails on approval when %s by then', async (_what, change) => {
    const one = await cautious();
    const action = (await ask(one)).body;
    await change(one);
    const failed = expectStatus(await approve(client, action), 200);
    expect(failed).toMatchObject({ id: action.id, status: 'FAILED' });
    expect(failed).not.toHaveProperty('transaction');
    expect(await usageOf(one)).toMatchObject(unspent);
    expect(await balanceOf(client, one.customer.id)).toBe(1_000_000);
    expectProblem(await approve(client, action), 409, 'CONFLICT');
  });

  it('is rejected with its agent', async () => {
    const one = await cautious();
    const action = (await ask(one)).body;
    expect((await client.delete(`/agents/${one.agent.id}`)).status).toBe(204);
    expectProblem(await approve(client, action), 404, 'REFERENCE_NOT_FOUND');
    expect((await approvals({ customerId: one.customer.id })).data).toEqual([]);
  });
});

describe('a quote that is executed at once and needs approval', () => {
  it('is answered with the action that waits', async () => {
    const one = await cautious();
    const quoted = expectStatus(await quoteAs(one, { immediatelyExecute: true }), 201);
    expect(quoted.status).toBe('PENDING');
    const [action] = (await approvals({ agentId: one.agent.id })).data;
    expect(action).toMatchObject({ type: 'EXECUTE_QUOTE', status: 'PENDING_APPROVAL', quote: quoted });
    await eventually(
      async () => receiver.typesAbout(action.id),
      (types) => types.length > 0,
    );
    const told = receiver.received.find(({ body }) => body.data.id === action.id);
    expect(told?.body.data).toEqual(action);
    const approved = expectStatus(await approve(client, action), 200);
    expect(approved).toMatchObject({ status: 'APPROVED', transaction: { id: quoted.transactionId } });
    await untilTransaction(client, quoted.transactionId, 'COMPLETED');
  });

  it('comes to nothing where the agent may not create quotes any more', async () => {
    const one = await cautious();
    expectStatus(await quoteAs(one, { immediatelyExecute: true }), 201);
    const [action] = (await approvals({ agentId: one.agent.id })).data;
    const permissions = ['EXECUTE_QUOTES'];
    expectStatus(await client.patch(`/agents/${one.agent.id}/policy`, { permissions }), 200);
    const failed = expectStatus(await approve(client, action), 200);
    expect(failed).toMatchObject({ status: 'FAILED', failure: { code: 'FORBIDDEN' } });
  });
});

describe('approval', () => {
  it('is needed strictly above the threshold', async () => {
    const one = await staffed(client, { approvalThresholds: { currency: 'USD', amount: 5_000 } });
    expect((await asked(one)).status).toBe('APPROVED');
    expect((await asked(one, 5_001)).status).toBe('PENDING_APPROVAL');
  });

  it('is needed where the rule of the account says so', async () => {
    const one = await staffed(client);
    const rule = {
      accountId: one.account.id,
      executionMode: 'APPROVAL_REQUIRED',
      perTransactionLimit: 5_000,
    };
    const accountRestrictions = { accountRules: [rule] };
    expectStatus(await client.patch(`/agents/${one.agent.id}/policy`, { accountRestrictions }), 200);
    expect((await asked(one)).status).toBe('PENDING_APPROVAL');
    expectProblem(await payOut(one, 5_001), 403, 'FORBIDDEN');
  });

  it('does not wait for money, which may come in between', async () => {
    const one = await cautious({}, 0);
    const [poor, rich] = [await asked(one), await asked(one)];
    expect(expectStatus(await approve(client, poor), 200).status).toBe('FAILED');
    expect(await usageOf(one)).toMatchObject(unspent);
    await fund(client, one.account.id, 5_000);
    expect(expectStatus(await approve(client, rich), 200).status).toBe('APPROVED');
    expect((await one.me.get(`/agents/me/actions/${poor.id}`)).body.status).toBe('FAILED');
  });

  it('is asked for no longer than the quote is good', async () => {
    const one = await cautious();
    const action = expectStatus(await executeAs(one, await newQuoteAs(one)), 200);
    expectStatus(await quoteAs(one, { immediatelyExecute: true }), 201);
    const kept = await asked(one);
    clock.advance(300_001);
    const { data } = await eventually(
      () => approvals({ agentId: one.agent.id }),
      ({ totalCount }) => totalCount === 1,
    );
    expect(data).toMatchObject([{ id: kept.id }]);
    const ended = expectStatus(await one.me.get(`/agents/me/actions/${action.id}`), 200);
    expect(ended).toMatchObject({ status: 'FAILED', failure: { code: 'QUOTE_EXPIRED' } });
    expect(ended).not.toHaveProperty('decidedAt');
    expect(ended).not.toHaveProperty('transaction');
    const decisions = await client.get('/agents/decisions', { agentId: one.agent.id });
    expect(expectStatus(decisions, 200).data).toEqual([]);
    expectProblem(await approve(client, action), 409, 'CONFLICT');
    expect(await usageOf(one)).toMatchObject(unspent);
  });

  it('comes too late for a quote that was executed by the platform', async () => {
    const one = await cautious();
    const quoted = await newQuoteAs(one);
    const executed = expectStatus(await executeAs(one, quoted), 200);
    const quote = expectStatus(await client.post(`/quotes/${quoted.id}/execute`), 200);
    await untilTransaction(client, quote.transactionId, 'COMPLETED');
    const failed = expectStatus(await approve(client, executed), 200);
    expect(failed.status).toBe('FAILED');
    expect(failed).not.toHaveProperty('transaction');
    expect(expectStatus(await one.me.get(`/agents/me/actions/${executed.id}`), 200)).toEqual(failed);
    expect(await usageOf(one)).toMatchObject(unspent);
  });

  it('is asked for once for a quote, however often the agent executes it', async () => {
    const one = await cautious();
    const quoted = await newQuoteAs(one);
    const answers = await together(5, () => executeAs(one, quoted));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 4 });
    const [{ id }] = (await approvals({ agentId: one.agent.id })).data;
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(expectProblem(answer, 409, 'CONFLICT').details).toEqual({ actionId: id });
    expect(await actionsOf(one)).toBe(1);
  });

  it('comes too late for an account that was deleted', async () => {
    const one = await cautious();
    const action = await asked(one);
    expect((await client.delete(`/customers/external-accounts/${one.bank.id}`)).status).toBe(204);
    expect(expectStatus(await approve(client, action), 200)).toMatchObject({ status: 'FAILED' });
  });

  it('does not help a transfer that the rail refuses at once', async () => {
    const one = await cautious();
    const bank = await registerUsd(client, one.customer.id, '003');
    const action = await asked({ ...one, bank });
    const failed = expectStatus(await approve(client, action), 200);
    expect(failed).toMatchObject({ status: 'FAILED', transaction: { failureReason: 'OFFRAMP_FAILED' } });
    expect(await usageOf(one)).toMatchObject(unspent);
  });

  it('never lets through more than the limits, however much was asked for', async () => {
    const one = await cautious({ spendingLimits: { dailyLimit: 15_000 } });
    const actions = await together(6, () => asked(one));
    const answers = await together(6, (n) => approve(client, actions[n]));
    const statuses = answers.map((answer) => expectStatus(answer, 200).status).toSorted();
    expect(statuses).toEqual(['APPROVED', 'APPROVED', 'APPROVED', 'FAILED', 'FAILED', 'FAILED']);
    expect(await balanceOf(client, one.customer.id)).toBe(985_000);
  });

  it('says "Rejected by platform" where no reason is given', async () => {
    const one = await cautious();
    const rejected = expectStatus(await reject(client, await asked(one)), 200);
    expect(rejected.rejectionReason).toBe('Rejected by platform');
  });
});
