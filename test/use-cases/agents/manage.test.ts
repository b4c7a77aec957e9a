import { expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { createAgent } from '../../../src/use-cases/agents/manage.ts';
import { loadCustomer } from '../../../src/use-cases/find/customer.ts';
import { policyOf } from '../../support/builders/agents.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { settlesAtOnce } from '../../support/rails/payment-rails.ts';
import { testStart } from '../../support/time/clock.ts';
import { cause, startTown } from '../../support/traffic/town.ts';
import { sequentialIds } from '../../support/values/ids.ts';

it('an agent is not made for a customer who is deleted while its code is drawn', async () => {
  const { commands, clock, log } = await startTown({ rail: settlesAtOnce });
  const customer = await loadCustomer(commands, platformId, customerId);
  const codes: string[] = [];
  const agentCredentials = {
    drawCode: () => 'CODE',
    saveCode: async (code: string) => {
      const at = testStart;
      const begin = { type: 'BeginDeletion', at } as const;
      await commands.run('customer', uuidOf(customerId), begin, cause);
      const remove = { type: 'DeleteCustomer', deletion: 1, at } as const;
      await commands.run('customer', uuidOf(customerId), remove, cause);
      return codes.push(code) > 0;
    },
    dropCode: async () => void codes.pop(),
  };
  const deps = { commands, agentCredentials, now: clock.now, installationNow: clock.now } as never;
  const attempt = { cause, uuidFor: sequentialIds(9_000).uuid } as never;
  const wanted = { name: 'Clerk', policy: policyOf() };
  const making = createAgent(
    deps,
    customer,
    wanted,
    { permissions: ['MANAGE', 'TRANSACT'] } as never,
    attempt,
  );
  await expect(making).rejects.toMatchObject({ code: 'CUSTOMER_DELETED' });
  expect(codes).toEqual([]);
  expect(log.all.filter(({ type }) => type === 'AgentCreated')).toEqual([]);
});
