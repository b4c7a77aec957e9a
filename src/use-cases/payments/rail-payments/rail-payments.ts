/** Takes payments to the rail and brings back how they ended. Every step is safe to repeat. */
import type { DomainEvent } from '../../../domain/aggregates.ts';
import type { ExternalAccountDetails } from '../../../domain/external-accounts/external-account.ts';
import type { Taken } from '../../../domain/payments/commands.ts';
import type { TransferTerms } from '../../../domain/payments/events.ts';
import { awaitsSubmission, isReadyForRail, waitsFor } from '../../../domain/payments/life/moves.ts';
import { begunTransfer, type Payment } from '../../../domain/payments/life/progress.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { within } from '../../../infrastructure/deadlines/within.ts';
import { createPatience } from '../../../infrastructure/remembered/patience.ts';
import { type TransactionId, uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import type { Commands } from '../../commands.ts';
import type { Payees } from '../../find/payees.ts';
import type { LocalPayments } from '../local-payments.ts';
import { createAsking } from './asking.ts';
import type { BoundedRail } from './bounded-rail.ts';
import { createChecks } from './checks.ts';
import { createRailNews, type RailNews } from './news.ts';
import { type FindAccount, isThere, known } from './outside.ts';
import { createRecording } from './recording.ts';
import { createSubmission } from './submission.ts';
import { isWithRail, toRailPayment } from './words.ts';

type Deps = {
  readonly commands: Commands;
  readonly rail: BoundedRail;
  readonly local: LocalPayments;
  readonly payees: Pick<Payees, 'standing'>;
  readonly now: () => Date;
  /** Told of a payment that the rail took, and does not know any more. Nobody but an operator can say what became of it. */
  readonly lost?: ((transactionId: TransactionId) => void) | undefined;
  /** Told of a payment that has ended otherwise than the rail says. */
  readonly contradicted?: ((transactionId: TransactionId) => void) | undefined;
};

/** What the log has of a payment after an event. */
type Later = { readonly type: string };

export type Payments = RailNews & {
  /**
   * Submits the payment that an event has made ready for the rail; does nothing for other events, nor where `later` shows
   * that it has been submitted since.
   */
  readonly submit: (event: DomainEvent, later?: readonly Later[]) => Promise<void> | undefined;
  /** What the rail says at once of a transfer that has not begun, where it takes it. */
  readonly taking: (transfer: TransferTerms, outside: ExternalAccountDetails) => Taken | undefined;
  /**
   * Submits a payment before its request is answered, and records what the rail says. `outside` is its external account,
   * where the request has looked at it. Returns the payment as it is to be answered: as it was, unless the rail has
   * ended it by then.
   */
  readonly handOver: (payment: Payment, cause: Cause, outside?: ExternalAccountDetails) => Promise<Payment>;
  /**
   * Asks the rail what became of a payment and records it; submits what never reached the rail. Returns until when the rail
   * has said that there is nothing to ask, where the log does not have that time.
   */
  readonly check: (transactionId: TransactionId, cause: Cause) => Promise<Date | undefined>;
};

/** A rail that takes longer is not waited for: its answer is recorded when it comes. */
const answerMaxMs = 5_000;
/** The worker goes on then: what is not recorded by its end is found again by the payment's timer. */
const reactionMaxMs = 1_000;

export function createPayments({ commands, rail, local, payees, now, lost, contradicted }: Deps): Payments {
  const patience = createPatience(now);
  const load = async (transactionId: TransactionId): Promise<Payment> => {
    const state = await commands.load('transaction', uuidOf(transactionId));
    invariant(state.status !== 'NONE', `${transactionId} has no events`);
    return state;
  };
  const loadAccount: FindAccount = (accountId) => commands.load('externalAccount', uuidOf(accountId));
  /**
   * A payment that is with the rail, as it was last seen: what follows from the rail's answer is decided on the state as
   * it is. Any other is read anew.
   */
  const recall = async (transactionId: TransactionId): Promise<Payment> => {
    const last = commands.recall('transaction', uuidOf(transactionId));
    return last && last.status !== 'NONE' && isWithRail(last) ? last : load(transactionId);
  };
  const asking = createAsking(patience);
  const { once } = asking;
  const recording = createRecording({ commands, now, patience, lost, contradicted });
  const submit = createSubmission({ commands, rail, local, payees, loadAccount, recording, now });
  const checks = createChecks({ commands, rail, local, load, loadAccount, recording, submit });

  return {
    taking(transfer, outside) {
      if (!isThere(commands, outside)) return undefined;
      const asked = toRailPayment(begunTransfer(transfer), known(outside).counterparty);
      const submission = rail.takesAtOnce?.(asked);
      return submission?.status === 'accepted' ? submission : undefined;
    },
    async handOver(payment, cause, outside) {
      if (!awaitsSubmission(payment)) return payment;
      const { transactionId } = payment.terms;
      const handed = once(transactionId, () => submit(payment, cause, outside));
      if ((await within(answerMaxMs, handed)) === 'late') return payment;
      const after = await recall(transactionId);
      return waitsFor(after) === 'nobody' ? after : payment;
    },
    submit(event, later = []) {
      if (!isReadyForRail(event)) return undefined;
      if (later.some(({ type }) => type === 'PaymentSubmitted')) return undefined;
      const last = commands.recall('transaction', uuidOf(event.data.transactionId), event.position);
      // What has been submitted stays so.
      if (last && !awaitsSubmission(last)) return undefined;
      const { transactionId } = event.data;
      const { platformId, correlationId } = event.metadata;
      const cause = { platformId, correlationId, causationId: event.id, actor: 'rail' };
      const handed = once(transactionId, async () => submit(await load(transactionId), cause));
      return within(reactionMaxMs, handed).then(() => undefined);
    },
    async check(transactionId, cause) {
      if (patience.isOver(transactionId))
        await within(
          reactionMaxMs,
          once(transactionId, async () => checks.check(await recall(transactionId), cause)),
        );
      return patience.toldUntil(transactionId);
    },
    ...createRailNews({ commands, local, load, asking, recording, checks }),
  };
}
