/** What the bank was told in files, and what it told. */
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';
import { endToEndIdOf } from '../../../../src/outside/iso20022/instructions.ts';
import { fateAtBank } from '../ports/bank.ts';
import type { Known, Rule } from './rules.ts';

const paymentsAtBank = ({ ended, bank }: Known) => {
  const byId = new Map(ended.map((payment) => [endToEndIdOf(payment.terms.transactionId), payment]));
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
      if (isPaid !== (payment?.status === 'COMPLETED'))
        yield `${payment?.terms.transactionId}: ${payment?.status}, ${fateAtBank(transfer.endToEndId)}`;
    }
  },

  *'money that arrives at the bank is credited once, or left to an operator'({ bank, finished }) {
    const credited = finished.filter(isEuroDeposit).map(({ data }) => data.amount.minor);
    const left = new Set(bank.unmatched.map(({ bankReference }) => bankReference));
    const expected = bank.arrived.filter(({ bankReference }) => !left.has(bankReference));
    for (const { minor, bankReference } of expected) {
      const n = credited.indexOf(minor);
      if (n < 0) yield `${bankReference}: ${minor} is credited to nobody`;
      else credited.splice(n, 1);
    }
    for (const minor of credited) yield `${minor} is credited for nothing`;
  },

  *'money that names an account is not told to be nobody’s'({ bank }) {
    for (const { why, bankReference } of bank.unmatched)
      if (why === 'UNKNOWN_CREDIT') yield `${bankReference}`;
  },

  *'every file of the bank is read'({ bank }) {
    yield* bank.unreadable;
  },
};
