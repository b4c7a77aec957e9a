import { describe, expect, it } from 'vitest';
import type { TransactionCommand } from '../../../src/domain/payments/commands.ts';
import type { TransactionEvent } from '../../../src/domain/payments/events.ts';
import { life, type Stage, type StageRow } from '../../../src/domain/payments/life/life.ts';
import type { Transaction } from '../../../src/domain/payments/life/progress.ts';
import { refundLife } from '../../../src/domain/payments/life/refund-life.ts';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { actionId, agentAction } from '../../support/builders/agents.ts';
import { usd } from '../../support/builders/money.ts';
import { stateOf } from '../../support/builders/spec.ts';
import {
  beginnings,
  historiesOf,
  kinds,
  paymentCommands,
} from '../../support/builders/transaction-commands.ts';
import {
  quoteCreated,
  transactionCompleted,
  transactionProcessing,
} from '../../support/builders/transactions.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const at = testStart;
const commands: Readonly<Record<string, TransactionCommand>> = {
  ...beginnings,
  ...paymentCommands,
  defer: { type: 'DeferApproval', until: msLater(1_000), at },
  failApproval: { type: 'FailApproval', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR', at },
  delay: { type: 'DelaySettlement', pendingReason: 'COMPLIANCE_REVIEW', at },
  confirmReceipt: { type: 'ConfirmReceipt', confirmedAt: at, at },
  fundForAgent: { type: 'ReceiveFunds', amount: usd(100_00n), requestedBy: actionId, agentAction, at },
};
const commandNames = Object.keys(commands);

const stages = Object.keys(life) as readonly ('none' | Stage)[];
/** Every state that commands can bring a payment of any kind to. */
const states: readonly Transaction[] = [
  transaction.initial,
  ...kinds.flatMap(historiesOf).map((history) => stateOf(transaction, ...history)),
  stateOf(transaction, quoteCreated(), transactionProcessing(), transactionCompleted({ checkAt: at })),
];

type Step = { readonly from: Transaction; readonly event: TransactionEvent; readonly to: Transaction };

function decided(command: TransactionCommand, state: Transaction): readonly TransactionEvent[] {
  try {
    return transaction.decide(command, state);
  } catch (error) {
    if (error instanceof Rejected) return [];
    throw error;
  }
}

function stepsOf(command: TransactionCommand, state: Transaction): readonly Step[] {
  const steps: Step[] = [];
  for (const event of decided(command, state)) {
    const from = steps.at(-1)?.to ?? state;
    steps.push({ from, event, to: transaction.evolve(from, event) });
  }
  return steps;
}

const refundOf = (state: Transaction) =>
  (state.stage === 'none' ? undefined : state.refund)?.status ?? 'NONE';
const stepsFrom = (stage: 'none' | Stage, name: string) => {
  const command = commands[name];
  const inStage = states.filter((state) => state.stage === stage);
  return command ? inStage.flatMap((state) => stepsOf(command, state)) : [];
};
const all = stages.flatMap((stage) => commandNames.flatMap((name) => stepsFrom(stage, name)));

describe.each(stages)('a payment whose stage is %s', (stage) => {
  it('comes about', () => {
    expect(states.some((state) => state.stage === stage)).toBe(true);
  });

  it.each(commandNames)('moves as the table says, or not at all: %s', (name) => {
    for (const { from, event, to } of stepsFrom(stage, name)) {
      const { moves }: StageRow = life[from.stage];
      const wanted = moves[event.type];
      expect(typeof wanted === 'object' ? Object.values(wanted) : [wanted]).toContain(to.stage);
      expect(to.status).toBe(life[to.stage].status);
    }
  });
});

describe('every move of the table', () => {
  it('of a payment is made by some command, and no other is', () => {
    const inTable = stages.flatMap((stage) => {
      const { moves }: StageRow = life[stage];
      return Object.entries(moves).flatMap(([type, to]) =>
        (typeof to === 'string' ? [to] : Object.values(to)).map((next) => `${stage} ${type} ${next}`),
      );
    });
    const made = all.map(({ from, event, to }) => `${from.stage} ${event.type} ${to.stage}`);
    expect([...new Set(made)].sort()).toEqual(inTable.sort());
  });

  it('of a refund is made by some command, and no other is', () => {
    const inTable = Object.entries(refundLife).flatMap(([status, { moves }]) =>
      Object.entries(moves).map(([type, next]) => `${status} ${type} ${next}`),
    );
    const changed = all.filter(({ from, to }) => refundOf(from) !== refundOf(to));
    const made = changed.map(({ from, event, to }) => `${refundOf(from)} ${event.type} ${refundOf(to)}`);
    expect([...new Set(made)].sort()).toEqual(inTable.sort());
  });
});
