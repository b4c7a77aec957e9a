/**
 * The outside world as a port: hand a payment over, learn how it ended, and tell of money that came in. How to write
 * one stands in docs/how-to/connect-a-rail.md.
 */

import type { PlatformId } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import type { AccountInfo } from '../external-accounts/definitions.ts';
import type { ExternalAccountStatus } from '../external-accounts/events.ts';
import type { RegisteredExternalAccount } from '../external-accounts/external-account.ts';
import type { RequiredField } from '../lookups/payer-fields.ts';
import type { PartyInformation } from '../payments/ends.ts';
import type { FailureReason } from '../payments/events.ts';
import type { Payment } from '../payments/life/progress.ts';

/** The outside end of a payment: where money is pulled from or pushed to. */
export type Counterparty =
  | { readonly kind: 'account'; readonly account: RegisteredExternalAccount['details'] }
  | { readonly kind: 'address'; readonly umaAddress: string };

export type RailPayment = {
  /** The rail carries a payment at most once under this id, however often it is submitted. */
  readonly paymentId: string;
  readonly platformId: PlatformId;
  /** Money is pulled in for `transfer-in` and `incoming`, and pushed out otherwise. What goes on to an account outside is pushed. */
  readonly kind: Payment['terms']['kind'];
  /** What the counterparty is to receive, or to pay. */
  readonly amount: Money;
  readonly counterparty: Counterparty;
  /** Of an incoming payment from outside: where it comes from, also where it goes on to an account outside. */
  readonly senderUmaAddress?: string;
  /** Of a payment to an address: what the payee's side is told about the payer. */
  readonly payerInformation?: PartyInformation;
  /** What a bank statement carries: at most 16 letters and digits, one for each payment. */
  readonly reference: string;
  /** How the receiving bank is to be reached, where the payer chose. */
  readonly paymentRail?: string;
  /** The payer's words to the payee. */
  readonly remittanceInformation?: string;
  /** When the rail was first asked, so that waits count from there. */
  readonly startedAt: Date;
  /**
   * What is recorded of it: nothing beyond its beginning, that the rail took it, or that it arrived. The rail may know
   * more.
   */
  readonly recorded: 'begun' | 'submitted' | 'settled';
};

/** How a payment ended, or what became of it after it had ended. */
export type Ending =
  | {
      readonly status: 'settled' /** When to ask again, since a settled payment can come back. */;
      readonly checkAt?: Date | undefined;
    }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly refundFails: boolean }
  | { readonly status: 'rejected'; readonly reason: FailureReason }
  | { readonly status: 'cancelled' }
  | { readonly status: 'returned'; readonly reason: FailureReason };

/** The rail has the payment, and is bound to carry it or to say that it ended. */
export type Accepted = {
  readonly status: 'accepted';
  /** The rail's own name for it. */
  readonly reference: string;
  /** The payment is under way; otherwise it still waits for the rail. */
  readonly underway: boolean;
  /** When to ask what became of it; a rail that leaves it out tells by itself. */
  readonly checkAt?: Date | undefined;
};

export type Submission = Accepted | { readonly status: 'ended'; readonly ending: Ending };

/** `unknown`: the rail does not have the payment. */
export type RailStatus = Accepted | Ending | { readonly status: 'unknown' };

/** With every question. */
export type Asked = {
  /** Fires when nobody waits for the answer any more. What was submitted may have been taken all the same. */
  readonly signal: AbortSignal;
};

export type OutsideReceiver = {
  readonly currencies: readonly string[];
  readonly requiredPayerDataFields: readonly RequiredField[];
  /** What it says of itself to whoever pays it or is paid by it. */
  readonly information?: PartyInformation | undefined;
};

/** The result of checking whether an account belongs to the name given for it. */
export type NameCheck = {
  readonly status:
    | 'MATCHED'
    | 'PARTIAL_MATCH'
    | 'NOT_MATCHED'
    | 'UNSUPPORTED'
    | 'CHECKED_BY_RECEIVING_FI'
    | 'PENDING';
  /** The name as the receiving bank has it, where it says so. */
  readonly fullName?: string | undefined;
};

export type PaymentRail = {
  /**
   * Hands a payment over. Safe to repeat: a payment that is known by its id is answered as it was taken. Throws where
   * it cannot say; the payment is then asked for with `statusOf` before it is submitted again.
   */
  submit(payment: RailPayment, asked: Asked): Promise<Submission>;
  /**
   * What `submit` would answer, of a rail that tells nobody outside: what it takes is recorded with the beginning of the
   * payment. Without it, or where it says nothing, the payment is submitted once it has begun.
   */
  takesAtOnce?(payment: RailPayment): Submission | undefined;
  /**
   * Whether the account is one of the rail's own making, by which payments are steered and which no bank has given out:
   * its check digits mean nothing. Without it there are none.
   */
  isOwnAccount?(info: AccountInfo): boolean;
  /**
   * What the rail knows of a payment: asked before each submission, which may be one that was cut short, and at each
   * `checkAt`. Throws where it cannot say, and is asked again later.
   */
  statusOf(payment: RailPayment, asked: Asked): Promise<RailStatus>;
  /**
   * Asked before a payment is failed that may have been submitted. Where the rail does not have it, it answers `unknown`
   * and never carries it from then on, whatever is still on its way; otherwise what `statusOf` answers.
   */
  withdraw(payment: RailPayment, asked: Asked): Promise<RailStatus>;
  /** The domain of the payment addresses that the rail itself answers for; no platform may use it. */
  readonly umaDomain?: string;
  /** A counterparty outside that can be paid at this address and can pay from it; `undefined` when the rail knows none. */
  receiverAt(umaAddress: string): OutsideReceiver | undefined;
  /** Checks a new external account. Throws `Rejected` when the account cannot exist. */
  checkName(info: AccountInfo, asked: Asked): Promise<NameCheck | undefined>;
  /** What a new external account is until somebody has looked at it. Without it, the account is ACTIVE at once. */
  statusOfNew?(info: AccountInfo, asked: Asked): Promise<ExternalAccountStatus>;
};
