import { describe, expect, it } from 'vitest';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import {
  actionId,
  agentAction,
  agentId,
  otherActionId,
  payout,
  pull,
} from '../../support/builders/agents.ts';
import { usd } from '../../support/builders/money.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { fromBank } from '../../support/builders/terms.ts';
import {
  executionDeclined,
  executionRefused,
  fundsReceived,
  paymentSubmitted,
  quoteCreated,
  transactionCancelled,
  transactionExpired,
  transactionFailed,
  transactionRejected,
  transferCreated,
  without,
} from '../../support/builders/transactions.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(transaction);
const at = testStart;
const reason = 'OFFRAMP_FAILED';
const pulled = quoteCreated({ source: fromBank, refundTo: undefined, agentId });
const fund = {
  type: 'ReceiveFunds',
  amount: usd(100_00n),
  requestedBy: actionId,
  agentAction,
  at,
} as const;

describe('a payment that an agent makes', () => {
  it('knows its agent', () => {
    const quote = stateOf(transaction, quoteCreated({ agentId }));
    const transfer = stateOf(transaction, transferCreated(payout().transfer));
    expect([quote, transfer]).toMatchObject([{ terms: { agentId } }, { terms: { agentId } }]);
    expect(stateOf(transaction, quoteCreated())).not.toHaveProperty('terms.agentId');
  });

  it('and nobody executes in time names its agent', () =>
    given(quoteCreated({ agentId }))
      .when({ type: 'ExpireQuote', at: msLater(300_000) })
      .then(transactionExpired({ agentId, at: msLater(300_000) })));

  it('that expired before its debit tells the action', () =>
    given(quoteCreated({ agentId }), transactionExpired())
      .when({ type: 'StartProcessing', agentAction, at })
      .then(executionRefused({ agentAction })));
});

describe('a quote from a bank that an agent executes', () => {
  it('is funded in the name of the action', () =>
    given(pulled)
      .when(fund)
      .then(fundsReceived({ requestedBy: actionId })));

  it.each([
    ['executed by another', [pulled, fundsReceived({ requestedBy: 'request-2' })]],
    ['over', [pulled, transactionExpired()]],
  ])('is declined when it is %s, once', (_what, history) => {
    given(...history)
      .when(fund)
      .then(executionDeclined({ agentAction }));
    given(...history, executionDeclined({ agentAction }))
      .when(fund)
      .thenNothing();
    const other = { ...agentAction, actionId: otherActionId };
    given(...history, executionDeclined({ agentAction }))
      .when({ ...fund, requestedBy: otherActionId, agentAction: other })
      .then(executionDeclined({ agentAction: other }));
  });

  it('is not changed by being declined', () => {
    const before = [pulled, fundsReceived({ requestedBy: 'request-2' })] as const;
    const { declined, ...after } = {
      declined: undefined,
      ...stateOf(transaction, ...before, executionDeclined({ agentAction })),
    };
    expect(after).toEqual(stateOf(transaction, ...before));
    expect(declined).toEqual([actionId]);
  });

  it('is not declined to the action that has executed it', () =>
    given(pulled, fundsReceived({ requestedBy: actionId }))
      .when(fund)
      .thenNothing());
});

describe('a transfer that an agent makes', () => {
  const out = transferCreated(payout().transfer);
  const inwards = transferCreated(pull().transfer);

  it('tells the action when it fails before the rail has taken it', () => {
    given(out).when({ type: 'FailTransaction', reason, at }).then(transactionFailed({ agentAction }));
    given(inwards)
      .when({ type: 'FailTransaction', reason, at })
      .then(without(transactionFailed({ agentAction }), 'refund', 'refundTo'));
    given(out)
      .when({ type: 'RejectTransaction', reason, at })
      .then(transactionRejected({ reason, agentAction }));
    const cancel = { type: 'CancelTransaction', at } as const;
    given(out).when(cancel).then(transactionCancelled({ agentAction }));
    given(inwards)
      .when(cancel)
      .then(without(transactionRejected({ agentAction }), 'reason', 'refund', 'refundTo'));
  });

  it('does not tell it what happens later, whether the rail has begun or not', () => {
    given(out, paymentSubmitted({ underway: false }))
      .when({ type: 'FailTransaction', reason, at })
      .then(transactionFailed());
    given(out, paymentSubmitted()).when({ type: 'FailTransaction', reason, at }).then(transactionFailed());
    given(out, paymentSubmitted())
      .when({ type: 'RejectTransaction', reason, at })
      .then(transactionRejected({ reason }));
    given(out, paymentSubmitted()).when({ type: 'CancelTransaction', at }).then(transactionCancelled());
  });
});
