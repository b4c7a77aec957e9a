import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waitingMax } from '../../../src/domain/agents/actions/action.ts';
import { accessOf, amountOf } from '../../../src/domain/agents/actions/operation.ts';
import { type AgentCommand, agent } from '../../../src/domain/agents/agent.ts';
import type { AgentEvent, AgentPolicy, Operation } from '../../../src/domain/agents/events.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import {
  actionFailed,
  actionId,
  actionRejected,
  actionRequested,
  actionStarted,
  agentChanged,
  agentCreated,
  agentDeleted,
  codeIssued,
  counted,
  fromBank,
  immediate,
  otherActionId,
  payout,
  policyChanged,
  policyOf,
  pull,
  quoteExecution,
  rates,
  usageOf,
} from '../../support/builders/agents.ts';
import {
  accountId,
  externalAccountId,
  payeeAccountId,
  transactionId,
} from '../../support/builders/identities.ts';
import { eur, usd } from '../../support/builders/money.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';
import { holds } from '../../support/values/property.ts';

const given = specFor(agent);
const at = testStart;
const withPolicy = (policy: Parameters<typeof policyOf>[0] = {}) =>
  [agentCreated({ policy: policyOf(policy) }), codeIssued()] as const;
const created = withPolicy();
const cautious = withPolicy({ defaultExecutionMode: 'APPROVAL_REQUIRED' });

const submit = (operation: Operation = payout(), when = at) =>
  ({ type: 'SubmitAction', actionId, operation, rates, at: when }) as const;
const decidedBy = 'token:one';
const approve = (more: object = {}) =>
  ({ type: 'ApproveAction', actionId, operation: payout(), rates, by: decidedBy, at, ...more }) as const;
const rejectionReason = 'Rejected by platform';
const reject = { type: 'RejectAction', actionId, rejectionReason, by: decidedBy, at } as const;
const fail = (problem?: { code: string; message: string }) =>
  ({ type: 'FailAction', actionId, problem, at }) as const;
const problem = { code: 'INSUFFICIENT_BALANCE', message: 'Too little.' };
const released = usageOf();

describe('an operation', () => {
  it.each([payout(), pull(), quoteExecution(), immediate(), fromBank()])(
    'starts and is counted when the policy allows it: $type',
    (operation) =>
      given(...created)
        .when(submit(operation))
        .then(actionStarted(operation)),
  );

  it.each([payout(), pull(), quoteExecution(), immediate()])(
    'waits uncounted when it needs approval: $type',
    (operation) => {
      given(...cautious)
        .when(submit(operation))
        .then(actionRequested(operation));
      expect(stateOf(agent, ...cautious, actionRequested(operation))).toMatchObject({ usage: usageOf() });
    },
  );

  it('is submitted once', () => {
    given(...created, actionStarted())
      .when(submit())
      .thenNothing();
    given(...cautious, actionRequested())
      .when(submit())
      .thenNothing();
  });

  it('is not recorded when the policy forbids it', () =>
    given(...withPolicy({ permissions: [] }))
      .when(submit())
      .thenRejected('FORBIDDEN'));

  it('counts at its worth in another currency', () =>
    given(...created)
      .when(submit(payout(eur(10_00n))))
      .then(actionStarted(payout(eur(10_00n)), { spend: usd(11_00n), usage: counted(11_00n) })));
});

describe('the access that an operation asks for', () => {
  it.each<[string, Operation, readonly string[], readonly string[]]>([
    ['a transfer out', payout(), ['CREATE_TRANSFERS'], [accountId]],
    ['a transfer in', pull(), ['CREATE_TRANSFERS'], [externalAccountId, accountId]],
    ['an execution', quoteExecution(), ['EXECUTE_QUOTES'], [accountId]],
    ['an execution at once', immediate(), ['CREATE_QUOTES', 'EXECUTE_QUOTES'], [accountId]],
    ['a pull for a quote', fromBank(), ['EXECUTE_QUOTES'], [externalAccountId]],
    [
      'a quote to an own account',
      quoteExecution({ destinationAccountId: payeeAccountId }),
      ['EXECUTE_QUOTES'],
      [accountId, payeeAccountId],
    ],
  ])('is permissions and accounts: %s', (_what, operation, permissions, accountIds) => {
    expect(accessOf(operation)).toEqual({ permissions, accountIds });
    expect(amountOf(operation)).toEqual(usd(100_00n));
  });
});

describe('the end of a quote', () => {
  const expire = { type: 'ExpireExecution', transactionId, at: msLater(5) } as const;
  const expired = { code: 'QUOTE_EXPIRED', message: 'The quote expired before it was executed.' };

  it.each([quoteExecution(), immediate()])('fails the action that waits to execute it', (operation) => {
    given(...cautious, actionRequested(operation), actionRequested(payout(), { actionId: otherActionId }))
      .when(expire)
      .then(actionFailed({ problem: expired, undecided: true, at: msLater(5) }));
  });

  it('fails no action of another quote, and none that is under way or over', () => {
    const other = { transactionId: idOf('Transaction', uuidNumber(999)) };
    for (const events of [
      [actionRequested(quoteExecution(other))],
      [actionRequested(quoteExecution()), actionStarted(quoteExecution())],
      [actionRequested(quoteExecution()), actionRejected()],
      [agentDeleted()],
    ])
      given(...cautious, ...events)
        .when(expire)
        .thenNothing();
  });
});

