/**
 * What the bank says of a payment of ours: written as a fact first, then reported. Repeating it changes nothing. What
 * cannot be is a case for an operator.
 */
import type { Ending } from '../../../domain/ports/payment-rail.ts';
import type { RailReports } from '../../../domain/ports/rail-module.ts';
import type { Unmatched } from '../files/entries.ts';
import type { Facts, Payments } from '../files/payments.ts';
import { reasonOf } from '../values/reasons.ts';

/** One thing that the bank says. */
export type Saying = {
  readonly endToEndId: string;
  readonly facts: Facts;
  /** Names the line or entry that says so. */
  readonly source: string;
  readonly reasonCode?: string | undefined;
};

export type Outcomes = {
  readonly refused: (saying: Saying) => Promise<Unmatched | undefined>;
  readonly debited: (saying: Saying) => Promise<Unmatched | undefined>;
  /** A debit of what another has settled: it is counted, so that what comes back of it is not taken for the payment. */
  readonly debitedAgain: (saying: Saying) => Promise<void>;
  readonly returned: (saying: Saying) => Promise<Unmatched | undefined>;
  /** The same as `returned`, by an entry of a statement: the money is back. */
  readonly credited: (saying: Saying) => Promise<Unmatched | undefined>;
};

/** What an operator is told beside a return that is not of the payment's amount: it may be a part of what is back already. */
export const sayingOfReturn = ({ facts }: Pick<Saying, 'facts'>) => ({
  alreadyReturned: facts.returned ? true : undefined,
});

type Deps = {
  readonly payments: Payments;
  readonly reports: Pick<RailReports, 'ended'>;
  readonly now: () => Date;
};

export function createOutcomes({ payments, reports, now }: Deps): Outcomes {
  const say = ({ endToEndId, source, reasonCode }: Saying, what: Parameters<Payments['say']>[1]) =>
    payments.say(endToEndId, what, {
      source,
      ...(reasonCode !== undefined && { reasonCode }),
      at: now().toISOString(),
    });

  /** What an operator is told where the books do not have the payment: they were restored from before it, say. */
  const end = async ({ facts }: Saying, ending: Ending, why: Unmatched): Promise<Unmatched | undefined> =>
    (await reports.ended(facts.first.paymentId, ending)) === 'unknown' ? why : undefined;

  /** Whether another process has written it meanwhile: each writes before it looks, so one of two sees the other. */
  const isSaid = async ({ endToEndId }: Saying, what: 'refused' | 'debited') =>
    (await payments.factsOf(endToEndId))?.[what] !== undefined;

  /** Whether it is the money of a debit beyond the first. A message and an entry may both say so: each counts its own. */
  const isOfAnotherDebit = async (saying: Saying, what: 'returned' | 'credited'): Promise<boolean> => {
    const { endToEndId, source } = saying;
    const sourceOf = (one: Parameters<Payments['sourceOf']>[1]) => payments.sourceOf(endToEndId, one);
    const first = await sourceOf(what);
    if (first === source) return false;
    // A message that came before the second debit has told of the return of the first: its money comes first.
    const isAwaited =
      what === 'credited' && !first && (await sourceOf('returned')) && !(await sourceOf('returned-2'));
    for (let n = 2; (await sourceOf(`debited-${n}`)) !== undefined; n += 1) {
      const one = `${what}-${n}` as const;
      if (isAwaited ? (await sourceOf(one)) === source : await say(saying, one)) return true;
    }
    return false;
  };

  const comeBack = async (saying: Saying): Promise<Unmatched | undefined> => {
    const { facts, reasonCode } = saying;
    if (facts.refused) return 'RETURNED_AFTER_REFUSAL';
    await say(saying, 'returned');
    const reason = reasonOf(facts.returned?.reasonCode ?? reasonCode);
    return end(saying, { status: 'returned', reason }, 'UNKNOWN_RETURN');
  };

  const outcomes: Outcomes = {
    async refused(saying) {
      const { facts, reasonCode } = saying;
      if (!facts.sent) return 'UNKNOWN_PAYMENT';
      if (facts.returned) return undefined;
      if (facts.debited) return facts.refused ? undefined : 'REFUSED_AFTER_DEBIT';
      await say(saying, 'refused');
      if (await isSaid(saying, 'debited')) return 'REFUSED_AFTER_DEBIT';
      const reason = reasonOf(facts.refused?.reasonCode ?? reasonCode);
      return end(saying, { status: 'failed', reason, refundFails: false }, 'UNKNOWN_PAYMENT');
    },
    async debited(saying) {
      const { facts } = saying;
      if (!facts.sent) return 'UNKNOWN_PAYMENT';
      if (!(await say(saying, 'debited'))) {
        await outcomes.debitedAgain(saying);
        return 'DEBITED_TWICE';
      }
      if (facts.refused || (await isSaid(saying, 'refused'))) return 'DEBITED_AFTER_REFUSAL';
      // A return that was read first has ended the payment already.
      return facts.returned ? undefined : end(saying, { status: 'settled' }, 'UNKNOWN_DEBIT');
    },
    async debitedAgain(saying) {
      for (let n = 2; !(await say(saying, `debited-${n}`)); ) n += 1;
    },
    async returned(saying) {
      if (!saying.facts.sent) return 'UNKNOWN_PAYMENT';
      if (await isOfAnotherDebit(saying, 'returned')) return 'RETURNED_AFTER_SECOND_DEBIT';
      return comeBack(saying);
    },
    async credited(saying) {
      if (!saying.facts.sent) return 'UNKNOWN_PAYMENT';
      if (await isOfAnotherDebit(saying, 'credited')) return 'RETURNED_AFTER_SECOND_DEBIT';
      if (!(await say(saying, 'credited'))) return 'RETURNED_TWICE';
      return comeBack(saying);
    },
  };
  return outcomes;
}
