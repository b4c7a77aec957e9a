/** What a rail over a network has told by itself. The other rules of the rail are those of the simulation of commands. */
import { derivedUuid, idOf } from '../../../../src/kernel/ids.ts';
import { isTakenBack, type Known, type Rule } from './rules.ts';

/** Money that was taken from outside, with what has brought it: what is there, and what was before its platform went back. */
const takenIn = ({ timelines }: Known) =>
  timelines.happened.flatMap((event) => {
    const isGone = timelines.goneAt(event.id) !== undefined;
    if (event.type === 'DepositReceived') {
      const { transactionId, accountId, amount } = event.data;
      return [{ by: transactionId as string, whose: accountId as string, amount, isGone }];
    }
    if (event.type !== 'FundsReceived') return [];
    const { requestedBy, transactionId, amount } = event.data;
    return [{ by: requestedBy, whose: transactionId as string, amount, isGone }];
  });

export const ofTheFarRail: Readonly<Record<string, Rule>> = {
  *'nobody but the rail is asked, or believed'({ toldByRail }) {
    yield* toldByRail.complaints;
  },

  *'what the rail tells of a payment is taken, and contradicts nothing'(known) {
    const { ended, finished, toldByRail } = known;
    const payments = new Map(ended.map((payment) => [payment.terms.transactionId as string, payment]));
    const refused = new Set<string>(
      finished.flatMap(({ type, data }) => (type === 'CreditRefused' ? [data.transactionId] : [])),
    );
    for (const { paymentId, ending, status } of toldByRail.endings) {
      const payment = payments.get(paymentId);
      // One that a way back has taken is nobody's any more.
      if (!payment || isTakenBack(known, payment)) continue;
      // The money of what is refused here goes back.
      if (status === 404 || (status === 422 && !refused.has(paymentId)))
        yield `${paymentId} ${payment.status}: ${ending.status} is answered ${status}`;
    }
  },

  *'money that the rail tells of is taken once, as it is answered'(known) {
    const taken = Map.groupBy(takenIn(known), ({ by }) => by);
    const there = new Set<string>(
      known.finished.flatMap((event) => {
        if (event.type === 'AccountOpened') return [event.data.accountId];
        return event.type === 'QuoteCreated' ? [event.data.transactionId] : [];
      }),
    );
    const told = Map.groupBy(known.toldByRail.arrivals, ({ bankReference }) => bankReference);
    for (const [bankReference, [arrival, ...again]] of told) {
      if (!arrival) continue;
      const { whose, minor } = arrival;
      // The network may tell once more what was refused before, when the account takes it.
      const statuses = [arrival, ...again].map(({ status }) => status);
      const made = taken.get(idOf('Transaction', derivedUuid('arrived-money', bankReference))) ?? [];
      const kept = made.filter(({ isGone }) => !isGone);
      const about = `${bankReference}: ${minor} for ${whose}, answered ${statuses}`;
      for (const one of made)
        if (one.amount.minor !== minor || one.whose !== whose)
          yield `${about}: ${one.amount.minor} for ${one.whose}`;
      if (kept.length > 1) yield `${about}: taken more than once`;
      if (statuses.includes(200) ? made.length === 0 : kept.length > 0)
        yield `${about}: taken ${made.length} times`;
      if (statuses.includes(404) && there.has(whose)) yield `${about}: it is there`;
    }
  },
};
