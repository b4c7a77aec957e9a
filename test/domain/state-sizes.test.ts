import { describe, expect, it } from 'vitest';
import { account } from '../../src/domain/accounts/account.ts';
import { agent } from '../../src/domain/agents/agent.ts';
import { aggregates } from '../../src/domain/aggregates.ts';
import { transaction } from '../../src/domain/payments/transaction.ts';
import {
  actionBytes,
  bytesOfAccount,
  bytesOfAgent,
  bytesOfTransaction,
} from '../../src/domain/state-sizes.ts';
import { writeExactly } from '../../src/kernel/exact-json.ts';
import { accountCredited, accountOpened, creditHeld } from '../support/builders/accounts.ts';
import {
  actionRequested,
  actionStarted,
  agentCreated,
  immediate,
  policyOf,
} from '../support/builders/agents.ts';
import { stateOf } from '../support/builders/spec.ts';
import { quoteCreated, transferCreated } from '../support/builders/transactions.ts';

describe('what grows with use counts', () => {
  it('of an account: its entries, and what it holds', () => {
    const opened = stateOf(account, accountOpened());
    const entries = Array.from({ length: 100 }, (_, n) => accountCredited({ entryId: `entry-${n}` }));
    const used = stateOf(account, accountOpened(), ...entries);
    const holding = stateOf(account, accountOpened(), ...entries, creditHeld({ entryId: 'held' }));
    expect(bytesOfAccount(opened)).toBe(0);
    expect(bytesOfAccount(used)).toBe(20_000);
    expect(bytesOfAccount(holding)).toBeGreaterThan(20_300);
  });

  it('of an agent: the lists of its policy, and its actions', () => {
    const small = bytesOfAgent(stateOf(agent, agentCreated()));
    const allowedAccountIds = Array.from({ length: 1_000 }, (_, n) => `InternalAccount:${n}`);
    const accountRules = allowedAccountIds.map((accountId) => ({ accountId }));
    const policy = { ...policyOf(), accountRestrictions: { allowedAccountIds, accountRules } };
    expect(bytesOfAgent(stateOf(agent, agentCreated({ policy })))).toBe(400_000);
    expect(bytesOfAgent(stateOf(agent, agentCreated(), actionRequested()))).toBeGreaterThan(small);
  });

  it('of an action: no more than it counts for, whatever the quote that it creates says', () => {
    const told = Array.from({ length: 50 }, (_, n) => [`FIELD_${n}`, 'x'.repeat(1_000)]);
    const operation = immediate({ senderCustomerInfo: Object.fromEntries(told) });
    for (const event of [actionRequested(operation), actionStarted(operation)]) {
      const state = stateOf(agent, agentCreated(), event);
      const actions = state.status === 'NONE' ? [] : state.actions.all();
      expect(actions).toHaveLength(1);
      expect(2 * writeExactly(actions).length).toBeLessThan(actionBytes);
    }
  });

  it('of a payment: what was said of the customer', () => {
    const senderCustomerInfo = { FULL_NAME: 'x'.repeat(991) };
    expect(bytesOfTransaction(stateOf(transaction, quoteCreated({ senderCustomerInfo })))).toBe(2_000);
    for (const plain of [quoteCreated(), transferCreated()])
      expect(bytesOfTransaction(stateOf(transaction, plain))).toBe(0);
  });

  it('of nothing: nothing', () => {
    for (const { decider, extraBytes } of [aggregates.account, aggregates.agent, aggregates.transaction])
      expect(extraBytes(decider.initial as never)).toBe(0);
  });
});
