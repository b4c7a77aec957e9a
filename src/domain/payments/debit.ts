import type { InternalAccountId, TransactionId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Money } from '../../kernel/money.ts';
import type { OpenedPayment } from '../accounts/events.ts';
import type { AccountCommand } from '../accounts/state.ts';
import type { SignedBy } from '../wallets/events.ts';
import type { AgentActionRef, OutflowLimits, QuoteTerms, TransferTerms } from './events.ts';
import { debitEntryId } from './transaction.ts';

export type Debit = {
  readonly accountId: InternalAccountId;
  readonly transactionId: TransactionId;
  readonly amount: Money;
  readonly purpose: 'payout' | 'transfer';
  /** The payment that the debit begins, where it has no stream yet. */
  readonly opens?: OpenedPayment | undefined;
  readonly agentAction?: AgentActionRef | undefined;
  readonly signedBy?: SignedBy | undefined;
  readonly limits?: OutflowLimits | undefined;
  readonly requestedBy: string;
  readonly at: Date;
};

export function debitCommand(debit: Debit): Extract<AccountCommand, { type: 'DebitAccount' }> {
  const { transactionId, amount, purpose, opens, agentAction, signedBy, limits, requestedBy, at } = debit;
  const entryId = debitEntryId(transactionId);
  const more = {
    ...(opens && { opens }),
    ...(agentAction && { agentAction }),
    ...(signedBy && { signedBy }),
    ...(limits && { limits }),
  };
  const entry = { entryId, transactionId, requestedBy, amount, at, ...more };
  return { type: 'DebitAccount', purpose, to: 'in-flight', ...entry };
}

type Payout = {
  readonly transactionId: TransactionId;
  readonly accountId: InternalAccountId;
  readonly amount: Money;
  readonly limits?: OutflowLimits | undefined;
};

/** The money of a quote, as its source account is asked for it: with the quote itself where it has no stream yet. */
export const quoteDebit = (payout: Payout, terms?: QuoteTerms) => ({
  ...payout,
  purpose: 'payout' as const,
  ...(terms && { opens: { kind: 'quote' as const, terms } }),
});

/** The money of a transfer out, as its source account is asked for it: with all that begins the transfer. */
export function transferDebit(terms: TransferTerms) {
  const { transactionId, source, amount, agentAction, limits, at } = terms;
  invariant(source.kind === 'INTERNAL', 'a transfer out of an external account');
  const { accountId } = source;
  const opens = { kind: 'transfer' as const, terms };
  return { accountId, transactionId, amount, purpose: 'transfer' as const, opens, agentAction, limits, at };
}
