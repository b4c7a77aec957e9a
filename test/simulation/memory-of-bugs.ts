/** What mistakes remember of the events that a process has seen. */
import type { DomainEvent, Instruction } from '../../src/domain/aggregates.ts';
import { refundEntryId } from '../../src/domain/payments/transaction.ts';
import type { Counterparty } from '../../src/domain/ports/payment-rail.ts';
import { uuidOf } from '../../src/kernel/ids.ts';

type DataOf<Type extends DomainEvent['type']> = Extract<DomainEvent, { type: Type }>['data'];

/** The debit that each payment began with. */
export function takenFor() {
  const debits = new Map<string, DataOf<'AccountDebited'>>();
  return {
    note: (debit: DataOf<'AccountDebited'>) => void debits.set(debit.transactionId, debit),
    givenBack(id: string): readonly Instruction[] {
      const debit = debits.get(id);
      if (!debit) return [];
      const { transactionId, accountId, amount, at } = debit;
      const entry = {
        entryId: refundEntryId(transactionId),
        transactionId,
        requestedBy: 'refund',
        amount,
        at,
      };
      const command = { type: 'CreditAccount', purpose: 'refund', from: 'in-flight', ...entry } as const;
      return [{ to: 'account', uuid: uuidOf(accountId), command }];
    },
  };
}

type Details = DataOf<'ExternalAccountCreated'>;

/** The account elsewhere that a customer has registered last, in each currency. */
export function newestAccounts() {
  const newest = new Map<string, Details>();
  const keyOf = ({ customerId, currency }: Pick<Details, 'customerId' | 'currency'>) =>
    `${customerId} ${currency}`;
  return {
    note: (account: Details) => void newest.set(keyOf(account), account),
    insteadOf(told: Counterparty): Counterparty {
      if (told.kind !== 'account') return told;
      return { kind: 'account', account: newest.get(keyOf(told.account)) ?? told.account };
    },
  };
}
