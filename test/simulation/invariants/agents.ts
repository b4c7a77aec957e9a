/** What agents spend, and what their limits say of it. */

import { waitingIn } from '../../../src/domain/agents/actions/action.ts';
import { paymentOf } from '../../../src/domain/agents/actions/operation.ts';
import type { AgentEvent } from '../../../src/domain/agents/events.ts';
import type { DomainEvent } from '../../../src/domain/aggregates.ts';
import { spendingLimits } from '../agents.ts';
import type { Invariant } from './invariants.ts';

type Started = Extract<AgentEvent, { type: 'AgentActionStarted' }>['data'];

const startedIn = (log: readonly DomainEvent[]): readonly Started[] =>
  log.flatMap((event) => (event.type === 'AgentActionStarted' ? [event.data] : []));
const failedIn = (log: readonly DomainEvent[]): ReadonlySet<string> =>
  new Set(log.flatMap((event) => (event.type === 'AgentActionFailed' ? [event.data.actionId] : [])));
const sum = (all: readonly Started[]) => all.reduce((total, { spend }) => total + spend.minor, 0n);

/** Each action that starts, with what counts of its agent by then, itself included. */
function* startsIn(log: readonly DomainEvent[]) {
  for (const [n, event] of log.entries()) {
    if (event.type !== 'AgentActionStarted') continue;
    const before = log.slice(0, n + 1);
    const failed = failedIn(before);
    const { agentId, usage } = event.data;
    const counted = startedIn(before).filter((one) => one.agentId === agentId && !failed.has(one.actionId));
    const today = counted.filter((one) => one.usage.day === usage.day);
    const month = counted.filter((one) => one.usage.day.slice(0, 7) === usage.day.slice(0, 7));
    yield { started: event.data, today, month };
  }
}

/** Every action in whose name money was taken, or a transfer begun. */
function paidIn(log: readonly DomainEvent[]): readonly string[] {
  return log.flatMap((event) => {
    if (event.type === 'AccountDebited') return event.data.agentAction?.actionId ?? [];
    if (event.type === 'FundsReceived' && event.data.requestedBy.startsWith('AgentAction:'))
      return event.data.requestedBy;
    if (event.type === 'TransferCreated' && event.data.direction === 'IN')
      return event.data.agentAction?.actionId ?? [];
    return [];
  });
}

/** Every action whose payment was begun and came to nothing at once. */
const undoneIn = (log: readonly DomainEvent[]): ReadonlySet<string> =>
  new Set(
    log.flatMap((event) => {
      switch (event.type) {
        case 'ExecutionRefused':
        case 'TransactionFailed':
        case 'TransactionRejected':
        case 'TransactionCancelled':
          return event.data.agentAction?.actionId ?? [];
        default:
          return [];
      }
    }),
  );

export const ofAgents: Readonly<Record<string, Invariant>> = {
  *'an action tells what its agent has spent by then'({ recovered }) {
    for (const { started, today, month } of startsIn(recovered)) {
      const { actionId, usage } = started;
      const isRight =
        usage.dailyTransactionCount === today.length &&
        usage.dailySpend === sum(today) &&
        usage.monthlySpend === sum(month);
      if (!isRight) yield actionId;
    }
  },

  *'no agent is above a limit at any position'({ recovered }) {
    const { perTransactionLimit, dailyLimit, monthlyLimit, dailyTransactionLimit } = spendingLimits;
    for (const { started, today, month } of startsIn(recovered)) {
      const isWithin =
        started.spend.minor <= perTransactionLimit &&
        sum(today) <= dailyLimit &&
        sum(month) <= monthlyLimit &&
        today.length <= dailyTransactionLimit;
      if (!isWithin) yield started.actionId;
    }
  },

  *'an action is paid once'({ recovered }) {
    const paid = new Set<string>();
    for (const actionId of paidIn(recovered)) {
      if (paid.has(actionId)) yield actionId;
      paid.add(actionId);
    }
  },

  *'an action that started is paid, unless it failed'({ recovered }) {
    const [paid, failed] = [new Set(paidIn(recovered)), failedIn(recovered)];
    for (const { actionId } of startedIn(recovered))
      if (!failed.has(actionId) && !paid.has(actionId)) yield actionId;
  },

  *'nothing is paid for an action that did not start, or failed'({ recovered }) {
    const [failed, undone] = [failedIn(recovered), undoneIn(recovered)];
    const started = new Set<string>(startedIn(recovered).map(({ actionId }) => actionId));
    for (const actionId of paidIn(recovered))
      if (!undone.has(actionId) && (!started.has(actionId) || failed.has(actionId))) yield actionId;
  },

  *'an action does not wait on where its quote has expired'({ agents, finished }) {
    const asked = new Set<string>();
    const over = new Set<string>();
    for (const { type, data } of finished) {
      if (type === 'AgentActionRequested') asked.add(paymentOf(data.operation).transactionId);
      if (type === 'TransactionExpired' && asked.has(data.transactionId)) over.add(data.transactionId);
    }
    for (const [actionId, { operation }] of agents.flatMap(waitingIn))
      if (over.has(paymentOf(operation).transactionId)) yield actionId;
  },

  *'an agent knows what it has spent'({ agents, finished }) {
    const failed = failedIn(finished);
    for (const { details, usage } of agents) {
      const counted = startedIn(finished).filter(
        (one) => one.agentId === details.agentId && !failed.has(one.actionId),
      );
      const today = counted.filter((one) => one.usage.day === usage.day);
      if (usage.dailySpend !== sum(today)) yield `${details.agentId}: ${usage.dailySpend} for ${sum(today)}`;
    }
  },
};
