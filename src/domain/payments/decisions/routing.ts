/**
 * Whom a payment to an address pays, and by which way. It is settled once, before anything leaves; what was refused
 * before that has gone nowhere. Of both, the first counts.
 */
import type { RoutingCommand } from '../commands.ts';
import type { TransactionEvent } from '../events.ts';
import { mayMove } from '../life/moves.ts';
import type { Payment } from '../life/progress.ts';
import { refundDue } from './refunds.ts';

export function decideRoute(command: RoutingCommand, state: Payment): readonly TransactionEvent[] {
  const { at } = command;
  const { transactionId, kind, destination } = state.terms;
  if (kind !== 'quote' || destination.kind !== 'UMA_ADDRESS') return [];
  switch (command.type) {
    case 'RoutePayment':
      if (!mayMove(state, 'PaymentRouted')) return [];
      return [{ type: 'PaymentRouted', data: { transactionId, route: command.route, at } }];
    case 'RefuseRoute': {
      if (!mayMove(state, 'PaymentRouted')) return [];
      const { reason } = command;
      return [{ type: 'TransactionFailed', data: { transactionId, reason, ...refundDue(state.terms), at } }];
    }
    case 'DescribePayee': {
      if (!mayMove(state, 'PayeeDescribed') || state.described) return [];
      const { counterpartyInformation } = command;
      return [{ type: 'PayeeDescribed', data: { transactionId, counterpartyInformation, at } }];
    }
  }
}
