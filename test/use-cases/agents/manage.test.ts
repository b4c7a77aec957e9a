import { expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { issueCode } from '../../../src/use-cases/agents/codes.ts';
import { changePolicy, createAgent } from '../../../src/use-cases/agents/manage.ts';
import { loadAgent } from '../../../src/use-cases/find/agent.ts';
import { loadCustomer } from '../../../src/use-cases/find/customer.ts';
import {
  agentDetails,
  agentId,
  rates as agentRates,
  deviceCode,
  policyOf,
} from '../../support/builders/agents.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { settlesAtOnce } from '../../support/rails/payment-rails.ts';
import { testStart } from '../../support/time/clock.ts';
import { cause, startTown, type Town } from '../../support/traffic/town.ts';
import { sequentialIds } from '../../support/values/ids.ts';

const at = testStart;
const caller = { permissions: ['MANAGE', 'TRANSACT'] } as never;

async function deleteCustomer({ commands }: Pick<Town, 'commands'>): Promise<void> {
  await commands.run('customer', uuidOf(customerId), { type: 'BeginDeletion', at }, cause);
  const remove = { type: 'DeleteCustomer', deletion: 1, at } as const;
  await commands.run('customer', uuidOf(customerId), remove, cause);
}

/** A town in which the customer is deleted as soon as a device code was drawn, with the codes that are kept. */
async function townOfDraws() {
  const town = await startTown({ rail: settlesAtOnce });
  const { commands, clock } = town;
  const codes: string[] = [];
  const agentCredentials = {
    drawCode: () => 'CODE',
    saveCode: async (code: string) => {
      await deleteCustomer(town);
      return codes.push(code) > 0;
    },
    dropCode: async () => void codes.pop(),
  };
  const deps = { commands, agentCredentials, now: clock.now, installationNow: clock.now } as never;
  const attempt = { cause, uuidFor: sequentialIds(9_000).uuid } as never;
  return { ...town, codes, deps, attempt };
}

/** An agent of the customer. */
async function agentIn({ commands }: Pick<Town, 'commands'>) {
  const details = agentDetails({ policy: policyOf({ permissions: [] }) });
  const command = { type: 'CreateAgent', details, deviceCode, at } as const;
  await commands.run('agent', uuidOf(agentId), command, cause);
  return loadAgent(commands, platformId, agentId);
}

it('an agent is not made for a customer who is deleted while its code is drawn', async () => {
  const { commands, log, codes, deps, attempt } = await townOfDraws();
  const customer = await loadCustomer(commands, platformId, customerId);
  const wanted = { name: 'Clerk', policy: policyOf() };
  const making = createAgent(deps, customer, wanted, caller, attempt);
  await expect(making).rejects.toMatchObject({ code: 'CUSTOMER_DELETED' });
  expect(codes).toEqual([]);
  expect(log.all.filter(({ type }) => type === 'AgentCreated')).toEqual([]);
});

it('no further code is issued to an agent whose customer is deleted while it is drawn', async () => {
  const { commands, log, codes, deps, attempt } = await townOfDraws();
  const agent = await agentIn({ commands });
  const issued = () => log.all.filter(({ type }) => type === 'DeviceCodeIssued').length;
  const before = issued();
  const issuing = issueCode(deps, agent, caller, attempt);
  await expect(issuing).rejects.toMatchObject({ code: 'CUSTOMER_DELETED' });
  expect(codes).toEqual([]);
  expect(issued()).toBe(before);
});

it('a policy is not changed for a customer who is deleted once it was looked up', async () => {
  const town = await startTown({ rail: settlesAtOnce });
  const agent = await agentIn(town);
  const { load } = town.commands;
  const commands: Town['commands'] = {
    ...town.commands,
    async load(of, uuid, about) {
      const state = await load(of, uuid, about);
      if (of === 'customer') await deleteCustomer(town);
      return state;
    },
  };
  const changes = { permissions: ['VIEW_TRANSACTIONS'] } as const;
  const rates = { table: agentRates };
  const command = { type: 'ChangePolicy', changes, rates, mayPay: true, at } as const;
  const changing = changePolicy({ commands, readDb: undefined as never }, agent, command as never, cause);
  await expect(changing).rejects.toMatchObject({ code: 'CUSTOMER_DELETED' });
  expect(town.log.all.filter(({ type }) => type === 'AgentPolicyChanged')).toEqual([]);
});
