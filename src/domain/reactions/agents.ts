/** Carries out what an agent's stream has decided, and tells it when nothing comes of it. */

import { uuidOf } from '../../kernel/ids.ts';
import { type ActionCommand, quoteExpired } from '../agents/actions/action.ts';
import type { Operation } from '../agents/events.ts';
import type { Instruction, Reaction } from '../aggregates.ts';
import { debitCommand, quoteDebit, transferDebit } from '../payments/debit.ts';
import type { AgentActionRef } from '../payments/events.ts';

export const agentReaction: Reaction = (event) => {
  switch (event.type) {
    case 'AgentActionRequested':
      return created(event.data.operation);
    case 'AgentActionStarted': {
      const { agentId, actionId, operation, at } = event.data;
      return execution(operation, { agentId, actionId }, at);
    }
    case 'DebitRefused': {
      const { agentAction, code, message, at } = event.data;
      return fail(agentAction, { problem: { code, message }, at });
    }
    case 'ExecutionRefused':
      return fail(event.data.agentAction, { problem: quoteExpired, at: event.data.at });
    case 'TransactionExpired': {
      const { agentId, transactionId, at } = event.data;
      if (!agentId) return [];
      return [
        { to: 'agent', uuid: uuidOf(agentId), command: { type: 'ExpireExecution', transactionId, at } },
      ];
    }
    case 'ExecutionDeclined': {
      const problem = { code: 'CONFLICT', message: 'The quote has been executed already, or has expired.' };
      return fail(event.data.agentAction, { problem, at: event.data.at });
    }
    case 'TransactionFailed':
    case 'TransactionRejected':
    case 'TransactionCancelled':
      return fail(event.data.agentAction, { at: event.data.at });
    default:
      return [];
  }
};

/** The quote that an action creates is there for whoever has to approve it. */
function created(operation: Operation): readonly Instruction[] {
  if (operation.type !== 'EXECUTE_QUOTE' || !operation.creates) return [];
  const { transactionId, creates: terms } = operation;
  return [{ to: 'transaction', uuid: uuidOf(transactionId), command: { type: 'CreateQuote', terms } }];
}

/** The money is taken in the action's name, once. */
function execution(operation: Operation, agentAction: AgentActionRef, at: Date): readonly Instruction[] {
  const requestedBy = agentAction.actionId;
  switch (operation.type) {
    case 'EXECUTE_QUOTE': {
      const { transactionId, source, amount, limits, signedBy, creates } = operation;
      const uuid = uuidOf(transactionId);
      if (source.kind === 'EXTERNAL') {
        const command = { type: 'ReceiveFunds', amount, requestedBy, agentAction, at } as const;
        return [...created(operation), { to: 'transaction', uuid, command }];
      }
      const { accountId } = source;
      const debit = quoteDebit({ transactionId, accountId, amount, limits }, creates);
      const command = debitCommand({ ...debit, requestedBy, agentAction, signedBy, at });
      return [{ to: 'account', uuid: uuidOf(accountId), command }];
    }
    case 'TRANSFER_OUT': {
      const debit = transferDebit(operation.transfer);
      const command = debitCommand({ ...debit, requestedBy, at });
      return [{ to: 'account', uuid: uuidOf(debit.accountId), command }];
    }
    case 'TRANSFER_IN': {
      const { transfer: terms } = operation;
      const command = { type: 'CreateTransfer', terms } as const;
      return [{ to: 'transaction', uuid: uuidOf(terms.transactionId), command }];
    }
  }
}

function fail(
  agentAction: AgentActionRef | undefined,
  rest: Pick<Extract<ActionCommand, { type: 'FailAction' }>, 'problem' | 'at'>,
): readonly Instruction[] {
  if (!agentAction) return [];
  const { agentId, actionId } = agentAction;
  return [{ to: 'agent', uuid: uuidOf(agentId), command: { type: 'FailAction', actionId, ...rest } }];
}
