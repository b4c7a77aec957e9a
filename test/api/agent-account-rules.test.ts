/** What a policy says of one account holds, also for whoever may register accounts and delete them. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import {
  approvalRequired,
  employed,
  everything,
  policyOf,
  pullIn,
  reasonOf,
  type Staffed,
  staffed,
} from '../support/resources/agents.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { customerWith, usdInfo } from '../support/resources/payments.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;

/** The agent, with a rule for the account that it pulls money from. */
async function ruled(rule: Json, policy: Json = {}, more: Json = {}): Promise<Staffed> {
  const one = await staffed(client, policy);
  const accountRules = [{ accountId: one.bank.id, ...rule }];
  const accountRestrictions = { accountRules, ...more };
  expectStatus(await client.patch(`/agents/${one.agent.id}/policy`, { accountRestrictions }), 200);
  return one;
}

const held = { executionMode: 'APPROVAL_REQUIRED', perTransactionLimit: 100 };
const mine = ({ bank }: Staffed) => `/agents/me/external-accounts/${bank.id}`;
const ofPlatform = ({ bank }: Staffed) => `/customers/external-accounts/${bank.id}`;
const again = { currency: 'USD', accountInfo: usdInfo('789') };

describe('an agent', () => {
  it('does not delete an account that a rule of its policy names', async () => {
    const one = await ruled(held);
    expect(reasonOf(await pullIn(one, 20_000))).toBe('PER_TRANSACTION_LIMIT');
    expectProblem(await one.me.delete(mine(one)), 409, 'CONFLICT');
    expectProblem(await one.me.post('/agents/me/external-accounts', again), 409, 'CONFLICT');
    expect(reasonOf(await pullIn(one, 20_000))).toBe('PER_TRANSACTION_LIMIT');
  });

  it('does not delete one that a rule of another agent of the customer names', async () => {
    const one = await ruled(held);
    const { me } = await employed(client, one.customer.id);
    expectProblem(await me.delete(mine(one)), 409, 'CONFLICT');
  });

  it('deletes it once no rule names it', async () => {
    const one = await ruled(held);
    const accountRestrictions = { accountRules: [] };
    expectStatus(await client.patch(`/agents/${one.agent.id}/policy`, { accountRestrictions }), 200);
    expect((await one.me.delete(mine(one))).status).toBe(204);
  });

  it('deletes it once the agent with the rule is deleted', async () => {
    const one = await ruled(held);
    const { me } = await employed(client, one.customer.id);
    expect((await client.delete(`/agents/${one.agent.id}`)).status).toBe(204);
    expect((await me.delete(mine(one))).status).toBe(204);
  });
});

describe('a token with MANAGE alone', () => {
  const refusedTo = async (one: Staffed) => {
    const manager = await clientWith(service, ['MANAGE']);
    const answer = await manager.delete(ofPlatform(one));
    expect(expectProblem(answer, 403, 'FORBIDDEN').details.requiredPermission).toBe('TRANSACT');
  };

  it.each([[{ perTransactionLimit: 100 }], [{ executionMode: 'APPROVAL_REQUIRED' }]])(
    'does not delete an account that a rule holds to %j',
    async (rule) => {
      const one = await ruled(rule);
      await refusedTo(one);
      const payer = await clientWith(service, ['TRANSACT']);
      expect((await payer.delete(ofPlatform(one))).status).toBe(204);
    },
  );

  it.each<[string, Json, Json, Json]>([
    ['lets more be paid', { perTransactionLimit: 200_000 }, {}, {}],
    ['is of an agent whose payments need approval', { perTransactionLimit: 100 }, approvalRequired, {}],
    ['is of an agent that moves nothing', held, { permissions: [everything[0]] }, {}],
    ['stands beside a list, which has no other account', held, {}, { allowedAccountIds: [] }],
  ])('deletes one whose rule %s', async (_what, rule, policy, more) => {
    const one = await ruled(rule, policy, more);
    const manager = await clientWith(service, ['MANAGE']);
    expect((await manager.delete(ofPlatform(one))).status).toBe(204);
  });
});

describe('two rules for one account', () => {
  const rulesFor = (accountId: string) => ({
    accountRestrictions: {
      accountRules: [
        { accountId, executionMode: 'AUTO' },
        { accountId: idOfNobody('InternalAccount') },
        { accountId, executionMode: 'APPROVAL_REQUIRED', perTransactionLimit: 3 },
      ],
    },
  });
  const repeated = 'accountRestrictions.accountRules.2.accountId';

  it('are refused of a new agent', async () => {
    const { customer, account } = await customerWith(client, 0);
    const body = { name: 'x', customerId: customer.id, policy: policyOf(rulesFor(account.id)) };
    const problem = expectProblem(await client.post('/agents', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([`policy.${repeated}`]);
  });

  it('are refused of a policy that changes', async () => {
    const one = await staffed(client);
    const answer = await client.patch(`/agents/${one.agent.id}/policy`, rulesFor(one.account.id));
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual([repeated]);
    expect(expectStatus(await client.get(`/agents/${one.agent.id}`), 200).policy).toEqual(one.agent.policy);
  });
});

describe('a daily number of transactions', () => {
  const answerTo = async (dailyTransactionLimit: number | bigint) => {
    const { customer } = await customerWith(client, 0);
    const policy = policyOf({ spendingLimits: { dailyTransactionLimit } });
    return client.post('/agents', { name: 'x', customerId: customer.id, policy });
  };

  it.each([9_007_199_254_740_992n, 1e17, 10n ** 30n, 1.5])('of %s is told what it may be', async (limit) => {
    const problem = expectProblem(await answerTo(limit), 400, 'INVALID_INPUT');
    expect(problem.details.errors).toEqual([
      {
        field: 'policy.spendingLimits.dailyTransactionLimit',
        message: 'must be a whole number from 0 to 9007199254740991',
      },
    ]);
  });

  it('may be the greatest', async () => {
    const { agent } = expectStatus(await answerTo(Number.MAX_SAFE_INTEGER), 201);
    expect(agent.policy.spendingLimits.dailyTransactionLimit).toBe(Number.MAX_SAFE_INTEGER);
  });
});
