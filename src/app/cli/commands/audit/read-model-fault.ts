/** What the read models and the log do not agree on. */
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import { Fault } from '../../verify/verify.mjs';

/** Whose row it is. */
type Subject =
  | { readonly account: string; readonly currency: string; readonly platformId?: string }
  | { readonly transactionId: string }
  | { readonly platformId: string; readonly customerId?: string };

type Difference = Subject & {
  readonly readModel:
    | 'internal_accounts'
    | 'ledger_balances'
    | 'postings'
    | 'transactions'
    | 'uncompleted_transactions'
    | 'transaction_totals';
  /** Of the log: up to here it was added up. */
  readonly position: bigint;
  readonly column: string;
  /** What is in the read model; `undefined` where it has no such row. */
  readonly copied: unknown;
  /** What the log comes to; `undefined` where nothing of it leads to the row. */
  readonly logged: unknown;
};

/** A place in a read model that is not as the log has it. */
export class ReadModelFault extends Fault {
  constructor(difference: Difference, event?: StoredEvent) {
    const { readModel, position, column, copied, logged } = difference;
    const where = event ? '' : `, at position ${position}`;
    super(
      `${readModel} has ${told(copied)} as ${column} of ${named(difference)}, and the log ${told(logged)}${where}`,
      event,
    );
    Object.assign(this, difference);
  }
}

const told = (value: unknown): string => String(value ?? 'nothing');

function named(subject: Subject): string {
  if ('transactionId' in subject) return subject.transactionId;
  if (!('account' in subject)) return subject.customerId || subject.platformId;
  const { account, currency, platformId } = subject;
  return platformId === undefined ? `${account}, ${currency}` : `${account} of ${platformId}, ${currency}`;
}
