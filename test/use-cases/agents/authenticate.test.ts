import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentCommand } from '../../../src/domain/agents/agent.ts';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import { hashSecret } from '../../../src/infrastructure/secrets/hash.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { createFindAgent } from '../../../src/use-cases/agents/authenticate.ts';
import type { Commands } from '../../../src/use-cases/commands.ts';
import { agentDetails, agentId, deviceCode, deviceCodeId, tokenId } from '../../support/builders/agents.ts';
import { customerDetails } from '../../support/builders/customers.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { testStart } from '../../support/time/clock.ts';
import { sequentialIds, uuidNumber } from '../../support/values/ids.ts';

const at = testStart;
const tokenHash = hashSecret('agt_1');
const cause = { platformId, correlationId: 'test', causationId: 'test', actor: 'test' };
const kept = { id: tokenId, agentId, tokenHash };

let commands: Commands;
beforeEach(async () => {
  const deps = { store: memoryEventStore(), newEventId: sequentialIds(1_000).uuid, now: () => at };
  commands = createDispatcher(deps, aggregates, []);
  await tell({ type: 'CreateAgent', details: agentDetails(), deviceCode, at });
});
const tell = (command: AgentCommand) => commands.run('agent', uuidOf(agentId), command, cause);
const connect = () => tell({ type: 'RedeemDeviceCode', deviceCodeId, tokenId, at });
const createCustomer = () => {
  const details = customerDetails({ customerId, platformId });
  return commands.run('customer', uuidOf(customerId), { type: 'CreateCustomer', details }, cause);
};

const find = (found: typeof kept | undefined = kept) =>
  createFindAgent(commands, { findToken: async () => found })(tokenHash);

describe('an access token', () => {
  it('is its agent, for its customer', async () => {
    await createCustomer();
    await connect();
    const principal = { platformId, agentId, customerId, actor: `agent:${agentId}` };
    expect(await find()).toEqual({ tokenHash, principal });
  });

  it('is nobody when it is not kept', async () => {
    await createCustomer();
    await connect();
    const findAgent = createFindAgent(commands, { findToken: async () => undefined });
    expect(await findAgent(tokenHash)).toBeUndefined();
  });

  it('is nobody before its device code was redeemed, nor when another token won', async () => {
    await createCustomer();
    expect(await find()).toBeUndefined();
    await connect();
    expect(await find({ ...kept, id: uuidNumber(99) })).toBeUndefined();
  });

  it('is nobody once its agent is deleted', async () => {
    await createCustomer();
    await connect();
    await tell({ type: 'DeleteAgent', by: 'token:one', at });
    expect(await find()).toBeUndefined();
  });

  it('is nobody without its customer', async () => {
    await connect();
    expect(await find()).toBeUndefined();
  });
});
