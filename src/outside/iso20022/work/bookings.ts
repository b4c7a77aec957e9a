/** Does what an entry of a statement says: of a payment of ours, or of money that arrives. */
import type { RailReports } from '../../../domain/ports/rail-module.ts';
import {
  bankReferenceOf,
  type Case,
  describeEntry,
  type Entries,
  formerCasesOf,
  keyOf,
  ownKeyOf,
  type Unmatched,
} from '../files/entries.ts';
import { isOfAmount, ownEndToEndId } from '../files/payments.ts';
import type { Entry } from '../messages/model.ts';
import { orderOf } from './order-writer.ts';
import { type Outcomes, sayingOfReturn } from './outcomes.ts';
import type { OwnPayment, OwnPayments } from './own-payments.ts';

type Deps = {
  readonly own: OwnPayments;
  readonly entries: Pick<Entries, 'stateOf' | 'isLeft'>;
  readonly outcomes: Pick<Outcomes, 'debited' | 'debitedAgain' | 'credited'>;
  readonly reports: Pick<RailReports, 'arrived'>;
};

/** With what else an operator is told. */
type Told = { readonly why: Unmatched; readonly more: Case['details'] };
type Ended = Unmatched | Told | readonly Told[] | undefined;

/** What Daybook says of money that arrives, and may say otherwise later. */
const mayChange = ['UNKNOWN_CREDIT', 'CREDIT_REFUSED'] as const;

/** Returns what an operator has to look at. Once the signal is aborted, no further payment of the entry is settled. */
export function createBookings({ own, entries, outcomes, reports }: Deps) {
  /** Of one that is stopped on the way nothing is listed: the next turn has all of its payments. */
  const settle = async (
    entry: Entry,
    payments: readonly OwnPayment[],
    source: string,
    signal: AbortSignal,
  ): Promise<readonly Told[]> => {
    const found: (OwnPayment & { readonly why: Unmatched | undefined })[] = [];
    for (const payment of payments) {
      found.push({ ...payment, why: await outcomes.debited({ ...payment, source }) });
      if (signal.aborted) break;
    }
    if (found.length < payments.length) return [];
    return [...Map.groupBy(found, ({ why }) => why)].flatMap(([why, those]) =>
      why ? [{ why, more: namedBeside(entry, those) }] : [],
    );
  };

  const applyDebit = async (entry: Entry, signal: AbortSignal): Promise<Ended> => {
    if (entry.isReturn) return 'CREDIT_REVERSED';
    const payments = await debitedBy(own, entry);
    if (payments.length === 0) return (await namesAny(own, entry)) ? 'AMOUNT_DIFFERS' : 'UNKNOWN_DEBIT';
    if (!isTotalOf(payments, entry.amount)) return 'AMOUNT_DIFFERS';
    return settle(entry, payments, keyOf(entry), signal);
  };

  const applyCredit = async (entry: Entry): Promise<Ended> => {
    const payment = await own.find(entry.endToEndId);
    const { reasonCode, amount, named } = entry;
    if (payment) {
      if (!isOfAmount(payment.facts, amount)) return { why: 'AMOUNT_DIFFERS', more: sayingOfReturn(payment) };
      return outcomes.credited({ ...payment, source: keyOf(entry), reasonCode });
    }
    if (entry.isReturn) return 'UNKNOWN_RETURN';
    const bankReference = bankReferenceOf(entry);
    if (!bankReference) return 'NO_BANK_REFERENCE';
    if (amount.minor === 0n) return 'UNKNOWN_CREDIT';
    // The process may have stopped before the entry was dealt with: it is an operator's by now, whatever could be done.
    for (const why of mayChange) if (await entries.isLeft({ why, key: bankReference })) return why;
    const arrival = await reports.arrived({
      bankReference,
      amount,
      named,
      refusalIsFinal: true,
      isOnStatement: true,
    });
    if (arrival.status === 'unmatched') return 'UNKNOWN_CREDIT';
    if (arrival.status === 'refused') return { why: 'CREDIT_REFUSED', more: { refusedWith: arrival.code } };
    return undefined;
  };

  /** Of one whose name another has, only a debit says whose it is: that of payments which none has settled. */
  const applyNamesake = async (entry: Entry, signal: AbortSignal): Promise<readonly Case[]> => {
    const source = ownKeyOf(entry);
    const payments = entry.direction === 'debit' && !entry.isReturn ? await debitedBy(own, entry) : [];
    const paid = isTotalOf(payments, entry.amount) ? payments : [];
    const paidBefore = paid.filter(({ facts: { debited } }) => debited && debited.source !== source);
    for (const payment of paidBefore) await outcomes.debitedAgain({ ...payment, source });
    if (paid.length === 0 || paidBefore.length > 0)
      return [caseOf(entry, 'REFERENCE_REUSED', source, namedBeside(entry, paidBefore))];
    return casesOf(entry, await settle(entry, payments, source, signal), source);
  };

  return async (entry: Entry, signal: AbortSignal): Promise<readonly Case[]> => {
    const state = await entries.stateOf(entry);
    if (state === 'known') return [];
    if (state === 'name taken') return applyNamesake(entry, signal);
    const ended = await (entry.direction === 'credit' ? applyCredit(entry) : applyDebit(entry, signal));
    return casesOf(entry, ended, keyOf(entry));
  };
}

/** The payment that a debit names, or all that the bank did not refuse of an order that it has booked as one. */
async function debitedBy(own: OwnPayments, { endToEndId, batch }: Entry): Promise<readonly OwnPayment[]> {
  const payment = await own.find(endToEndId);
  if (payment) return [payment];
  if (batch === undefined) return [];
  return (await own.membersOf(orderOf(batch))).filter(({ facts }) => !facts.refused);
}

/** Whether a payment of ours is in it, of which it does not say how much it has debited. */
async function namesAny(own: OwnPayments, { endToEndIds = [] }: Entry): Promise<boolean> {
  for (const one of endToEndIds) if (await own.find(one)) return true;
  return false;
}

/** The payments, where the entry itself names none of them. */
function namedBeside({ endToEndId }: Entry, payments: readonly OwnPayment[]): Case['details'] {
  const endToEndIds = payments.map((payment) => payment.endToEndId);
  const isNamed = endToEndIds.some((one) => one === ownEndToEndId(endToEndId));
  return endToEndIds.length === 0 || isNamed ? {} : { endToEndIds };
}

function casesOf(entry: Entry, ended: Ended, key: string): readonly Case[] {
  if (!ended) return [];
  if (typeof ended === 'string') return [caseOf(entry, ended, key)];
  return [ended].flat().map(({ why, more }) => caseOf(entry, why, key, more));
}

const caseOf = (entry: Entry, why: Unmatched, key: string, more: Case['details'] = {}): Case => ({
  why,
  key,
  details: { ...describeEntry(entry), ...more },
  perhaps: formerCasesOf(entry, why),
  ...(entry.direction === 'credit' && { credit: { bankReference: key, amount: entry.amount } }),
});

/** Whether there are any, and they come to the amount together. */
const isTotalOf = (payments: readonly OwnPayment[], amount: Entry['amount']): boolean => {
  const amounts = payments.map(({ facts }) =>
    facts.first.was === 'taken' ? facts.first.transfer.amount : undefined,
  );
  const total = amounts.reduce((so, one) => so + (one?.minor ?? 0n), 0n);
  return total === amount.minor && amounts[0]?.currency === amount.currency;
};
