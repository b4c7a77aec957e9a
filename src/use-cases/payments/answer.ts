import type { TransactionCommand } from '../../domain/payments/commands.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';

export type Answer = Extract<
  TransactionCommand,
  { type: 'ApprovePayment' | 'RejectPayment' | 'ConfirmReceipt' }
>;

/** The platform's answer to an incoming payment, or of its customer's receipt. The payment shows what followed from it at once. */
export async function answerPayment(
  commands: Commands,
  { terms: { transactionId } }: Payment,
  answer: Answer,
  cause: Cause,
): Promise<Payment> {
  const uuid = uuidOf(transactionId);
  await commands.run('transaction', uuid, answer, cause);
  const answered = await commands.load('transaction', uuid);
  invariant(answered.status !== 'NONE', 'answered a payment that is not there');
  return answered;
}
