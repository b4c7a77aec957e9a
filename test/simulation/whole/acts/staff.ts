/** What platforms do with agents, and what agents ask for, over HTTP. */

import type { Json } from '../../../support/http/client.ts';
import { everything } from '../../../support/resources/agents.ts';
import { quoteBody } from '../../../support/resources/flows.ts';
import { usdInfo } from '../../../support/resources/payments.ts';
import { spendingLimits } from '../../agents.ts';
import type { Random } from '../../random.ts';
import { type Backends, decides, type PlatformNumber } from '../client.ts';
import { type AllHoldings, accountIn, type Holdings } from './holdings.ts';

const agentsMax = 2;
const amountMax = 12_000;

/** As the interface has them. */
const limits = {
  ...spendingLimits,
  perTransactionLimit: Number(spendingLimits.perTransactionLimit),
  dailyLimit: Number(spendingLimits.dailyLimit),
  monthlyLimit: Number(spendingLimits.monthlyLimit),
};

type Agent = Holdings['agents'][number];

export function staffOf({ ask, post }: Backends, random: Random, holdings: AllHoldings) {
  const employ = async (by: PlatformNumber) => {
    const { agents, customers } = holdings[by];
    const customer = random.pick(customers);
    if (!customer || agents.length >= agentsMax) return;
    const defaultExecutionMode = random.chance(0.6) ? 'AUTO' : 'APPROVAL_REQUIRED';
    const policy = { permissions: everything, spendingLimits: limits, defaultExecutionMode };
    const made = await post(by, '/agents', { name: 'Clerk', customerId: customer.id, policy });
    if (made?.status !== 201) return;
    const { agent, deviceCode } = made.body;
    const redeemed = await post(by, `/agents/device-codes/${deviceCode.code}/redeem`);
    if (redeemed?.status === 200)
      agents.push({ id: agent.id, customer: customer.id, accessToken: redeemed.body.accessToken });
  };
  /** The agent's customer has an account, and one elsewhere. */
  const means = (by: PlatformNumber, { customer }: Agent) => {
    const found = holdings[by].customers.find(({ id }) => id === customer);
    const external = random.pick(holdings[by].external.filter(({ owner }) => owner === customer));
    return found && external && { account: accountIn(found, external.currency), external: external.id };
  };
  const note = (by: PlatformNumber, agent: Agent, action: Json) => {
    if (action?.status === 'PENDING_APPROVAL')
      holdings[by].actions.push(`/agents/${agent.id}/actions/${action.id}`);
  };
  const pay = async (by: PlatformNumber) => {
    const agent = random.pick(holdings[by].agents);
    const found = agent && means(by, agent);
    if (!agent || !found) return;
    const [inside, outside] = [{ accountId: found.account }, { accountId: found.external }];
    const isIn = random.chance(0.3);
    const amount = 1 + random.below(amountMax);
    const body = { source: isIn ? outside : inside, destination: isIn ? inside : outside, amount };
    const path = `/agents/me/transfer-${isIn ? 'in' : 'out'}`;
    const made = await post(by, path, body, { bearer: agent.accessToken });
    note(by, agent, made?.body);
  };
  const quote = async (by: PlatformNumber) => {
    const agent = random.pick(holdings[by].agents);
    const found = agent && means(by, agent);
    if (!agent || !found) return;
    const said = { lockedCurrencyAmount: 1 + random.below(amountMax) };
    const body = quoteBody(found.account, found.external, said);
    const made = await post(by, '/agents/me/quotes', body, { bearer: agent.accessToken });
    if (!made || !decides(made) || made.status !== 201) return;
    const execution = `/agents/me/quotes/${made.body.id}/execute`;
    note(by, agent, (await post(by, execution, undefined, { bearer: agent.accessToken }))?.body);
  };
  const decide = async (by: PlatformNumber) => {
    const action = random.pick(holdings[by].actions.slice(-4));
    if (action) await post(by, `${action}/${random.chance(0.7) ? 'approve' : 'reject'}`);
  };
  const change = async (by: PlatformNumber) => {
    const agent = random.pick(holdings[by].agents);
    if (!agent) return;
    const path = `/agents/${agent.id}`;
    if (random.chance(0.2)) await ask({ by, method: 'DELETE', path });
    else await ask({ by, method: 'PATCH', path, body: { isPaused: random.chance(0.3) } });
  };
  /** What it may do without being asked. */
  const trust = async (by: PlatformNumber) => {
    const agent = random.pick(holdings[by].agents);
    if (!agent) return;
    const body = random.chance(0.5)
      ? { approvalThresholds: { amount: 1 + random.below(amountMax), currency: 'USD' } }
      : { defaultExecutionMode: random.chance(0.5) ? 'AUTO' : 'APPROVAL_REQUIRED' };
    await ask({ by, method: 'PATCH', path: `/agents/${agent.id}/policy`, body });
  };
  /** An account elsewhere of its customer, which the agent registers, and deletes again now and then. */
  const register = async (by: PlatformNumber) => {
    const agent = random.pick(holdings[by].agents);
    if (!agent) return;
    const path = '/agents/me/external-accounts';
    const body = { currency: 'USD', accountInfo: usdInfo(String(400 + random.below(500))) };
    const made = await post(by, path, body, { bearer: agent.accessToken });
    if (made?.status !== 201) return;
    const account = { id: made.body.id, owner: agent.customer, currency: 'USD' as const };
    if (random.chance(0.4))
      await ask({ by, method: 'DELETE', path: `${path}/${account.id}`, bearer: agent.accessToken });
    else holdings[by].external.push(account);
  };
  return { employ, pay, quote, decide, change, trust, register };
}
