/** Does what a message of the bank says, part by part. Safe to repeat: after a crash the file is read again. */
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
import type { Facts } from '../files/payments.ts';
import type { BankMessage, Entry, Return } from '../messages/model.ts';
import { toDecimal } from '../values/amounts.ts';
import { orderOf } from './order-writer.ts';
import type { Outcomes, Saying } from './outcomes.ts';
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
};

export type Apply = (message: BankMessage) => Promise<Applied>;

/** What Daybook says of money that arrives, and may say otherwise later. */
const mayChange = ['UNKNOWN_CREDIT', 'CREDIT_REFUSED'] as const;

export function createApply({ own, entries, outcomes, reports }: Deps): Apply {
  const refusalsOf = createRefusals({ own, outcomes });

  const applyReturn = async (one: Return, source: string): Promise<readonly Case[]> => {
    const { reasonCode, amount } = one;
    const payment = await own.find(one.endToEndId);
    const why = payment ? await returnedAs({ ...payment, source, reasonCode }, one) : 'UNKNOWN_RETURN';
    const details = { return: source, amount: toDecimal(amount.minor), currency: amount.currency };
    return why ? [{ why, key: source, details: { ...details, endToEndId: one.endToEndId, reasonCode } }] : [];
  };
  const returnedAs = (saying: Saying, { amount }: Return) =>
    isOf(saying.facts, amount) ? outcomes.returned(saying) : ('AMOUNT_DIFFERS' as const);

  const applyDebit = async (entry: Entry): Promise<Unmatched | undefined> => {
    if (entry.batch !== undefined) return applyBatch(entry, entry.batch);
    const payment = await own.find(entry.endToEndId);
    if (entry.isReturn) return 'CREDIT_REVERSED';
    if (!payment) return 'UNKNOWN_DEBIT';
    if (!isOf(payment.facts, entry.amount)) return 'AMOUNT_DIFFERS';
    return outcomes.debited({ ...payment, source: keyOf(entry) });
  };

  /** The bank has booked an order as one: all that it did not refuse of it. */
  const applyBatch = async (entry: Entry, batch: string): Promise<Unmatched | undefined> => {
    const members = (await own.membersOf(orderOf(batch))).filter(({ facts }) => !facts.refused);
    if (members.length === 0) return 'UNKNOWN_DEBIT';
    const amounts = members.map(({ facts }) =>
      facts.first.was === 'taken' ? facts.first.transfer.amount : undefined,
    );
    const total = amounts.reduce((so, amount) => so + (amount?.minor ?? 0n), 0n);
    if (total !== entry.amount.minor || amounts[0]?.currency !== entry.amount.currency)
      return 'AMOUNT_DIFFERS';
    const found: (Unmatched | undefined)[] = [];
    for (const member of members) found.push(await outcomes.debited({ ...member, source: keyOf(entry) }));
    return found.find((why) => why !== undefined);
  };

  const applyCredit = async (entry: Entry): Promise<Unmatched | Refused | undefined> => {
    const payment = await own.find(entry.endToEndId);
    const { reasonCode, amount, named } = entry;
    if (payment) {
      if (!isOf(payment.facts, amount)) return 'AMOUNT_DIFFERS';
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
    if (arrival.status === 'refused') return { why: 'CREDIT_REFUSED', code: arrival.code };
    return undefined;
  };

  /** Of one whose name another has, only a debit says whose it is: that of a payment which none has settled. */
  const applyNamesake = async (entry: Entry): Promise<readonly Case[]> => {
    const source = ownKeyOf(entry);
    const payment = entry.direction === 'debit' ? await own.find(entry.endToEndId) : undefined;
    const debited = payment?.facts.debited;
    const isNews = payment && !entry.isReturn && isOf(payment.facts, entry.amount);
    if (!isNews || (debited && debited.source !== source)) return [caseOf(entry, 'REFERENCE_REUSED', source)];
    const why = await outcomes.debited({ ...payment, source });
    return why ? [caseOf(entry, why, source)] : [];
  };

  const applyEntry = async (entry: Entry): Promise<readonly Case[]> => {
    const state = await entries.stateOf(entry);
    if (state === 'known') return [];
    if (state === 'name taken') return applyNamesake(entry);
    const ended = await (entry.direction === 'credit' ? applyCredit(entry) : applyDebit(entry));
    if (!ended) return [];
    return typeof ended === 'string'
      ? [caseOf(entry, ended, keyOf(entry))]
      : [caseOf(entry, ended.why, keyOf(entry), { refusedWith: ended.code })];
  };

  const list = async (cases: readonly Case[]): Promise<readonly Unmatched[]> => {
    const listed: Unmatched[] = [];
    for (const one of cases) if (await entries.list(one)) listed.push(one.why);
    return listed;
  };

  const applyParts = async (message: BankMessage): Promise<readonly Unmatched[]> => {
    const { messageId } = message;
    const listed: Unmatched[] = [];
    switch (message.kind) {
      case 'status-report':
        return list(await refusalsOf(message));
      case 'returns':
        for (const one of message.returns)
          listed.push(...(await list(await applyReturn(one, `pacs.004/${messageId}/${one.returnId}`))));
        return listed;
      case 'statement':
        for (const entry of message.entries) {
          listed.push(...(await list(await applyEntry(entry))));
          await entries.dealtWith(entry);
        }
        return listed;
    }
  };
  return async (message) => ({ listed: await applyParts(message) });
}

/** An arrival that Daybook refused, with its code. */
type Refused = { readonly why: Unmatched; readonly code: string };

const caseOf = (entry: Entry, why: Unmatched, key: string, more: Case['details'] = {}): Case => ({
  why,
  key,
  details: { ...describeEntry(entry), ...more },
  perhaps: formerCasesOf(entry, why),
  ...(entry.direction === 'credit' && { credit: { bankReference: key, amount: entry.amount } }),
});

const isOf = ({ first }: Facts, amount: Entry['amount']): boolean =>
  first.was === 'taken' &&
  first.transfer.amount.minor === amount.minor &&
  first.transfer.amount.currency === amount.currency;
