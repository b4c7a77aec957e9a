/** What the rail was told. */
import { isDeepStrictEqual } from 'node:util';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { stringify } from '../../../src/kernel/json.ts';
import { erasedWord } from '../../../src/kernel/personal.ts';
import { fateOf } from '../rail.ts';
import type { Invariant } from './invariants.ts';

/** What is not there and what is `undefined` are one to a rail. */
const said = (told: object): unknown => JSON.parse(stringify(told));

export const ofTheRail: Readonly<Record<string, Invariant>> = {
  *'the rail carries nothing but payments of the log'({ taken, finished }) {
    const streams = new Set(finished.map(({ stream }) => stream));
    for (const paymentId of taken.keys())
      if (!streams.has(`transaction-${uuidOf(paymentId)}`)) yield paymentId;
  },

  *'the rail is told the same of a payment each time'({ taken }) {
    for (const [paymentId, [first, ...others]] of taken)
      for (const { counterparty, amount, platformId } of others)
        if (
          !isDeepStrictEqual(
            said({ counterparty, amount, platformId }),
            said({ counterparty: first?.counterparty, amount: first?.amount, platformId: first?.platformId }),
          )
        )
          yield paymentId;
  },

  *'the rail is told whom the payment names'({ taken, ended }) {
    for (const { terms } of ended) {
      const { source, destination } = terms;
      const outside = destination.kind === 'INTERNAL' ? source : destination;
      for (const { counterparty } of taken.get(terms.transactionId) ?? []) {
        const told =
          counterparty.kind === 'account' ? counterparty.account.externalAccountId : counterparty.umaAddress;
        const named =
          'umaAddress' in outside ? outside.umaAddress : 'accountId' in outside && outside.accountId;
        if (told !== named && named !== erasedWord) yield `${terms.transactionId}: ${told} for ${named}`;
      }
    }
  },

  *'the rail was given what is recorded as submitted'({ taken, finished }) {
    for (const event of finished) {
      if (event.type !== 'PaymentSubmitted') continue;
      const { transactionId, reference } = event.data;
      if (reference.startsWith('RAIL-') && !taken.has(transactionId)) yield transactionId;
    }
  },

  *'a payment is completed where the rail settled it, and nowhere else'({ taken, ended, finished }) {
    // Its money goes back to the rail that has settled it.
    const refused = new Set<string>(
      finished.flatMap(({ type, data }) => (type === 'CreditRefused' ? [data.transactionId] : [])),
    );
    for (const { terms, status } of ended) {
      if (!taken.has(terms.transactionId)) continue;
      const { ending, returned } = fateOf({ paymentId: terms.transactionId });
      // What has reached an account here stays there: nobody takes it back for the rail.
      const comesBack = returned !== undefined && terms.destination.kind !== 'INTERNAL';
      const isSettled = ending.status === 'settled' && !comesBack && !refused.has(terms.transactionId);
      if (isSettled !== (status === 'COMPLETED')) yield `${terms.kind} ${terms.transactionId} ${status}`;
    }
  },
};
