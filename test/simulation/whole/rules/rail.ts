/** What a rail over a network has told by itself. The other rules of the rail are those of the simulation of commands. */
import { derivedUuid, idOf } from '../../../../src/kernel/ids.ts';
import { fateOf } from '../../rail.ts';
import { isTakenBack, type Known, type Rule } from './rules.ts';

/** Deposits that are there, or were before their platform went back, each with the payment that it was made under. */
const depositsIn = ({ timelines }: Known) =>
  timelines.happened.flatMap((event) =>
    event.type === 'DepositReceived'
      ? [{ ...event.data, isGone: timelines.goneAt(event.id) !== undefined }]
      : [],
  );

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
      // The money of what is refused here goes back, and so does what comes back by itself.
      const isPlain = !refused.has(paymentId) && fateOf({ paymentId }).returned === undefined;
      if (status === 404 || (status === 422 && isPlain))
        yield `${paymentId} ${payment.status}: ${ending.status} is answered ${status}`;
    }
  },

  *'money that the rail tells of is credited once, as it is answered'(known) {
    const deposits = Map.groupBy(depositsIn(known), ({ transactionId }) => transactionId);
    const opened = new Set<string>(
      known.finished.flatMap((event) => (event.type === 'AccountOpened' ? [event.data.accountId] : [])),
    );
    const told = Map.groupBy(known.toldByRail.arrivals, ({ bankReference }) => bankReference);
    for (const [bankReference, [arrival, ...again]] of told) {
      if (!arrival) continue;
      const { account, minor } = arrival;
      // The network may tell once more what was refused before, when the account takes it.
      const statuses = [arrival, ...again].map(({ status }) => status);
      const made = deposits.get(idOf('Transaction', derivedUuid('arrived-money', bankReference))) ?? [];
      const there = made.filter(({ isGone }) => !isGone);
      const about = `${bankReference}: ${minor} for ${account}, answered ${statuses}`;
      for (const { amount, accountId } of made)
        if (amount.minor !== minor || accountId !== account)
          yield `${about}: ${amount.minor} for ${accountId}`;
      if (there.length > 1) yield `${about}: credited more than once`;
      if (statuses.includes(200) ? made.length === 0 : there.length > 0)
        yield `${about}: credited ${made.length} times`;
      if (statuses.includes(404) && opened.has(account)) yield `${about}: it is there`;
    }
  },
};
