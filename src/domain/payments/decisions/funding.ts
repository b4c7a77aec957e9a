/** How a quote is paid for, or is not: by a debit of an account here, or by money from outside. */
import { move } from '../../books/postings.ts';
import type { FundingCommand } from '../commands.ts';
import type { AgentActionRef, TransactionEvent } from '../events.ts';
import { mayMove } from '../life/moves.ts';
import type { Payment } from '../life/progress.ts';
import { conversion } from '../settlement.ts';
import type { Terms } from '../terms.ts';
import { refundTo } from './refunds.ts';

type Of<T extends FundingCommand['type']> = Extract<FundingCommand, { type: T }>;

/** The source account has been debited. When the quote expired in between, the debit goes back. */
export function startProcessing(
  { agentAction, at }: Of<'StartProcessing'>,
  state: Payment,
): readonly TransactionEvent[] {
  const { terms } = state;
  const { transactionId, source, sending: refund } = terms;
  if (source.kind !== 'INTERNAL') return [];
  if (mayMove(state, 'ExecutionRefused')) {
    const refused = {
      transactionId,
      refund,
      ...refundTo(terms),
      ...(agentAction && { agentAction }),
      at,
    };
    return [{ type: 'ExecutionRefused', data: refused }];
  }
  if (!mayMove(state, 'TransactionProcessing')) return [];
  return [{ type: 'TransactionProcessing', data: { transactionId, at } }, ...creditOf(terms, at)];
}

/** Money from outside for a quote. What does not match the quote goes back. */
export function receiveFunds(command: Of<'ReceiveFunds'>, state: Payment): readonly TransactionEvent[] {
  const { amount, requestedBy, agentAction, at } = command;
  const { terms } = state;
  const { transactionId, kind, source, sending } = terms;
  if (kind !== 'quote' || source.kind === 'INTERNAL') return [];
  if (!mayMove(state, 'FundsReceived'))
    return agentAction ? decline(agentAction, requestedBy, state, at) : [];
  const postings = [...move('rail', 'in-flight', amount)];
  const received: TransactionEvent = {
    type: 'FundsReceived',
    data: { transactionId, amount, requestedBy, postings, at },
  };
  if (amount.minor === sending.minor) return [received, ...creditOf(terms, at)];
  const reason = 'QUOTE_EXECUTION_FAILED';
  const failed = { transactionId, reason, refund: amount, ...refundTo(terms), at } as const;
  return [received, { type: 'TransactionFailed', data: failed }];
}

/** Tells an agent's action that it has lost, once; the action that won is told nothing. */
function decline(
  agentAction: AgentActionRef,
  requestedBy: string,
  { terms: { transactionId }, fundedBy, declined = [] }: Payment,
  at: Date,
): readonly TransactionEvent[] {
  if (fundedBy === requestedBy || declined.includes(agentAction.actionId)) return [];
  return [{ type: 'ExecutionDeclined', data: { transactionId, agentAction, at } }];
}

/** For a payment to an internal account there is no rail: the converted amount goes straight there. */
function creditOf(terms: Terms, at: Date): readonly TransactionEvent[] {
  const { transactionId, destination, receiving: amount } = terms;
  if (destination.kind !== 'INTERNAL') return [];
  const { accountId } = destination;
  const postings = conversion(terms);
  return [{ type: 'CreditDue', data: { transactionId, accountId, amount, from: 'in-flight', postings, at } }];
}

export function expire(state: Payment, at: Date): readonly TransactionEvent[] {
  const { terms } = state;
  if (!mayMove(state, 'TransactionExpired')) return [];
  if (terms.kind !== 'quote' || at < terms.quote.expiresAt) return [];
  const { transactionId, agentId } = terms;
  return [{ type: 'TransactionExpired', data: { transactionId, ...(agentId && { agentId }), at } }];
}
