import { describe, expect, it } from 'vitest';
import { debitEntryId } from '../../../src/domain/payments/transaction.ts';
import { agentReaction } from '../../../src/domain/reactions/agents.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { accountDebited, debitRefused } from '../../support/builders/accounts.ts';
import {
  actionFailed,
  actionId,
  actionRejected,
  actionRequested,
  actionStarted,
  agentAction,
  agentCreated,
  agentDeleted,
  agentId,
  fromBank,
  immediate,
  payout,
  pull,
  quoteExecution,
} from '../../support/builders/agents.ts';
import { accountId, transactionId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { quoteTerms } from '../../support/builders/terms.ts';
import {
  executionDeclined,
  executionRefused,
  transactionCancelled,
  transactionExpired,
  transactionFailed,
  transactionRejected,
} from '../../support/builders/transactions.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const at = testStart;
const react = (event: Parameters<typeof recorded>[0]) =>
  agentReaction(recorded(event) as Parameters<typeof agentReaction>[0]);

const toPayment = (command: object) => ({ to: 'transaction', uuid: uuidOf(transactionId), command });
const toAccount = (command: object) => ({ to: 'account', uuid: uuidOf(accountId), command });
const toAgent = (command: object) => ({
  to: 'agent',
  uuid: uuidOf(agentId),
  command: { type: 'FailAction', actionId, ...command },
});

const debit = {
  type: 'DebitAccount',
  to: 'in-flight',
  entryId: debitEntryId(transactionId),
  transactionId,
  requestedBy: actionId,
  amount: usd(100_00n),
  agentAction,
  at,
};
const funds = { type: 'ReceiveFunds', amount: usd(100_00n), requestedBy: actionId, agentAction, at };
const terms = quoteTerms({ agentId });
const create = toPayment({ type: 'CreateQuote', terms });

describe('an action that starts', () => {
  it.each([
    ['a quote', quoteExecution(), [toAccount({ ...debit, purpose: 'payout' })]],
    [
      'a quote at once',
      immediate(),
      [toAccount({ ...debit, purpose: 'payout', opens: { kind: 'quote', terms } })],
    ],
    ['a quote from a bank', fromBank(), [toPayment(funds)]],
    ['a quote from a bank at once', fromBank({ creates: terms }), [create, toPayment(funds)]],
    [
      'a transfer out',
      payout(),
      [toAccount({ ...debit, purpose: 'transfer', opens: { kind: 'transfer', terms: payout().transfer } })],
    ],
    ['a transfer in', pull(), [toPayment({ type: 'CreateTransfer', terms: pull().transfer })]],
  ])('takes the money in its own name: %s', (_what, operation, instructions) => {
    expect(react(actionStarted(operation))).toStrictEqual(instructions);
  });
});

describe('an action that waits', () => {
  it('has the quote that it creates', () =>
    expect(react(actionRequested(immediate()))).toStrictEqual([create]));

  it.each([quoteExecution(), payout(), pull()])('takes no money: $type', (operation) => {
    expect(react(actionRequested(operation))).toEqual([]);
  });
});

describe('an action fails', () => {
  it('when its debit is refused, with that reason', () => {
    const problem = { code: 'INSUFFICIENT_BALANCE', message: 'Too little.' };
    expect(react(debitRefused({ agentAction, ...problem, at }))).toStrictEqual([toAgent({ problem, at })]);
  });

  it('when its quote expired in between', () => {
    const problem = { code: 'QUOTE_EXPIRED', message: expect.any(String) };
    expect(react(executionRefused({ agentAction, at }))).toEqual([toAgent({ problem, at })]);
  });

  it('that waits for it, when its quote expired', () => {
    const command = { type: 'ExpireExecution', transactionId, at };
    expect(react(transactionExpired({ agentId, at }))).toStrictEqual([
      { to: 'agent', uuid: uuidOf(agentId), command },
    ]);
  });

  it('when another has executed its quote', () => {
    const problem = { code: 'CONFLICT', message: expect.any(String) };
    expect(react(executionDeclined({ agentAction, at }))).toEqual([toAgent({ problem, at })]);
  });

  it('when its transfer fails at once', () => {
    expect(react(transactionFailed({ agentAction, at }))).toStrictEqual([toAgent({ at })]);
    expect(react(transactionRejected({ agentAction, at }))).toStrictEqual([toAgent({ at })]);
    expect(react(transactionCancelled({ agentAction, at }))).toStrictEqual([toAgent({ at })]);
  });
});

describe('nothing follows', () => {
  it.each([
    agentCreated(),
    agentDeleted(),
    actionFailed(),
    actionRejected(),
    accountDebited({ agentAction, at: msLater(1) }),
    executionRefused(),
    transactionExpired(),
    transactionFailed(),
    transactionRejected(),
    transactionCancelled(),
  ])('from $type', (event) => expect(react(event)).toEqual([]));
});
