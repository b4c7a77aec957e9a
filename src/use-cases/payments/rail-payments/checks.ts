/** Asks the rail what became of a payment. */
import { awaitsSubmission } from '../../../domain/payments/life/moves.ts';
import type { Payment } from '../../../domain/payments/life/progress.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { type TransactionId, uuidOf } from '../../../kernel/ids.ts';
import type { Commands } from '../../commands.ts';
import type { LocalPayments } from '../local-payments.ts';
import type { BoundedRail } from './bounded-rail.ts';
import { type FindAccount, hasOutside, outsideOf } from './outside.ts';
import type { Recording } from './recording.ts';
import { isDelivered } from './routing.ts';
import type { Submit } from './submission.ts';
import { isWithRail, toRailPayment } from './words.ts';

type Deps = {
  readonly commands: Pick<Commands, 'recall'>;
  readonly rail: Pick<BoundedRail, 'statusOf'>;
  readonly local: Pick<LocalPayments, 'announcedTo'>;
  readonly load: (transactionId: TransactionId) => Promise<Payment>;
  readonly loadAccount: FindAccount;
  readonly recording: Pick<Recording, 'record' | 'compare'>;
  readonly submit: Submit;
};

export type Checks = {
  /** Of a payment that may be with the rail: records what it says, and submits what never reached it. */
  readonly check: (payment: Payment, cause: Cause) => Promise<void>;
  /** Of a payment that the rail cannot change any more: nothing is recorded, and what contradicts it is told. */
  readonly recheck: (payment: Payment) => Promise<void>;
};

export function createChecks({ commands, rail, local, load, loadAccount, recording, submit }: Deps): Checks {
  return {
    async check(payment, cause) {
      // A timer may come late, and find a payment that is over.
      if (!isWithRail(payment) || !hasOutside(payment)) return;
      // What is remembered may be from before its submission.
      if (awaitsSubmission(payment)) return submit(await load(payment.terms.transactionId), cause);
      const { counterparty } = await outsideOf(payment, async (accountId) => {
        const last = commands.recall('externalAccount', uuidOf(accountId));
        return last?.kind === 'registered' ? last : loadAccount(accountId);
      });
      // One to a customer here was never given to the rail.
      if (counterparty.kind === 'address' && (await isDelivered(local, payment))) return;
      const status = await rail.statusOf(toRailPayment(payment, counterparty));
      await recording.record(payment, status, cause);
    },
    async recheck(payment) {
      if (awaitsSubmission(payment)) return;
      const { counterparty } = await outsideOf(payment, loadAccount);
      const status = await rail.statusOf(toRailPayment(payment, counterparty));
      if (status.status !== 'accepted' && status.status !== 'unknown') recording.compare(payment, status);
    },
  };
}