describe('approving an action', () => {
  const waiting = [...cautious, actionRequested()] as const;

  it('starts and counts it', () =>
    given(...waiting)
      .when(approve())
      .then(actionStarted(payout(), { decidedBy })));

  it('keeps when it was asked for', () => {
    const state = stateOf(agent, ...waiting, actionStarted(payout(), { at: msLater(5) }));
    const action = state.status === 'NONE' ? undefined : state.actions.get(actionId);
    expect(action).toMatchObject({ status: 'APPROVED', createdAt: at, updatedAt: msLater(5) });
  });

  const decisionOf = (...events: readonly AgentEvent[]) => {
    const state = stateOf(agent, ...cautious, ...events);
    const action = state.status === 'NONE' ? undefined : state.actions.get(actionId);
    return [action?.decidedAt, action?.decidedBy];
  };
  const later = msLater(5);

  it.each<[string, readonly AgentEvent[], unknown]>([
    [
      'an approval',
      [actionRequested(), actionStarted(payout(), { decidedBy, at: later })],
      [later, decidedBy],
    ],
    [
      'one that came to nothing',
      [actionRequested(), actionFailed({ decidedBy, at: later })],
      [later, decidedBy],
    ],
    ['a rejection', [actionRequested(), actionRejected('No', decidedBy)], [at, decidedBy]],
    ['one of a former version', [actionRequested(), actionStarted()], [at, undefined]],
    ['none while it waits', [actionRequested()], [undefined, undefined]],
    [
      'none of what it waited for is over',
      [actionRequested(quoteExecution()), actionFailed({ undecided: true })],
      [undefined, undefined],
    ],
    ['none by the policy', [actionStarted()], [undefined, undefined]],
    [
      'an approval before its execution failed',
      [actionRequested(), actionStarted(payout(), { decidedBy }), actionFailed({ at: later })],
      [at, decidedBy],
    ],
  ])('is remembered, with who decided: %s', (_what, events, decision) => {
    expect(decisionOf(...events)).toEqual(decision);
  });

  it('fails one that cannot be executed any more', () =>
    given(...waiting)
      .when(approve({ problem }))
      .then(actionFailed({ problem, decidedBy })));

  it.each<[string, readonly AgentEvent[], string]>([
    ['paused', [agentChanged({ isPaused: true })], 'The agent is paused.'],
    [
      'limited',
      [policyChanged(policyOf({ spendingLimits: { perTransactionLimit: 1n } }))],
      'The limit per transaction of the policy does not cover the amount.',
    ],
    [
      'without the permission',
      [policyChanged(policyOf({ permissions: [] }))],
      'The policy does not give the permission CREATE_TRANSFERS.',
    ],
  ])('fails one that the policy forbids by now: %s', (_what, changes, message) =>
    given(...waiting, ...changes)
      .when(approve())
      .then(actionFailed({ problem: { code: 'FORBIDDEN', message }, decidedBy })),
  );

  it('is final', () => {
    given(...waiting, actionStarted())
      .when(approve())
      .thenRejected('CONFLICT', { status: 'APPROVED' });
    given(...waiting, actionRejected())
      .when(approve())
      .thenRejected('CONFLICT', { status: 'REJECTED' });
    given(...waiting, actionFailed())
      .when(approve())
      .thenRejected('CONFLICT', { status: 'FAILED' });
  });

  it('is refused for one that is not there', () =>
    given(...created)
      .when(approve())
      .thenRejected('REFERENCE_NOT_FOUND'));
});

describe('rejecting an action', () => {
  const waiting = [...cautious, actionRequested()] as const;

  it('ends it with a reason', () =>
    given(...waiting)
      .when(reject)
      .then(actionRejected(rejectionReason, decidedBy)));

  it('is refused for one that does not wait', () => {
    given(...waiting, actionRejected())
      .when(reject)
      .thenRejected('CONFLICT');
    given(...created, actionStarted())
      .when(reject)
      .thenRejected('CONFLICT');
    given(...created)
      .when(reject)
      .thenRejected('REFERENCE_NOT_FOUND');
  });
});

