import { describe, expect, it } from 'vitest';
import { type TransactionEvent, transactionEvents } from '../../../src/domain/payments/events.ts';
import { life, type Stage, type StageRow } from '../../../src/domain/payments/life/life.ts';
import { mayMove } from '../../../src/domain/payments/life/moves.ts';
import {
  type RefundRow,
  type RefundStatus,
  refundLife,
} from '../../../src/domain/payments/life/refund-life.ts';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { stateOf } from '../../support/builders/spec.ts';
import { eventsOfEveryType, paymentsInEveryStage } from '../../support/builders/stages.ts';

type Place = { readonly stage: 'none' | Stage; readonly refund: 'NONE' | RefundStatus };

const placeOf = (history: readonly TransactionEvent[]): Place => {
  const state = stateOf(transaction, ...history);
  return { stage: state.stage, refund: state.stage === 'none' ? 'NONE' : (state.refund?.status ?? 'NONE') };
};

/** Where the tables say that an event leads; `undefined` when it is no move of theirs. */
function placeAfter({ stage, refund }: Place, { type, data }: TransactionEvent): Place | undefined {
  const row: StageRow = life[stage];
  const refundRow: RefundRow = refundLife[refund];
  const to = row.moves[type];
  const next = typeof to === 'object' ? to['underway' in data && data.underway ? 'underway' : 'notYet'] : to;
  const isOfRefund = type.startsWith('Refund') || ('refund' in data && data.refund !== undefined);
  const nextRefund = isOfRefund ? refundRow.moves[type] : refund;
  return next && nextRefund && { stage: next, refund: nextRefund };
}

const cases = eventsOfEveryType.map((event) => {
  const isUnderway = 'underway' in event.data && event.data.underway ? ', under way' : '';
  const owes = 'refund' in event.data && event.data.refund ? ', with a refund' : '';
  return [`${event.type}${isUnderway}${owes}`, event] as const;
});

describe.each(paymentsInEveryStage)('a payment that is %s', (_name, history) => {
  const place = placeOf(history);
  const moved = cases.filter(([, event]) => placeAfter(place, event));
  const refused = cases.filter(([, event]) => !placeAfter(place, event));

  it.each(moved)('goes where the table says with %s', (_event, event) => {
    const wanted = placeAfter(place, event);
    expect(placeOf([...history, event])).toEqual(wanted);
    expect(stateOf(transaction, ...history, event).status).toBe(wanted && life[wanted.stage].status);
  });

  it.each(refused)('cannot have %s', (_event, event) => {
    expect(() => stateOf(transaction, ...history, event)).toThrow(InvariantViolation);
  });

  it('tells a decision which types of event may follow', () => {
    const state = stateOf(transaction, ...history);
    const open = eventsOfEveryType.filter(({ type }) => mayMove(state, type));
    expect(new Set(open.map(({ type }) => type))).toEqual(new Set(moved.map(([, { type }]) => type)));
  });
});

describe('the tables of a payment and its refund', () => {
  it('are walked from every stage, with every refund that it can have', () => {
    const walked = paymentsInEveryStage.map(([, history]) => placeOf(history));
    expect(new Set(walked.map(({ stage }) => stage))).toEqual(new Set(Object.keys(life)));
    expect(new Set(walked.map(({ refund }) => refund))).toEqual(new Set(Object.keys(refundLife)));
  });

  it('are walked with every type of event', () => {
    expect(new Set(eventsOfEveryType.map(({ type }) => type))).toEqual(
      new Set(Object.keys(transactionEvents)),
    );
  });

  it('lead from the beginning to every stage', () => {
    const reached = new Set<string>(['none']);
    for (const stage of reached) {
      const row: StageRow = life[stage as Stage];
      for (const to of Object.values(row.moves)) {
        for (const next of typeof to === 'string' ? [to] : Object.values(to)) reached.add(next);
      }
    }
    expect(reached).toEqual(new Set(Object.keys(life)));
  });

  it('wait for nobody only where nothing has to follow', () => {
    const ended = Object.values(life).filter(({ waitsFor }) => waitsFor === 'nobody');
    const statuses = ['NONE', 'COMPLETED', 'FAILED', 'REJECTED', 'REFUNDED', 'EXPIRED'];
    expect(ended.map(({ status }) => status)).toEqual(statuses);
  });
});
