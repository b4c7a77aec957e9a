/** What a rail over a network has told by itself. The other rules of the rail are those of the simulation of commands. */
import { derivedUuid, idOf, isId } from '../../../../src/kernel/ids.ts';
import type { Known, Rule } from './rules.ts';

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

/** The statuses of each decision of the rail's operator, and of what was told without one. */
const byDecision = (told: readonly Told[]) => {
  const grouped = Map.groupBy(told, ({ decision }) => decision);
  return [...grouped].map(([decision, all]) => ({ decision, statuses: all.map(({ status }) => status) }));
};
type Told = Known['toldByRail']['arrivals'][number];

export const ofTheFarRail: Readonly<Record<string, Rule>> = {
  *'nobody but the rail is asked, or believed'({ toldByRail }) {
    yield* toldByRail.complaints;
  },

  *'what the rail tells of a payment is taken, and contradicts nothing'(known) {
    const { ended, finished, timelines, toldByRail } = known;
    const payments = new Map(ended.map((payment) => [payment.terms.transactionId as string, payment]));
    const refused = new Set<string>(
      finished.flatMap(({ type, data }) => (type === 'CreditRefused' ? [data.transactionId] : [])),
    );
    const goneOf = new Set<string>(
      timelines.happened.flatMap(({ id, data }) =>
        'transactionId' in data && timelines.goneAt(id) !== undefined ? [data.transactionId] : [],
      ),
    );
    for (const { paymentId, ending, status } of toldByRail.endings) {
      const payment = payments.get(paymentId);
      // What is answered before a way back is of another payment than what is there afterwards.
      if (!payment || goneOf.has(payment.terms.transactionId)) continue;
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
    const changed = new Set<string>(
      known.timelines.happened.flatMap(({ type, data }) =>
        type === 'AccountStatusChanged' ? [data.accountId] : [],
      ),
    );
    const quoted = new Map(
      known.ended.map(({ terms }) => [terms.transactionId as string, terms.sending.minor]),
    );
    const told = Map.groupBy(known.toldByRail.arrivals, ({ bankReference }) => bankReference);
    for (const [bankReference, [arrival, ...again]] of told) {
      if (!arrival) continue;
      const { whose, minor } = arrival;
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
      // A quote may be over.
      const isOpen = isId('InternalAccount', whose) && there.has(whose) && !changed.has(whose);
      if (statuses.every((status) => status === 422) && isOpen) yield `${about}: nothing was against it`;
      const asked = quoted.get(whose);
      if (asked !== undefined && asked !== minor && made.length > 0) yield `${about}: it was to be ${asked}`;
    }
  },

  *'what the rail has heard refused for an account stays refused, until its operator decides'(known) {
    const { timelines, toldByRail } = known;
    const happened = Map.groupBy(timelines.happened, ({ data }) =>
      'transactionId' in data ? (data.transactionId as string) : undefined,
    );
    const ofAccounts = toldByRail.arrivals.filter(({ whose }) => isId('InternalAccount', whose));
    for (const [bankReference, told] of Map.groupBy(ofAccounts, (one) => one.bankReference)) {
      const tellings = byDecision(told);
      const events = happened.get(idOf('Transaction', derivedUuid('arrived-money', bankReference))) ?? [];
      // What was refused before a way back is known to nobody afterwards.
      if (events.some(({ id }) => timelines.goneAt(id) !== undefined)) continue;
      const recorded = events.filter(({ type }) => type === 'DepositRefused');
      const about = `${bankReference}: ${told.map(({ decision = '', status }) => `${decision} ${status}`)}`;
      for (const { statuses } of tellings) {
        const isTakenByAnother = tellings.some(
          (one) => one.statuses !== statuses && one.statuses.includes(200),
        );
        if (statuses.includes(422) && statuses.includes(200) && !isTakenByAnother)
          yield `${about}: refused, and taken`;
      }
      const heard = tellings.filter(({ statuses }) => statuses.includes(422)).length;
      if (recorded.length < heard || recorded.length > tellings.length)
        yield `${about}: ${recorded.length} refusals are recorded`;
    }
  },
};
