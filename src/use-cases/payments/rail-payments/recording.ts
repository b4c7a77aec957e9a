/** What a rail says of a payment, recorded in the log as it is by then. */
import type { TransactionCommand } from '../../../domain/payments/commands.ts';
import { awaitsSubmission, isNewSubmission } from '../../../domain/payments/life/moves.ts';
import type { Payment, Transaction } from '../../../domain/payments/life/progress.ts';
import type { Ending, RailStatus, Submission } from '../../../domain/ports/payment-rail.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import type { Patience } from '../../../infrastructure/remembered/patience.ts';
import { type TransactionId, uuidOf } from '../../../kernel/ids.ts';
import type { Commands } from '../../commands.ts';
import { commandOf, hasArrived, isContradicted, takenAs } from './words.ts';

type Deps = {
  readonly commands: Pick<Commands, 'run'>;
  readonly now: () => Date;
  readonly patience: Pick<Patience, 'waitUntil' | 'forget'>;
  /** Told of a payment that the rail took, and does not know any more. Nobody but an operator can say what became of it. */
  readonly lost?: ((transactionId: TransactionId) => void) | undefined;
  /** Told of a payment that has ended otherwise than the rail says. */
  readonly contradicted?: ((transactionId: TransactionId) => void) | undefined;
};

export type Recording = ReturnType<typeof createRecording>;

export function createRecording({ commands, now, patience, lost, contradicted }: Deps) {
  const tell = async ({ terms: { transactionId } }: Payment, command: TransactionCommand, cause: Cause) =>
    commands.run('transaction', uuidOf(transactionId), command, cause);

  /** Whether the payment has ended as the rail says, or may still end so. */
  const compare = (payment: Transaction, ending: Ending): boolean => {
    if (payment.stage === 'none' || !isContradicted(payment, ending)) return true;
    contradicted?.(payment.terms.transactionId);
    return false;
  };

  /**
   * Records how the rail says that it ended, of the payment as it is: what was seen of it may be from before it arrived,
   * and one that failed after it had come back. Returns whether that is new, and the payment afterwards.
   */
  const end = async (seen: Payment, ending: Ending, cause: Cause) => {
    const first = await tell(seen, commandOf(ending, seen, now()), cause);
    const { state } = first;
    const isNew = first.events.length > 0;
    if (isNew || state.status === 'NONE' || hasArrived(state) === hasArrived(seen)) return { isNew, state };
    const again = await tell(state, commandOf(ending, state, now()), cause);
    return { isNew: again.events.length > 0, state: again.state };
  };

  /** What had arrived is asked about no more: the rail has said nothing of a return, and no time to ask again. */
  const askNoMore = async (payment: Payment, cause: Cause): Promise<void> => {
    if (hasArrived(payment)) await tell(payment, { type: 'SettlePayment', at: now() }, cause);
  };

  /** Records whatever the rail has answered; that it knows of nothing is told, where it has taken the payment. */
  const record = async (payment: Payment, answer: RailStatus | Submission, cause: Cause): Promise<void> => {
    const { transactionId } = payment.terms;
    switch (answer.status) {
      case 'unknown':
        if (!awaitsSubmission(payment)) lost?.(transactionId);
        return askNoMore(payment, cause);
      case 'accepted':
        if (isNewSubmission(payment, answer))
          await tell(payment, { type: 'RecordSubmission', at: now(), ...takenAs(answer) }, cause);
        else if (answer.checkAt) patience.waitUntil(transactionId, answer.checkAt);
        else await askNoMore(payment, cause);
        return;
      case 'ended':
        return record(payment, answer.ending, cause);
      default: {
        patience.forget(transactionId);
        const { isNew, state } = await end(payment, answer, cause);
        if (!isNew) compare(state, answer);
      }
    }
  };

  return { tell, compare, end, record };
}
