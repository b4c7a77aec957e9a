/** Who may let an agent pay: nobody who may not pay. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { approvalRequired, createAgent, policyOf, redeem } from '../support/resources/agents.ts';
import { accountOf, createCustomer, expectStatus } from '../support/resources/flows.ts';

const service = serviceOfTests();
const { client } = service;
let customerId: string;
let accountId: string;
let manager: Client;
let payer: Client;
beforeAll(async () => {
  customerId = (await createCustomer(client)).id;
  accountId = (await accountOf(client, customerId)).id;
  manager = await clientWith(service, ['MANAGE']);
  payer = await clientWith(service, ['MANAGE', 'TRANSACT']);
});

const create = (by: Client, policy: Json = {}) =>
  by.post('/agents', { name: 'Bookkeeper', customerId, policy: policyOf(policy) });
const changePolicy = (by: Client, { agent }: Json, changes: Json) =>
  by.patch(`/agents/${agent.id}/policy`, changes);
const issueCode = (by: Client, { agent }: Json) => by.post(`/agents/${agent.id}/device-codes`);

const refused = (answer: Awaited<ReturnType<typeof create>>) =>
  expect(expectProblem(answer, 403, 'FORBIDDEN').details.requiredPermission).toBe('TRANSACT');

describe('a token with MANAGE alone', () => {
  it('makes no agent that pays by itself, and gets no device code of one', async () => {
    refused(await create(manager));
    refused(await create(manager, { ...approvalRequired, accountRestrictions: autoFor(accountId) }));
  });

  it('makes agents that ask for approval or move nothing', async () => {
    expectStatus(await create(manager, approvalRequired), 201);
    expectStatus(await create(manager, { permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES'] }), 201);
  });

  it('does not become the agent that somebody else has made', async () => {
    const created = await createAgent(client, customerId);
    refused(await issueCode(manager, created));
    expectStatus(await redeem(client, created.deviceCode.code), 200);
    const asking = await createAgent(client, customerId, approvalRequired);
    expectStatus(await issueCode(manager, asking), 201);
  });

  it('pauses an agent that pays by itself, and does not let it go on', async () => {
    const { agent } = await createAgent(client, customerId);
    const path = `/agents/${agent.id}`;
    expectStatus(await manager.patch(path, { isPaused: true }), 200);
    refused(await manager.patch(path, { isPaused: false }));
    expectStatus(await manager.patch(path, { name: 'Clerk' }), 200);
    expect((await client.get(path)).body).toMatchObject({ name: 'Clerk', isPaused: true });
    expectStatus(await payer.patch(path, { isPaused: false }), 200);
  });

  it('lets an agent that asks for approval go on', async () => {
    const { agent } = await createAgent(client, customerId, approvalRequired);
    for (const isPaused of [true, false])
      expectStatus(await manager.patch(`/agents/${agent.id}`, { isPaused }), 200);
  });

  it.each([
    { spendingLimits: { perTransactionLimit: 100_001 } },
    { spendingLimits: { dailyLimit: null } },
    { accountRestrictions: { allowedAccountIds: null } },
    { approvalThresholds: null },
    { permissions: policyOf().permissions },
    { defaultExecutionMode: 'AUTO' },
  ])('does not widen a policy by %j', async (changes) => {
    const created = await createAgent(client, customerId, narrow());
    refused(await changePolicy(manager, created, changes));
    expect((await client.get(`/agents/${created.agent.id}`)).body.policy).toEqual(created.agent.policy);
    expectStatus(await changePolicy(payer, created, changes), 200);
  });

  it.each([
    { spendingLimits: { perTransactionLimit: 99_999, dailyLimit: 1 } },
    { accountRestrictions: { allowedAccountIds: [] } },
    { approvalThresholds: { amount: 0 } },
    { permissions: [] },
  ])('narrows a policy by %j', async (changes) => {
    const created = await createAgent(client, customerId, narrow());
    expectStatus(await changePolicy(manager, created, changes), 200);
  });
});

const autoFor = (accountId: string) => ({ accountRules: [{ accountId, executionMode: 'AUTO' }] });

/** Pays small amounts from one account by itself. */
const narrow = () => ({
  permissions: ['CREATE_TRANSFERS'],
  ...approvalRequired,
  spendingLimits: { dailyLimit: 100_000 },
  accountRestrictions: { allowedAccountIds: [accountId], ...autoFor(accountId) },
  approvalThresholds: { currency: 'USD', amount: 10_000 },
});
