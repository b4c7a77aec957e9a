import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/domain/agents/events.ts';
import { aggregates } from '../../../src/domain/aggregates.ts';
import type { TransactionCommand } from '../../../src/domain/payments/commands.ts';
import type { Ending, PaymentRail } from '../../../src/domain/ports/payment-rail.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { settled } from '../../../src/use-cases/agents/actions/settle.ts';
import { loadAgent } from '../../../src/use-cases/find/agent.ts';
import type { Payments } from '../../../src/use-cases/payments/rail-payments/rail-payments.ts';
import {
  actionId,
  agentAction,
  agentDetails,
  agentId,
  deviceCode,
  rates,
} from '../../support/builders/agents.ts';
import { platformId, transactionId } from '../../support/builders/identities.ts';
import { transferIn, transferOut } from '../../support/builders/terms.ts';
import { settlesAtOnce } from '../../support/rails/payment-rails.ts';
import { testStart as at } from '../../support/time/clock.ts';
import { adaAccount, cause, startTown, type Town } from '../../support/traffic/town.ts';
import { sequentialIds } from '../../support/values/ids.ts';

const account = { kind: 'INTERNAL', accountId: adaAccount } as const;
const operations: readonly Operation[] = [
  { type: 'TRANSFER_OUT', transfer: transferOut({ source: account, agentAction }) },
  { type: 'TRANSFER_IN', transfer: transferIn({ destination: account, agentAction }) },
];
const reason = 'OFFRAMP_FAILED';

/** An agent's transfer, as far as the agent's own stream goes. */
async function ask({ commands }: Town, operation: Operation) {
  const tell = (command: Parameters<typeof commands.run<'agent'>>[2]) =>
    commands.run('agent', uuidOf(agentId), command, cause);
  await tell({ type: 'CreateAgent', details: agentDetails(), deviceCode, at });
  await tell({ type: 'SubmitAction', actionId, operation, rates, at });
}

async function outcomeIn({ commands }: Town, payments: Payments) {
  const agent = await loadAgent(commands, platformId, agentId);
  const { action } = await settled({ commands, payments }, agent, actionId, cause);
  const { usage } = await loadAgent(commands, platformId, agentId);
  return [action.status, usage.dailySpend, usage.dailyTransactionCount];
}

describe.each(operations)('$type of an agent', (operation) => {
  it.each<Ending>([
    { status: 'failed', reason, refundFails: false },
    { status: 'rejected', reason },
    { status: 'cancelled' },
  ])('comes to nothing where the rail answers at once that it is $status', async (ending) => {
    const rail: PaymentRail = { ...settlesAtOnce, submit: async () => ({ status: 'ended', ending }) };
    const town = await startTown({ rail });
    await ask(town, operation);
    expect(await outcomeIn(town, town.payments)).toEqual(['FAILED', 0n, 0]);
  });

  it.each<TransactionCommand>([
    { type: 'FailTransaction', reason, at },
    { type: 'RejectTransaction', reason, at },
    { type: 'CancelTransaction', at },
  ])('comes to nothing where another process has recorded no more than $type', async (command) => {
    const town = await startTown({ rail: settlesAtOnce });
    await ask(town, operation);
    const deps = { store: town.log, newEventId: sequentialIds(9_000).uuid, now: town.clock.now };
    const other = createDispatcher(deps, aggregates, []);
    const handOver: Payments['handOver'] = async (payment) => {
      const { state } = await other.run('transaction', uuidOf(transactionId), command, cause);
      return state.status === 'NONE' ? payment : state;
    };
    expect(await outcomeIn(town, { ...town.payments, handOver })).toEqual(['FAILED', 0n, 0]);
  });
});
