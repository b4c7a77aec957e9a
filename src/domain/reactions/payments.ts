/** Carries a payment from one stream to the next: between the accounts on either side and the transaction. */

import { type InternalAccountId, type PlatformId, type TransactionId, uuidOf } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import type { DomainEvent, Instruction, Reaction } from '../aggregates.ts';
import type { TransactionCommand } from '../payments/commands.ts';
import { creditEntryId, refundEntryId } from '../payments/transaction.ts';
import type { Environment } from '../platforms/events.ts';

type Of<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

/** Outside the sandbox nobody sends money back the way it came: a refund without an account stays with whoever has it. */
export const paymentReactionIn = (environment: Environment): Reaction => {
  const backTheWayItCame = environment === 'sandbox' ? 'RecordRefund' : 'FailRefund';
  return (event) => react(event, backTheWayItCame);
};

type EndOfRefund = 'RecordRefund' | 'FailRefund';

function react(event: DomainEvent, backTheWayItCame: EndOfRefund): readonly Instruction[] {
  switch (event.type) {
    case 'AccountDebited':
      return afterDebit(event);
    case 'AccountCredited':
      return [...afterCredit(event), ...creditOthers(event)];
    case 'CreditHeld': {
      const { transactionId, purpose, because, at } = event.data;
      if (because !== 'frozen' || purpose !== 'payment') return [];
      return [tell(transactionId, { type: 'DelaySettlement', pendingReason: 'COMPLIANCE_REVIEW', at })];
    }
    case 'CreditRefused': {
      const { transactionId, at } = event.data;
      return [tell(transactionId, { type: 'RefuseCredit', at }), ...creditOthers(event)];
    }
    case 'CreditDue': {
      const { transactionId, accountId, amount, from, at } = event.data;
      const entry = {
        entryId: creditEntryId(transactionId),
        transactionId,
        requestedBy: 'payment',
        amount,
        at,
      };
      const command = { type: 'CreditAccount', purpose: 'payment', from, ...entry } as const;
      return [{ to: 'account', uuid: uuidOf(accountId), command }];
    }
    case 'TransactionCompleted':
      return tellOrigin(event);
    case 'TransactionFailed':
    case 'TransactionRejected':
    case 'PaymentReturned':
      return [...refund(event.data, backTheWayItCame), ...tellOrigin(event)];
    case 'PaymentApproved':
      return describe(event);
    case 'TransactionCancelled':
    case 'ExecutionRefused':
      return refund(event.data, backTheWayItCame);
    default:
      return [];
  }
}

const creditOthers = ({
  data: { accountId, more, at },
}: Of<'AccountCredited' | 'CreditRefused'>): readonly Instruction[] =>
  more ? [{ to: 'account', uuid: uuidOf(accountId), command: { type: 'ReleaseHeldCredits', at } }] : [];

const tell = (id: TransactionId, command: TransactionCommand): Instruction => ({
  to: 'transaction',
  uuid: uuidOf(id),
  command,
});

type Origin = { readonly transactionId: TransactionId; readonly platformId: PlatformId };

/** The sender may be another platform's customer: what happens there belongs to that platform. */
const tellSender = ({ transactionId, platformId }: Origin, command: TransactionCommand): Instruction => ({
  ...tell(transactionId, command),
  platformId,
});

function afterDebit({ data }: Of<'AccountDebited'>): readonly Instruction[] {
  const { transactionId, opens, agentAction, at } = data;
  const start = tell(transactionId, { type: 'StartProcessing', ...(agentAction && { agentAction }), at });
  if (!opens) return [start];
  if (opens.kind === 'quote')
    return [tell(transactionId, { type: 'CreateQuote', terms: opens.terms }), start];
  return [tell(transactionId, { type: 'CreateTransfer', terms: opens.terms })];
}

function afterCredit({ data, metadata }: Of<'AccountCredited'>): readonly Instruction[] {
  const { transactionId, purpose, accountId, customerId, amount, deposit, at } = data;
  if (purpose === 'refund') return [tell(transactionId, { type: 'RecordRefund', at })];
  if (purpose === 'payment') return [tell(transactionId, { type: 'CompleteTransaction', at })];
  if (!deposit) return [];
  const platformId = metadata.platformId as PlatformId;
  const received = { transactionId, platformId, accountId, customerId, amount, ...deposit, at };
  return [tell(transactionId, { type: 'RecordDeposit', deposit: received })];
}

type Owed = {
  readonly transactionId: TransactionId;
  readonly refund?: Money | undefined;
  readonly refundTo?: InternalAccountId | undefined;
  /** Whoever has it cannot give it back. */
  readonly refundFails?: boolean | undefined;
  readonly at: Date;
};

/** To the account it goes back to, or straight back the way it came. */
function refund(owed: Owed, backTheWayItCame: EndOfRefund): readonly Instruction[] {
  const { transactionId, refund: amount, refundTo, refundFails, at } = owed;
  if (!amount) return [];
  if (refundFails) return [endRefund(owed, 'FailRefund')];
  if (!refundTo) return [endRefund(owed, backTheWayItCame)];
  const entry = { entryId: refundEntryId(transactionId), transactionId, requestedBy: 'refund', amount, at };
  const command = { type: 'CreditAccount', purpose: 'refund', from: 'in-flight', ...entry } as const;
  return [{ to: 'account', uuid: uuidOf(refundTo), command }];
}

const endRefund = ({ transactionId, at }: Owed, type: EndOfRefund) => tell(transactionId, { type, at });

/** What the receiving side says of the receiver. */
function describe({ data }: Of<'PaymentApproved'>): readonly Instruction[] {
  const { told, origin, at } = data;
  if (!told || !origin) return [];
  return [tellSender(origin, { type: 'DescribePayee', counterpartyInformation: told, at })];
}

/** What became of a payment between two customers here is the answer that the sender's side waits for. */
function tellOrigin(
  event: Of<'TransactionCompleted' | 'TransactionFailed' | 'TransactionRejected' | 'PaymentReturned'>,
): readonly Instruction[] {
  const { origin, at } = event.data;
  if (!origin) return [];
  switch (event.type) {
    case 'TransactionCompleted':
      return [tellSender(origin, { type: 'SettlePayment', at })];
    case 'TransactionFailed':
    case 'PaymentReturned': {
      const { reason, refundFails } = event.data;
      const type = event.type === 'TransactionFailed' ? 'FailTransaction' : 'ReturnPayment';
      // What the receiving side's rail cannot give back is the sender's money.
      return [tellSender(origin, { type, reason, ...(refundFails && { refundFails }), at })];
    }
    case 'TransactionRejected':
      return [tellSender(origin, { type: 'RejectTransaction', reason: 'PAY_REQUEST_FAILED', at })];
  }
}