describe('an execution that comes to nothing', () => {
  it('fails the action, which is not counted any more', () =>
    given(...created, actionStarted())
      .when(fail(problem))
      .then(actionFailed({ problem, usage: released })));

  it('fails once', () =>
    given(...created, actionStarted(), actionFailed({ usage: released }))
      .when(fail())
      .thenNothing());

  it.each([[], [actionRequested()], [actionRequested(), actionRejected()]])(
    'is that of a started action',
    (...before) =>
      given(...created, ...before)
        .when(fail())
        .thenNothing(),
  );

  it('stays counted where the limits have another currency by now', () =>
    given(
      ...created,
      actionStarted(),
      policyChanged(policyOf({ spendingLimits: { currency: 'EUR' } }), counted(90_91n)),
    )
      .when(fail())
      .then(actionFailed()));

  it('stays counted where the limits have had another currency meanwhile, at other rates', () =>
    given(
      ...created,
      actionStarted(),
      policyChanged(policyOf({ spendingLimits: { currency: 'EUR' } }), counted(90_91n)),
      policyChanged(policyOf(), counted(85_00n)),
    )
      .when(fail())
      .then(actionFailed()));

  it('is given back where it was counted after the limits had changed', () =>
    given(
      ...created,
      policyChanged(policyOf({ spendingLimits: { currency: 'EUR' } }), usageOf()),
      policyChanged(policyOf(), usageOf()),
      actionStarted(),
    )
      .when(fail())
      .then(actionFailed({ usage: released })));
});

const limits: Partial<AgentPolicy['spendingLimits']> = {
  perTransactionLimit: 60_00n,
  dailyLimit: 100_00n,
  dailyTransactionLimit: 4,
  monthlyLimit: 250_00n,
};
const day = 86_400_000;

type Step = {
  readonly days: number;
  readonly cents: bigint;
  readonly fails: boolean;
  readonly inEuro: boolean;
};
const step: fc.Arbitrary<Step> = fc.record({
  days: fc.constantFrom(0, 0, 0, 1, 3, 28),
  cents: fc.bigInt({ min: 1n, max: 80_00n }),
  fails: fc.boolean(),
  inEuro: fc.boolean(),
});

/** The started and not failed actions of the day, and of the month, of a moment. */
function spentOf(events: readonly AgentEvent[], when: Date) {
  const failed = new Set(
    events.flatMap((event) => (event.type === 'AgentActionFailed' ? event.data.actionId : [])),
  );
  const started = events.flatMap((event) => (event.type === 'AgentActionStarted' ? [event.data] : []));
  const counts = (length: number) =>
    started.filter(
      (one) =>
        !failed.has(one.actionId) &&
        one.at.toISOString().slice(0, length) === when.toISOString().slice(0, length),
    );
  const sum = (all: typeof started) => all.reduce((total, { spend }) => total + spend.minor, 0n);
  return { daily: sum(counts(10)), count: counts(10).length, monthly: sum(counts(7)) };
}

describe('any sequence of payments, failures, days and months', () => {
  it('never exceeds a limit', () =>
    holds(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const events: AgentEvent[] = [...withPolicy({ spendingLimits: limits })];
        let state = stateOf(agent, ...events);
        let when = at;
        const run = (command: AgentCommand) => {
          const decided = agent.decide(command, state);
          events.push(...decided);
          state = decided.reduce(agent.evolve, state);
        };
        for (const [n, { days, cents, fails, inEuro }] of steps.entries()) {
          when = new Date(when.getTime() + days * day);
          const id = idOf('AgentAction', uuidNumber(1_000 + n));
          const operation = payout(inEuro ? eur(cents) : usd(cents));
          try {
            run({ type: 'SubmitAction', actionId: id, operation, rates, at: when });
          } catch (error) {
            if (!(error instanceof Rejected)) throw error;
          }
          if (fails) run({ type: 'FailAction', actionId: id, at: when });
          const { daily, count, monthly } = spentOf(events, when);
          expect(daily <= 100_00n && count <= 4 && monthly <= 250_00n).toBe(true);
        }
      }),
    ));
});

describe('actions that wait for approval', () => {
  const waiting = Array.from({ length: waitingMax }, (_, n) =>
    actionRequested(payout(), { actionId: idOf('AgentAction', uuidNumber(1_000 + n)) }),
  );

  it('are so many at most', () =>
    given(...cautious, ...waiting)
      .when(submit())
      .thenRejected('FORBIDDEN', { reason: 'PENDING_APPROVALS', limit: waitingMax }));

  it('leave room when one has been decided on', () => {
    const [first] = waiting;
    const decided = actionRejected();
    given(...cautious, ...waiting, {
      ...decided,
      data: { ...decided.data, actionId: first?.data.actionId ?? actionId },
    })
      .when(submit())
      .then(actionRequested());
  });

  it('hold up nothing that needs no approval', () =>
    given(...created, ...waiting)
      .when(submit())
      .then(actionStarted()));
});

describe('a quote whose execution waits for approval', () => {
  const waits = [...cautious, actionRequested(quoteExecution())];
  const again = { ...submit(quoteExecution()), actionId: idOf('AgentAction', uuidNumber(2)) };

  it('waits once', () =>
    given(...waits)
      .when(again)
      .thenRejected('CONFLICT', { actionId }));

  it('may be asked for again once that is decided', () =>
    given(...waits, actionRejected())
      .when(again)
      .then(actionRequested(quoteExecution(), { actionId: again.actionId })));
});
