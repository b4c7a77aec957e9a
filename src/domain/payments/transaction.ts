/**
 * One payment from its quote, transfer or announcement to its end. The quote and its transaction are one stream with
 * one life (`life.ts`), so they cannot disagree; the balances on either side have streams of their own, and
 * `reactions/payments.ts` moves between them. A command that finds no such move open causes nothing.
 */
import type { Decider } from '../../kernel/decider.ts';
import type { TransactionId } from '../../kernel/ids.ts';
import type { CreateTransfer, LaterCommand, TransactionCommand } from './commands.ts';
import { announce, decideApproval } from './decisions/approval.ts';
import {
  complete,
  confirmReceipt,
  delay,
  giveBack,
  refuseCredit,
  reportOfRail,
  submitted,
} from './decisions/endings.ts';
import { expire, receiveFunds, startProcessing } from './decisions/funding.ts';
import { endRefund } from './decisions/refunds.ts';
import { decideRoute } from './decisions/routing.ts';
import type { TransactionEvent } from './events.ts';
import { mayMove } from './life/moves.ts';
import { evolveTransaction, notBegun, type Payment, type Transaction } from './life/progress.ts';
import { transactionNotFound } from './not-found.ts';

export const transaction: Decider<Transaction, TransactionCommand, TransactionEvent> = {
  initial: notBegun,

  decide(command, state) {
    switch (command.type) {
      case 'CreateQuote':
        return mayMove(state, 'QuoteCreated') ? [{ type: 'QuoteCreated', data: command.terms }] : [];
      case 'CreateTransfer':
        return mayMove(state, 'TransferCreated') ? begin(command) : [];
      case 'CreateIncomingPayment':
        return mayMove(state, 'IncomingPaymentCreated') ? announce(command.terms) : [];
      case 'RecordDeposit':
        return mayMove(state, 'DepositReceived') ? [{ type: 'DepositReceived', data: command.deposit }] : [];
      default:
        if (state.stage === 'none') throw transactionNotFound();
        return decideLater(command, state);
    }
  },

  evolve: evolveTransaction,
};

function begin({ terms, taken }: CreateTransfer): readonly TransactionEvent[] {
  const created = { type: 'TransferCreated', data: terms } as const;
  return taken ? [created, submitted(terms.transactionId, taken, terms.at)] : [created];
}

function decideLater(command: LaterCommand, state: Payment): readonly TransactionEvent[] {
  switch (command.type) {
    case 'StartProcessing':
      return startProcessing(command, state);
    case 'ReceiveFunds':
      return receiveFunds(command, state);
    case 'ExpireQuote':
      return expire(state, command.at);
    case 'ApprovePayment':
    case 'RejectPayment':
    case 'DeferApproval':
    case 'FailApproval':
    case 'EndApproval':
      return decideApproval(command, state);
    case 'RoutePayment':
    case 'RefuseRoute':
    case 'DescribePayee':
      return decideRoute(command, state);
    case 'RecordSubmission':
    case 'SettlePayment':
    case 'FailTransaction':
    case 'RejectTransaction':
    case 'CancelTransaction':
      return reportOfRail(command, state);
    case 'DelaySettlement':
      return delay(state, command);
    case 'CompleteTransaction':
      return complete(state, command.at);
    case 'RefuseCredit':
      return refuseCredit(state, command.at);
    case 'ConfirmReceipt':
      return confirmReceipt(state, command);
    case 'ReturnPayment':
      return giveBack(state, command);
    case 'RecordRefund':
    case 'FailRefund':
      return endRefund(command.type, state, command.at);
  }
}

/** The entries on accounts that belong to a transaction: each is booked once. */
export const debitEntryId = (id: TransactionId) => `${id}:debit`;
export const creditEntryId = (id: TransactionId) => `${id}:credit`;
export const refundEntryId = (id: TransactionId) => `${id}:refund`;
export const depositEntryId = (id: TransactionId) => `${id}:deposit`;
