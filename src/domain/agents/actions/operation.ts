/** What an agent asks for: the execution of a quote, or a transfer. */
import type { ExternalAccountId, InternalAccountId } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import type { Money } from '../../../kernel/money.ts';
import type { OutflowLimits, QuoteTerms } from '../../payments/events.ts';
import type { Access } from '../authorize.ts';
import type { Operation } from '../events.ts';
import type { KeptOperation } from '../state.ts';

/** What a quote takes, and what a transfer moves. */
export const amountOf = (operation: KeptOperation): Money => paymentOf(operation).amount;

/** Where the money comes from, how much, and by which transaction: the same for a quote and a transfer. */
export const paymentOf = (operation: KeptOperation) =>
  operation.type === 'EXECUTE_QUOTE' ? operation : operation.transfer;

/** How much may leave the account that pays. */
export const limitsOf = (operation: KeptOperation): OutflowLimits => paymentOf(operation).limits ?? {};

export function accessOf(operation: Operation): Access {
  if (operation.type === 'EXECUTE_QUOTE') {
    const { source, destinationAccountId, creates } = operation;
    return {
      permissions: creates ? ['CREATE_QUOTES', 'EXECUTE_QUOTES'] : ['EXECUTE_QUOTES'],
      accountIds: [source.accountId, ...(destinationAccountId ? [destinationAccountId] : [])],
    };
  }
  const { direction, source, destination } = operation.transfer;
  const [inside, outside] = direction === 'IN' ? [destination, source] : [source, destination];
  invariant(inside.kind === 'INTERNAL' && outside.kind === 'EXTERNAL', 'a transfer between other accounts');
  return transferAccess(direction, inside.accountId, outside.accountId);
}

/** Money is pulled from an account outside as it is paid from one inside: by whoever may use the account. */
export const transferAccess = (
  direction: 'IN' | 'OUT',
  inside: InternalAccountId,
  outside: ExternalAccountId,
): Access => ({
  permissions: ['CREATE_TRANSFERS'],
  accountIds: direction === 'IN' ? [outside, inside] : [inside],
});

type Execution = Extract<Operation, { type: 'EXECUTE_QUOTE' }>;

/** The execution of a quote; `undefined` for one that runs when it is paid for. */
export function executionOf(quote: QuoteTerms): Execution | undefined {
  const { source, destination, quoteId, transactionId, sending: amount, limits } = quote;
  if (source.kind !== 'INTERNAL' && source.kind !== 'EXTERNAL') return undefined;
  return {
    type: 'EXECUTE_QUOTE',
    quoteId,
    transactionId,
    source,
    amount,
    ...(limits && { limits }),
    ...(destination.kind === 'INTERNAL' && { destinationAccountId: destination.accountId }),
  };
}
