import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../../src/domain/aggregates.ts';
import { imbalance, move, type Posting, postingsOf } from '../../../src/domain/books/postings.ts';
import type { TransactionEvent } from '../../../src/domain/payments/events.ts';
import type { Payment } from '../../../src/domain/payments/life/progress.ts';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import { paymentReactionIn } from '../../../src/domain/reactions/payments.ts';
import { stateOf } from '../../support/builders/spec.ts';
import { historiesOf, kinds } from '../../support/builders/transaction-commands.ts';
import { recorded } from '../../support/log/domain-events.ts';

function paymentAfter(history: readonly TransactionEvent[]): Payment {
  const state = stateOf(transaction, ...history);
  if (state.status === 'NONE') throw new Error('a history of nothing');
  return state;
}

/** What the accounts on either side book: the debit that began it, what the policy credits, and what came of that. */
function postingsOfAccounts(history: readonly TransactionEvent[]): readonly Posting[] {
  const { terms } = paymentAfter(history);
  const { source, sending, kind } = terms;
  const types = new Set(history.map(({ type }) => type));
  const wasDebited =
    kind === 'transfer-out' || types.has('TransactionProcessing') || types.has('ExecutionRefused');
  const debit = source.kind === 'INTERNAL' && wasDebited ? move(source.accountId, 'in-flight', sending) : [];
  const credits = history.flatMap((event) => paymentReactionIn('sandbox')(recorded(event) as DomainEvent));
  return [
    ...debit,
    ...credits.flatMap(({ to, uuid, command }) => {
      if (to !== 'account' || command.type !== 'CreditAccount') return [];
      const isBooked = types.has(command.purpose === 'refund' ? 'RefundCompleted' : 'TransactionCompleted');
      return isBooked ? move(command.from, `InternalAccount:${uuid}`, command.amount) : [];
    }),
  ];
}

const ownPostings = (history: readonly TransactionEvent[]) => history.flatMap(postingsOf);
const inFlightAfter = (history: readonly TransactionEvent[]) =>
  imbalance(
    [...ownPostings(history), ...postingsOfAccounts(history)].filter(
      ({ account }) => account === 'in-flight',
    ),
  );

const isOpen = ({ status }: Payment) => status === 'PENDING' || status === 'PROCESSING';
const told = (history: readonly TransactionEvent[]) => history.map(({ type }) => type).join(', ');

/** Nobody books a refund that the rail has given up. */
const isPossible = (history: readonly TransactionEvent[]) =>
  !history.some(({ data }) => 'refundFails' in data && data.refundFails) ||
  history.at(-1)?.type !== 'RefundCompleted';

/** What a payment holds while it is open, and what it still owes. */
function expectedInFlight(payment: Payment): ReadonlyMap<string, bigint> {
  const { kind, sending, receiving } = payment.terms;
  const refund = payment.refund;
  if (refund?.status === 'PENDING') return new Map([[refund.amount.currency, refund.amount.minor]]);
  if (!isOpen(payment) || kind === 'transfer-in' || kind === 'incoming') return new Map();
  if (kind === 'quote' && payment.status === 'PENDING') return new Map();
  const held = payment.stage === 'crediting' ? receiving : sending;
  return new Map([[held.currency, held.minor]]);
}

describe.each(kinds)('a %s', (kind) => {
  const histories = historiesOf(kind).filter(isPossible);

  it('has a balanced entry in each of its events', () => {
    for (const history of histories) {
      for (const event of history) expect(imbalance(postingsOf(event)), event.type).toEqual(new Map());
    }
  });

  it('has in flight exactly what it holds or owes, and nothing once it is closed', () => {
    for (const history of histories) {
      expect(inFlightAfter(history), told(history)).toEqual(expectedInFlight(paymentAfter(history)));
    }
  });

  it('leaves the exchange and the world outside with what its end says', () => {
    for (const history of histories.filter((one) => !isOpen(paymentAfter(one)))) {
      const { status } = paymentAfter(history);
      const fees = ownPostings(history).filter(({ account }) => account === 'fees');
      const earned = fees.reduce((sum, { minor }) => sum + minor, 0n);
      expect(earned, told(history)).toBe(kind.startsWith('quote') && status === 'COMPLETED' ? 50n : 0n);
    }
  });

  it('moves balances only where it has to', () => {
    for (const history of histories.filter((one) => !isOpen(paymentAfter(one)))) {
      const payment = paymentAfter(history);
      const guarded = imbalance(postingsOfAccounts(history).filter(({ account }) => account.includes(':')));
      const { source, destination, sending, receiving } = payment.terms;
      const refund = payment.refund;
      const lost =
        payment.status === 'COMPLETED' || refund?.status === 'FAILED' || refund?.status === 'PENDING';
      const wanted = [
        ...(source.kind === 'INTERNAL' && lost ? [{ ...sending, minor: -sending.minor }] : []),
        ...(destination.kind === 'INTERNAL' && payment.status === 'COMPLETED' && kind !== 'deposit'
          ? [receiving]
          : []),
        ...(kind.endsWith('goes back to a balance') && refund?.status === 'COMPLETED' ? [refund.amount] : []),
      ];
      const sums = imbalance(wanted.map((one) => ({ account: 'rail' as const, ...one })));
      expect(guarded, told(history)).toEqual(sums);
    }
  });
});

describe('the histories of payments', () => {
  it('end in every way there is', () => {
    const ends = kinds.flatMap((kind) => historiesOf(kind).map((history) => paymentAfter(history)));
    const met = new Set(ends.map((payment) => [payment.status, payment.refund?.status].join(' ').trim()));
    expect([...met].sort()).toEqual([
      'COMPLETED',
      'EXPIRED',
      'EXPIRED COMPLETED',
      'EXPIRED FAILED',
      'EXPIRED PENDING',
      'FAILED',
      'FAILED COMPLETED',
      'FAILED FAILED',
      'FAILED PENDING',
      'PENDING',
      'PROCESSING',
      'REFUNDED COMPLETED',
      'REFUNDED FAILED',
      'REFUNDED PENDING',
      'REJECTED',
      'REJECTED COMPLETED',
      'REJECTED FAILED',
      'REJECTED PENDING',
    ]);
  });
});
