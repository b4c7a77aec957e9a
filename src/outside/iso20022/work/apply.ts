/** Does what a message of the bank says, part by part. Safe to repeat: after a crash the file is read again. */
import type { RailReports } from '../../../domain/ports/rail-module.ts';
import type { Case, Entries, Unmatched } from '../files/entries.ts';
import { isOfAmount } from '../files/payments.ts';
import type { BankMessage, Entry, Return } from '../messages/model.ts';
import { toDecimal } from '../values/amounts.ts';
import { createBookings } from './bookings.ts';
import { type Outcomes, type Saying, sayingOfReturn } from './outcomes.ts';
import type { OwnPayments } from './own-payments.ts';
import { createRefusals } from './refusals.ts';

type Deps = {
  readonly own: OwnPayments;
  readonly entries: Entries;
  readonly outcomes: Outcomes;
  readonly reports: Pick<RailReports, 'arrived'>;
};

export type Applied = {
  /** What an operator has to look at that was not listed before. */
  readonly listed: readonly Unmatched[];
  /** Whether all of it is done: the signal stops it after the part that it is at. */
  readonly isWhole: boolean;
};

/**
 * A bank may list what it gives back before the second debit that it is of: read in that order, it would be taken for the
 * payment, which is paid.
 */
const debitsFirst = (all: readonly Entry[]): readonly Entry[] => [
  ...all.filter(({ direction }) => direction === 'debit'),
  ...all.filter(({ direction }) => direction !== 'debit'),
];

export type Apply = (message: BankMessage, signal: AbortSignal) => Promise<Applied>;

export function createApply({ own, entries, outcomes, reports }: Deps): Apply {
  const refusalsOf = createRefusals({ own, outcomes });
  const casesOf = createBookings({ own, entries, outcomes, reports });

  const applyReturn = async (one: Return, source: string): Promise<readonly Case[]> => {
    const { reasonCode, amount } = one;
    const payment = await own.find(one.endToEndId);
    const why = payment ? await returnedAs({ ...payment, source, reasonCode }, one) : 'UNKNOWN_RETURN';
    if (!why) return [];
    const details = {
      return: source,
      amount: toDecimal(amount.minor),
      currency: amount.currency,
      endToEndId: one.endToEndId,
      reasonCode,
      ...(payment && why === 'AMOUNT_DIFFERS' && sayingOfReturn(payment)),
    };
    return [{ why, key: source, details }];
  };
  const returnedAs = (saying: Saying, { amount }: Return) =>
    isOfAmount(saying.facts, amount) ? outcomes.returned(saying) : ('AMOUNT_DIFFERS' as const);

  const list = async (cases: readonly Case[]): Promise<readonly Unmatched[]> => {
    const listed: Unmatched[] = [];
    for (const one of cases) if (await entries.list(one)) listed.push(one.why);
    return listed;
  };

  const applyParts = async (message: BankMessage, signal: AbortSignal): Promise<readonly Unmatched[]> => {
    const { messageId } = message;
    const listed: Unmatched[] = [];
    switch (message.kind) {
      case 'status-report':
        return list(await refusalsOf(message, signal));
      case 'returns':
        for (const one of message.returns) {
          listed.push(...(await list(await applyReturn(one, `pacs.004/${messageId}/${one.returnId}`))));
          if (signal.aborted) break;
        }
        return listed;
      case 'statement':
        for (const entry of debitsFirst(message.entries)) {
          listed.push(...(await list(await casesOf(entry, signal))));
          // Perhaps not all of its payments were: the next turn goes on with it.
          if (signal.aborted) break;
          await entries.dealtWith(entry);
        }
        return listed;
    }
  };
  return async (message, signal) => {
    const listed = await applyParts(message, signal);
    return { listed, isWhole: !signal.aborted };
  };
}
