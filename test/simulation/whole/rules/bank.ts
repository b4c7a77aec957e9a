/** What the bank was told in files, and what it told. */
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';
import { endToEndIdOf } from '../../../../src/outside/iso20022/instructions.ts';
import { fateAtBank } from '../ports/bank.ts';
import { isTakenBack, type Known, type Rule } from './rules.ts';

/** With the payment that each was ordered for, as it is in the end, or as it was before its platform went back. */
const paymentsAtBank = ({ ended, bank, timelines, at }: Known) => {
  const gone = timelines.waysBack.flatMap(({ position }) => at(position - 1n).ended);
  const byId = new Map(
    [...gone, ...ended].map((payment) => [endToEndIdOf(payment.terms.transactionId), payment]),
  );
  return bank.ordered.map((transfer) => ({ transfer, payment: byId.get(transfer.endToEndId) }));
};

const isEuroDeposit = (event: DomainEvent): event is Extract<DomainEvent, { type: 'DepositReceived' }> =>
  event.type === 'DepositReceived' && event.data.amount.currency === 'EUR';

export const ofTheBank: Readonly<Record<string, Rule>> = {
  *'a transfer is ordered once'({ bank }) {
    const seen = new Set<string>();
    for (const { endToEndId } of bank.ordered) {
      if (seen.has(endToEndId)) yield endToEndId;
      seen.add(endToEndId);
    }
  },

  *'what is ordered is a payment of the log, and of its amount'(known) {
    for (const { transfer, payment } of paymentsAtBank(known))
      if (payment?.terms.receiving.minor !== transfer.minor)
        yield `${transfer.endToEndId}: ${transfer.minor} for ${payment?.terms.receiving.minor}`;
  },

  *'a payment by file is completed where the bank has paid it, and nowhere else'(known) {
    for (const { transfer, payment } of paymentsAtBank(known)) {
      const isPaid = fateAtBank(transfer.endToEndId) === 'paid';
      if (payment && isTakenBack(known, payment)) continue;
      if (isPaid !== (payment?.status === 'COMPLETED'))
        yield `${payment?.terms.transactionId}: ${payment?.status}, ${fateAtBank(transfer.endToEndId)}`;
    }
  },

  *'money that arrives at the bank is credited once, or left to an operator'({ bank, finished, timelines }) {
    const creditedIn = (log: readonly DomainEvent[]) =>
      log.filter(isEuroDeposit).map(({ data }) => data.amount.minor);
    const credited = creditedIn(finished);
    // A statement is read once: what was credited from it before a way back is gone with that.
    const undone = creditedIn(timelines.happened.filter(({ id }) => timelines.goneAt(id) !== undefined));
    const left = new Set(bank.unmatched.map(({ bankReference }) => bankReference));
    const expected = bank.arrived.filter(({ bankReference }) => !left.has(bankReference));
    for (const { minor, bankReference } of expected) {
      const n = credited.indexOf(minor);
      if (n >= 0) credited.splice(n, 1);
      else if (!undone.includes(minor)) yield `${bankReference}: ${minor} is credited to nobody`;
    }
    for (const minor of credited) yield `${minor} is credited for nothing`;
  },

  *'money that names an account is not told to be nobody’s'({ bank, finished }) {
    const opened = new Set<string>(
      finished.flatMap((event) => (event.type === 'AccountOpened' ? [event.data.accountId] : [])),
    );
    const named = new Map(bank.arrived.map(({ bankReference, account }) => [bankReference, account]));
    for (const { why, bankReference = '' } of bank.unmatched)
      if (why === 'UNKNOWN_CREDIT' && opened.has(named.get(bankReference) ?? '')) yield bankReference;
  },

  *'every file of the bank is read'({ bank }) {
    yield* bank.unreadable;
  },
};
