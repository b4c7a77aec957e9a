/** Every payment: the way that it went, what it has in flight, and that it ended. */
import type { DomainEvent } from '../../../src/domain/aggregates.ts';
import { mayMove } from '../../../src/domain/payments/life/moves.ts';
import type { Transaction } from '../../../src/domain/payments/life/progress.ts';
import { debitEntryId, transaction } from '../../../src/domain/payments/transaction.ts';
import type { KnownPayment } from '../life.ts';
import type { Invariant } from './invariants.ts';

const isOpen = ({ status }: KnownPayment) => status === 'PENDING' || status === 'PROCESSING';

/** What a payment has in flight while it is open: what it took, or what it holds ready. */
function amountsInFlight(payment: KnownPayment): readonly (readonly [string, bigint])[] {
  const { kind, source, transactionId, sending } = payment.terms;
  const isPaid = kind === 'transfer-out' || (kind === 'quote' && payment.status === 'PROCESSING');
  if (!isOpen(payment) || !isPaid || source.kind === 'UMA_ADDRESS') return [];
  return [[`${transactionId} ${sending.currency}`, sending.minor]];
}

const isOfPayment = (
  event: DomainEvent,
): event is Extract<DomainEvent, { data: { transactionId: string } }> =>
  event.stream.startsWith('transaction-');

/** Each event of a payment, with the payment as it was before. */
export function* movesIn(log: readonly DomainEvent[]) {
  const states = new Map<string, Transaction>();
  for (const event of log) {
    if (!isOfPayment(event)) continue;
    const before = states.get(event.stream) ?? transaction.initial;
    yield { before, event };
    states.set(event.stream, transaction.evolve(before, event as Parameters<typeof transaction.evolve>[1]));
  }
}

/** The two ends of each payment between customers. */
export function* pairsIn(ended: readonly KnownPayment[]) {
  const byId = new Map<string, KnownPayment>(ended.map((payment) => [payment.terms.transactionId, payment]));
  for (const incoming of ended) {
    const origin = incoming.terms.kind === 'incoming' ? incoming.terms.incoming.origin : undefined;
    if (origin) yield { incoming, origin, outgoing: byId.get(origin.transactionId) };
  }
}

const about = ({ terms, status }: KnownPayment) => `${terms.kind} ${terms.transactionId} ${status}`;

export const ofPayments: Readonly<Record<string, Invariant>> = {
  *'a payment moves as the table of its life says'({ finished }) {
    for (const { before, event } of movesIn(finished))
      if (!mayMove(before, event.type as Parameters<typeof mayMove>[1]))
        yield `${event.type} of ${event.stream} that is ${before.stage}`;
  },

  *'nothing is approved after its deadline'({ finished }) {
    for (const { before, event } of movesIn(finished)) {
      if (event.type !== 'PaymentApproved' || before.stage === 'none') continue;
      const { terms } = before;
      const asked = terms.kind === 'incoming' ? terms.incoming.approvalDueAt : undefined;
      const dueAt = before.approvalDueAt ?? asked;
      if (dueAt && event.data.at >= dueAt) yield `${event.stream} at ${event.data.at.toISOString()}`;
    }
  },

  *'no quote expires before its time'({ finished }) {
    for (const { before, event } of movesIn(finished)) {
      if (event.type !== 'TransactionExpired' || before.stage === 'none') continue;
      if (before.terms.kind === 'quote' && event.data.at < before.terms.quote.expiresAt) yield event.stream;
    }
  },

  *'in flight is what is under way, and nothing else'({ booksRecovered: { inFlight }, underWay }) {
    const expected = new Map(underWay.flatMap(amountsInFlight));
    for (const key of new Set([...inFlight.keys(), ...expected.keys()]))
      if (inFlight.get(key) !== expected.get(key))
        yield `${key}: ${inFlight.get(key)} for ${expected.get(key)}`;
  },

  *'what was paid from an account is debited there, and nothing else is'({ underWay, booksRecovered }) {
    for (const payment of underWay) {
      const { kind, source, transactionId } = payment.terms;
      const isPaid = !['PENDING', 'EXPIRED'].includes(payment.status) || payment.refund !== undefined;
      const expected = source.kind === 'INTERNAL' && (kind === 'transfer-out' || isPaid);
      if (booksRecovered.booked.has(debitEntryId(transactionId)) !== expected) yield about(payment);
    }
  },

  *'a debit is of what the payment sends'({ ended, finished }) {
    const byId = new Map<string, KnownPayment>(
      ended.map((payment) => [payment.terms.transactionId, payment]),
    );
    for (const event of finished) {
      if (event.type !== 'AccountDebited') continue;
      const { amount, transactionId } = event.data;
      if (byId.get(transactionId)?.terms.sending.minor !== amount.minor) yield transactionId;
    }
  },

  *'what is given back was taken before'({ finished }) {
    const taken = new Map<string, bigint>();
    for (const event of finished) {
      if (event.type === 'AccountDebited') taken.set(event.data.transactionId, event.data.amount.minor);
      if (event.type === 'FundsReceived') taken.set(event.data.transactionId, event.data.amount.minor);
      if (event.type !== 'AccountCredited' || event.data.purpose !== 'refund') continue;
      const { transactionId, amount } = event.data;
      const left = (taken.get(transactionId) ?? 0n) - amount.minor;
      if (left < 0n) yield transactionId;
      taken.set(transactionId, left);
    }
  },

  *'no refund is owed after a pass of a worker'({ underWay }) {
    for (const payment of underWay) if (payment.refund?.status === 'PENDING') yield about(payment);
  },

  *'nothing is in flight at the end'({ books }) {
    for (const [key, minor] of books.inFlight) yield `${key} ${minor}`;
  },

  *'every payment ends'({ ended }) {
    for (const payment of ended) if (isOpen(payment)) yield about(payment);
  },

  *'no timer waits at the end'({ waiting }) {
    yield* waiting;
  },

  *'no refund is owed at the end'({ ended }) {
    for (const payment of ended) if (payment.refund?.status === 'PENDING') yield about(payment);
  },

  *'both sides of a payment between customers end alike'({ ended }) {
    for (const { incoming, outgoing } of pairsIn(ended))
      if (incoming.status !== outgoing?.status) yield `${about(incoming)}, ${outgoing?.status}`;
  },

  *'what one side sends the other receives'({ ended }) {
    for (const { incoming, outgoing } of pairsIn(ended)) {
      const [one, other] = [incoming.terms.receiving, outgoing?.terms.receiving];
      if (one.minor !== other?.minor || one.currency !== other.currency) yield about(incoming);
    }
  },

  *'an incoming payment names the platform that it comes from'({ ended }) {
    for (const { incoming, origin, outgoing } of pairsIn(ended))
      if (outgoing?.terms.platformId !== origin.platformId) yield about(incoming);
  },
};
