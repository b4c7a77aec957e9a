/** For whom an agent may be: a customer who is there, with accounts of this customer. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  createAgent,
  policyOf,
  pullIn,
  quoteAs,
  reasonOf,
  redeem,
  staffed,
} from '../support/resources/agents.ts';
import { accountOf, createCustomer, expectStatus } from '../support/resources/flows.ts';
import { customerWith, platformAccount, registerUsd } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);
let customer: Json;
beforeAll(async () => {
  customer = await createCustomer(client);
});

describe('an agent', () => {
  it.each(['allowedAccountIds', 'accountRules'])("refuses %s that are not its customer's", async (list) => {
    const [own, others] = [await accountOf(client, customer.id), await customerWith(client, 0)];
    const gone = await registerUsd(client, customer.id, '321');
    expect((await client.delete(`/customers/external-accounts/${gone.id}`)).status).toBe(204);
    const foreign = [
      others.account.id,
      (await registerUsd(client, others.customer.id)).id,
      (await customerWith(beside.client, 0)).account.id,
      (await platformAccount(client)).id,
      idOfNobody('InternalAccount'),
      gone.id,
    ];
    const named = [own.id, ...foreign];
    const accountRestrictions = {
      [list]: list === 'accountRules' ? named.map((accountId) => ({ accountId })) : named,
    };
    const body = { name: 'x', customerId: customer.id, policy: policyOf({ accountRestrictions }) };
    const problem = expectProblem(await client.post('/agents', body), 404, 'REFERENCE_NOT_FOUND');
    expect(problem.details.accountIds).toEqual(foreign);
    const { agent } = await createAgent(client, customer.id);
    const changed = await client.patch(`/agents/${agent.id}/policy`, { accountRestrictions });
    expectProblem(changed, 404, 'REFERENCE_NOT_FOUND');
    expect(expectStatus(await client.get(`/agents/${agent.id}`), 200).policy).toEqual(agent.policy);
  });

  it('keeps an account that was deleted since it was named', async () => {
    const bank = await registerUsd(client, customer.id, '654');
    const allowedAccountIds = [(await accountOf(client, customer.id)).id, bank.id];
    const { agent } = await createAgent(client, customer.id, { accountRestrictions: { allowedAccountIds } });
    await client.delete(`/customers/external-accounts/${bank.id}`);
    const changes = { accountRestrictions: { allowedAccountIds: [bank.id] } };
    expectStatus(await client.patch(`/agents/${agent.id}/policy`, changes), 200);
  });

  it('refuses a deleted customer, and anything that would widen what its agents may', async () => {
    const gone = await createCustomer(client);
    const { agent } = await createAgent(client, gone.id);
    expectStatus(await client.delete(`/customers/${gone.id}`), 200);
    const body = { name: 'x', customerId: gone.id, policy: policyOf() };
    for (const answer of [
      await client.post('/agents', body),
      await client.patch(`/agents/${agent.id}/policy`, { permissions: [] }),
      await client.post(`/agents/${agent.id}/device-codes`),
    ])
      expectProblem(answer, 410, 'CUSTOMER_DELETED');
    expectStatus(await client.patch(`/agents/${agent.id}`, { isPaused: true }), 200);
    expect((await client.delete(`/agents/${agent.id}`)).status).toBe(204);
  });

  it('is nobody to be by a code that was issued before its customer was deleted', async () => {
    const gone = await createCustomer(client);
    const { agent, deviceCode } = await createAgent(client, gone.id);
    expectStatus(await client.delete(`/customers/${gone.id}`), 200);
    const problem = expectProblem(await redeem(client, deviceCode.code), 400, 'INVALID_INPUT');
    expect(problem.details.reason).toBe('VOIDED');
    expect(expectStatus(await client.get(`/agents/${agent.id}`), 200).isConnected).toBe(false);
    const status = await client.get(`/agents/device-codes/${deviceCode.code}/status`);
    expect(expectStatus(status, 200).redeemed).toBe(false);
  });

  it('is not told its token again once its customer is deleted', async () => {
    const gone = await createCustomer(client);
    const { deviceCode } = await createAgent(client, gone.id);
    const key = { 'redemption-key': 'redeemed-by-the-bookkeeper' };
    expectStatus(await redeem(client, deviceCode.code, key), 200);
    expectStatus(await client.delete(`/customers/${gone.id}`), 200);
    expectProblem(await redeem(client, deviceCode.code, key), 400, 'INVALID_INPUT');
  });
});

describe('a policy that lists accounts', () => {
  const restrict = async (one: Json, allowedAccountIds: readonly string[]) =>
    expectStatus(
      await client.patch(`/agents/${one.agent.id}/policy`, { accountRestrictions: { allowedAccountIds } }),
      200,
    );

  it('lets money be pulled from the external accounts that it lists, by quote and by transfer', async () => {
    const one = await staffed(client);
    const pull = (immediatelyExecute: boolean) =>
      quoteAs(one, { source: { accountId: one.bank.id }, immediatelyExecute });
    await restrict(one, [one.account.id]);
    for (const answer of [await pullIn(one, 100), await pull(false), await pull(true)])
      expect(reasonOf(answer)).toBe('ACCOUNT_NOT_ALLOWED');
    await restrict(one, [one.account.id, one.bank.id]);
    for (const answer of [await pullIn(one, 100), await pull(false), await pull(true)])
      expectStatus(answer, 201);
  });

  it('lets quotes be made to the internal accounts that it lists alone', async () => {
    const one = await staffed(client);
    const own = await accountOf(client, one.customer.id, 'EUR');
    const pay = () => quoteAs(one, { destination: { accountId: own.id } });
    await restrict(one, [one.account.id]);
    expect(reasonOf(await pay())).toBe('ACCOUNT_NOT_ALLOWED');
    await restrict(one, [one.account.id, own.id]);
    expectStatus(await pay(), 201);
  });

  it('holds both to the rule of the account that is pulled from', async () => {
    const one = await staffed(client);
    const accountRules = [
      { accountId: one.bank.id, perTransactionLimit: 99 },
      { accountId: one.account.id, perTransactionLimit: 500_000 },
    ];
    const path = `/agents/${one.agent.id}/policy`;
    expectStatus(await client.patch(path, { accountRestrictions: { accountRules } }), 200);
    const asked = {
      source: { accountId: one.bank.id },
      lockedCurrencyAmount: 1_000,
      immediatelyExecute: true,
    };
    for (const answer of [await pullIn(one, 1_000), await quoteAs(one, asked)])
      expect(reasonOf(answer)).toBe('PER_TRANSACTION_LIMIT');
  });
});
