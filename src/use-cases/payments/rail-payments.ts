/** Takes payments to the rail and brings back how they ended. Every step is safe to repeat. */
import type { DomainEvent } from '../../domain/aggregates.ts';
import type { ExternalAccountDetails } from '../../domain/external-accounts/external-account.ts';
import type { Taken, TransactionCommand } from '../../domain/payments/commands.ts';
import type { TransferTerms } from '../../domain/payments/events.ts';
import { isReadyForRail, mayMove, waitsFor } from '../../domain/payments/life/moves.ts';
import { begunTransfer, type Payment, type Transaction } from '../../domain/payments/life/progress.ts';
import type { Ending, RailStatus, Submission } from '../../domain/ports/payment-rail.ts';
import type { RailReports } from '../../domain/ports/rail-module.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { createPatience } from '../../infrastructure/patience.ts';
import { within } from '../../infrastructure/within.ts';
import { isId, type TransactionId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import type { Payees } from '../find/payees.ts';
import type { BoundedRail } from './bounded-rail.ts';
import type { LocalPayments } from './local-payments.ts';
import { type FindAccount, hasOutside, known, outsideOf } from './outside.ts';
import { requireEnding } from './rail-answers.ts';
import { createAsking } from './rail-asking.ts';
import { commandOf, hasArrived, isContradicted, isWithRail, takenAs, toRailPayment } from './rail-words.ts';
import { routed } from './routing.ts';

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

export type Payments = {
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
  /** Asks the rail what became of a payment and records it; submits what never reached the rail. */
  readonly check: (transactionId: TransactionId, cause: Cause) => Promise<void>;
  /**
   * The same, of a payment of which the rail itself says that there is news. Throws `Rejected` (SERVICE_UNAVAILABLE) where
   * it does not answer then.
   */
  readonly news: (paymentId: string) => Promise<void>;
  /** Records what the rail says by itself of a payment that is with it. */
  readonly ended: RailReports['ended'];
};

const retryAfterSeconds = 1;
const notAnswered = () =>
  new Rejected(
    'SERVICE_UNAVAILABLE',
    'The rail gave no answer when it was asked what the news is. Tell of it again later.',
    { retryAfterSeconds },
  );

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
  const tell = async ({ terms: { transactionId } }: Payment, command: TransactionCommand, cause: Cause) =>
    commands.run('transaction', uuidOf(transactionId), command, cause);

  const asking = createAsking(patience);
  const { once } = asking;

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

  const record = async (payment: Payment, answer: RailStatus | Submission, cause: Cause): Promise<void> => {
    const { transactionId } = payment.terms;
    switch (answer.status) {
      case 'unknown':
        if (!mayMove(payment, 'PaymentSubmitted')) lost?.(transactionId);
        return;
      case 'accepted':
        if (mayMove(payment, 'PaymentSubmitted'))
          await tell(payment, { type: 'RecordSubmission', at: now(), ...takenAs(answer) }, cause);
        else if (answer.checkAt) patience.waitUntil(transactionId, answer.checkAt);
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

  /** Money that is pulled for an account that takes none any more: no rail gives it back. */
  const isForNobody = async ({ terms: { source, destination } }: Payment): Promise<boolean> => {
    if (source.kind !== 'EXTERNAL' || destination.kind !== 'INTERNAL') return false;
    const account = await commands.load('account', uuidOf(destination.accountId));
    return account.status === 'CLOSED';
  };

  const submit = async (seen: Payment, cause: Cause, looked?: ExternalAccountDetails) => {
    if (!mayMove(seen, 'PaymentSubmitted')) return;
    const payment = await routed({ commands, payees, local, now }, seen, cause);
    if (!mayMove(payment, 'PaymentSubmitted')) return;
    if (payment.route?.kind === 'CUSTOMER') {
      const reference = await local.deliver(payment, payment.route);
      await tell(payment, { type: 'RecordSubmission', reference, underway: true, at: now() }, cause);
      return;
    }
    const outside = looked ? known(looked) : await outsideOf(payment, loadAccount);
    const { counterparty } = outside;
    const isGone = outside.isGone || (await isForNobody(payment));
    const asked = toRailPayment(payment, counterparty);
    // An attempt that was cut short may have reached the rail.
    const status = isGone ? await rail.withdraw(asked) : await rail.statusOf(asked);
    if (status.status !== 'unknown') return record(payment, status, cause);
    if (!isGone) return record(payment, await rail.submit(asked), cause);
    await tell(payment, { type: 'FailTransaction', reason: 'QUOTE_EXECUTION_FAILED', at: now() }, cause);
  };

  /** Before ways were recorded a payment may have been announced to whoever held its address. */
  const isDelivered = async ({ route, terms }: Payment): Promise<boolean> =>
    route ? route.kind === 'CUSTOMER' : (await local.announcedTo(terms.transactionId)) !== undefined;

  const check = async (payment: Payment, cause: Cause): Promise<void> => {
    // A timer may come late, and find a payment that is over.
    if (!isWithRail(payment) || !hasOutside(payment)) return;
    // What is remembered may be from before its submission.
    if (mayMove(payment, 'PaymentSubmitted')) return submit(await load(payment.terms.transactionId), cause);
    const { counterparty } = await outsideOf(payment, async (accountId) => {
      const last = commands.recall('externalAccount', uuidOf(accountId));
      return last?.kind === 'registered' ? last : loadAccount(accountId);
    });
    // One to a customer here was never given to the rail.
    if (counterparty.kind === 'address' && (await isDelivered(payment))) return;
    const status = await rail.statusOf(toRailPayment(payment, counterparty));
    await record(payment, status, cause);
  };

  /** Of a payment that the rail cannot change any more: nothing is recorded, and what contradicts it is told. */
  const recheck = async (payment: Payment): Promise<void> => {
    if (mayMove(payment, 'PaymentSubmitted')) return;
    const { counterparty } = await outsideOf(payment, loadAccount);
    const status = await rail.statusOf(toRailPayment(payment, counterparty));
    if (status.status !== 'accepted' && status.status !== 'unknown') compare(payment, status);
  };

  /**
   * A payment that is with the rail, as it was last seen: what follows from the rail's answer is decided on the state as
   * it is. Any other is read anew.
   */
  const recall = async (transactionId: TransactionId): Promise<Payment> => {
    const last = commands.recall('transaction', uuidOf(transactionId));
    return last && last.status !== 'NONE' && isWithRail(last) ? last : load(transactionId);
  };

  /** Whether the rail may have it: one to a customer here, and one whose way is not settled, was never given to it. */
  const isForRail = async (payment: Payment): Promise<boolean> => {
    if (!hasOutside(payment)) return false;
    if (payment.terms.destination.kind !== 'UMA_ADDRESS') return true;
    if (!payment.route && mayMove(payment, 'PaymentSubmitted')) return false;
    return !(await isDelivered(payment));
  };

  /** A payment that the rail names; `undefined` where there is none, or none of the rail's. */
  const named = async (paymentId: string): Promise<Payment | undefined> => {
    if (!isId('Transaction', paymentId)) return undefined;
    const state = await commands.load('transaction', uuidOf(paymentId));
    return state.status !== 'NONE' && (await isForRail(state)) ? state : undefined;
  };

  return {
    taking(transfer, outside) {
      const asked = toRailPayment(begunTransfer(transfer), known(outside).counterparty);
      const submission = rail.takesAtOnce?.(asked);
      return submission?.status === 'accepted' ? submission : undefined;
    },
    async handOver(payment, cause, outside) {
      if (!mayMove(payment, 'PaymentSubmitted')) return payment;
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
      if (last && !mayMove(last, 'PaymentSubmitted')) return undefined;
      const { transactionId } = event.data;
      const { platformId, correlationId } = event.metadata;
      const cause = { platformId, correlationId, causationId: event.id, actor: 'rail' };
      const handed = once(transactionId, async () => submit(await load(transactionId), cause));
      return within(reactionMaxMs, handed).then(() => undefined);
    },
    async check(transactionId, cause) {
      if (!patience.isOver(transactionId)) return;
      await within(
        reactionMaxMs,
        once(transactionId, async () => check(await recall(transactionId), cause)),
      );
    },
    async news(paymentId) {
      const payment = await named(paymentId);
      if (!payment) return;
      const { transactionId } = payment.terms;
      await asking.done(transactionId);
      const outcome = await once(transactionId, async () => {
        const now = await load(transactionId);
        return isWithRail(now) ? check(now, causeOf(now)) : recheck(now);
      });
      // Nobody may ask again: of some payments a rail says nothing but by itself.
      if (outcome === 'away') throw notAnswered();
    },
    async ended(paymentId, said) {
      const ending = requireEnding(said);
      const payment = await named(paymentId);
      if (!payment) return 'unknown';
      if (isWithRail(payment)) {
        const { isNew } = await end(payment, ending, causeOf(payment));
        if (isNew) return 'recorded';
      }
      return compare(await load(payment.terms.transactionId), ending) ? 'unchanged' : 'contradicted';
    },
  };
}

/** For what the rail says by itself. */
const causeOf = ({ terms: { transactionId, platformId } }: Payment): Cause => ({
  platformId,
  correlationId: transactionId,
  causationId: `rail:${transactionId}`,
  actor: 'rail',
});
