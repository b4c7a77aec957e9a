/** Takes payments to the rail and brings back how they ended. Every step is safe to repeat. */
import type { DomainEvent } from '../../domain/aggregates.ts';
import type {
  ExternalAccount,
  ExternalAccountDetails,
} from '../../domain/external-accounts/external-account.ts';
import type { Taken, TransactionCommand } from '../../domain/payments/commands.ts';
import type { TransferTerms } from '../../domain/payments/events.ts';
import { mayMove, waitsFor } from '../../domain/payments/life/moves.ts';
import { begunTransfer, type Payment } from '../../domain/payments/life/progress.ts';
import type { Counterparty, Ending, PaymentRail, RailPayment } from '../../domain/ports/payment-rail.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { within } from '../../infrastructure/within.ts';
import { type ExternalAccountId, type TransactionId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import type { Payees } from '../find/payees.ts';
import type { LocalPayments } from './local-payments.ts';
import { routed } from './routing.ts';

type Deps = {
  readonly commands: Commands;
  readonly rail: PaymentRail;
  readonly local: LocalPayments;
  readonly payees: Pick<Payees, 'standing'>;
  readonly now: () => Date;
};

export type Payments = {
  /** Submits the payment that an event has made ready for the rail; does nothing for other events. */
  readonly submit: (event: DomainEvent) => Promise<void> | undefined;
  /** What the rail says at once of a transfer that has not begun, where it takes it. */
  readonly taking: (transfer: TransferTerms, outside: ExternalAccountDetails) => Taken | undefined;
  /**
   * Submits a payment before its request is answered, and records what the rail says. `outside` is its external account,
   * where the request has looked at it. Returns the payment as it is to be answered: as it was, unless the rail has
   * ended it by then.
   */
  readonly handOver: (payment: Payment, cause: Cause, outside?: ExternalAccountDetails) => Promise<Payment>;
  /** Asks the rail how a payment ended and records it. */
  readonly check: (transactionId: TransactionId, cause: Cause) => Promise<void>;
};

/** A rail that takes longer is not waited for: its answer is recorded when it comes. */
const answerMaxMs = 5_000;

const readyForRail = new Set<DomainEvent['type']>([
  'TransferCreated',
  'TransactionProcessing',
  'FundsReceived',
  'PaymentApproved',
]);

export function createPayments({ commands, rail, local, payees, now }: Deps): Payments {
  const load = async (transactionId: TransactionId): Promise<Payment> => {
    const state = await commands.load('transaction', uuidOf(transactionId));
    invariant(state.status !== 'NONE', `${transactionId} has no events`);
    return state;
  };
  const loadAccount: FindAccount = (accountId) => commands.load('externalAccount', uuidOf(accountId));
  const tell = async ({ terms: { transactionId } }: Payment, command: TransactionCommand, cause: Cause) => {
    await commands.run('transaction', uuidOf(transactionId), command, cause);
  };

  /** Payments that are on their way to the rail. Who comes second waits for the first. */
  const handing = new Map<TransactionId, Promise<void>>();
  const once = (transactionId: TransactionId, work: () => Promise<void>): Promise<void> => {
    const begun = handing.get(transactionId) ?? work().finally(() => handing.delete(transactionId));
    handing.set(transactionId, begun);
    return begun;
  };

  const submit = async (seen: Payment, cause: Cause, looked?: ExternalAccountDetails) => {
    if (!mayMove(seen, 'PaymentSubmitted')) return;
    const payment = await routed({ commands, payees, local, now }, seen, cause);
    if (!mayMove(payment, 'PaymentSubmitted')) return;
    if (payment.route?.kind === 'CUSTOMER') {
      const reference = await local.deliver(payment, payment.route);
      return tell(payment, { type: 'RecordSubmission', reference, underway: true, at: now() }, cause);
    }
    const { counterparty, isGone } = looked ? known(looked) : await outsideOf(payment, loadAccount);
    if (isGone) {
      return tell(payment, { type: 'FailTransaction', reason: 'QUOTE_EXECUTION_FAILED', at: now() }, cause);
    }
    const submission = await rail.submit(toRailPayment(payment, counterparty));
    if (submission.status === 'ended') return tell(payment, toCommand(submission.ending, now()), cause);
    const { reference, underway, checkAt } = submission;
    return tell(payment, { type: 'RecordSubmission', reference, underway, checkAt, at: now() }, cause);
  };

  /**
   * A payment that is with the rail, as it was last seen: what follows from the rail's answer is decided on the state as
   * it is. Any other is read anew.
   */
  const recall = async (transactionId: TransactionId): Promise<Payment> => {
    const last = commands.recall('transaction', uuidOf(transactionId));
    return last && last.status !== 'NONE' && isWithRail(last) ? last : load(transactionId);
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
    submit(event) {
      if (!readyForRail.has(event.type) || !('transactionId' in event.data)) return undefined;
      const last = commands.recall('transaction', uuidOf(event.data.transactionId), event.position);
      // What has been submitted stays so.
      if (last && !mayMove(last, 'PaymentSubmitted')) return undefined;
      const { transactionId } = event.data;
      const { platformId, correlationId } = event.metadata;
      const cause = { platformId, correlationId, causationId: event.id, actor: 'rail' };
      return once(transactionId, async () => submit(await load(transactionId), cause));
    },
    async check(transactionId, cause) {
      const payment = await recall(transactionId);
      if (!isWithRail(payment)) return;
      const isSettled = mayMove(payment, 'PaymentReturned');
      const { counterparty } = await outsideOf(payment, async (accountId) => {
        const last = commands.recall('externalAccount', uuidOf(accountId));
        return last?.kind === 'registered' ? last : loadAccount(accountId);
      });
      const asked = toRailPayment(payment, counterparty);
      const ending = await rail.endingOf(asked, isSettled ? 'settled' : 'submitted');
      if (ending) await tell(payment, toCommand(ending, now()), cause);
    },
  };
}

/** The rail knows of it, and may have news. */
const isWithRail = (payment: Payment): boolean =>
  mayMove(payment, 'PaymentReturned') || waitsFor(payment) === 'rail';

type Outside = {
  readonly counterparty: Counterparty;
  /** The account has been deleted since. */
  readonly isGone: boolean;
};

const known = (account: ExternalAccountDetails): Outside => ({
  counterparty: { kind: 'account', account },
  isGone: false,
});

type FindAccount = (accountId: ExternalAccountId) => Promise<ExternalAccount>;

/** The outside end of the payment. */
async function outsideOf({ terms }: Payment, accountOf: FindAccount): Promise<Outside> {
  const { source, destination } = terms;
  const outside = destination.kind === 'INTERNAL' ? source : destination;
  if (outside.kind === 'UMA_ADDRESS') {
    return { counterparty: { kind: 'address', umaAddress: outside.umaAddress }, isGone: false };
  }
  invariant(outside.kind === 'EXTERNAL', `${terms.transactionId} has no outside end`);
  const account = await accountOf(outside.accountId);
  invariant(account.kind === 'registered', `${outside.accountId} was never registered`);
  return { counterparty: { kind: 'account', account: account.details }, isGone: account.isDeleted };
}

const toRailPayment = ({ terms, updatedAt }: Payment, counterparty: Counterparty): RailPayment => ({
  paymentId: terms.transactionId,
  platformId: terms.platformId,
  kind: terms.kind,
  amount: terms.receiving,
  counterparty,
  ...payerOf(terms),
  startedAt: updatedAt,
});

/** What the rail is to know of the payer besides. */
function payerOf(terms: Payment['terms']): Pick<RailPayment, 'senderUmaAddress' | 'payerInformation'> {
  if (terms.kind === 'quote' && terms.quote.payerInformation)
    return { payerInformation: terms.quote.payerInformation };
  const comesFromOutside = terms.kind === 'incoming' && !terms.incoming.origin;
  return comesFromOutside ? { senderUmaAddress: terms.incoming.senderUmaAddress } : {};
}

function toCommand(ending: Ending, at: Date): TransactionCommand {
  switch (ending.status) {
    case 'settled':
      return { type: 'SettlePayment', checkAt: ending.checkAt, at };
    case 'failed':
      return { type: 'FailTransaction', reason: ending.reason, refundFails: ending.refundFails, at };
    case 'rejected':
      return { type: 'RejectTransaction', reason: ending.reason, at };
    case 'cancelled':
      return { type: 'CancelTransaction', at };
    case 'returned':
      return { type: 'ReturnPayment', reason: ending.reason, at };
  }
}
