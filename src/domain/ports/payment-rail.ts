/** The outside world as a port: hand a payment over, learn how it ended. */

import type { PlatformId } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import type { AccountInfo } from '../external-accounts/definitions.ts';
import type { ExternalAccountStatus } from '../external-accounts/events.ts';
import type { RegisteredExternalAccount } from '../external-accounts/external-account.ts';
import type { RequiredField } from '../lookups/payer-fields.ts';
import type { FailureReason } from '../payments/events.ts';
import type { Payment } from '../payments/life/progress.ts';

/** The outside end of a payment: where money is pulled from or pushed to. */
export type Counterparty =
  | { readonly kind: 'account'; readonly account: RegisteredExternalAccount['details'] }
  | { readonly kind: 'address'; readonly umaAddress: string };

export type RailPayment = {
  /** The rail sees the same payment at most once under this id, however often it is submitted. */
  readonly paymentId: string;
  readonly platformId: PlatformId;
  readonly kind: Payment['terms']['kind'];
  readonly amount: Money;
  readonly counterparty: Counterparty;
  /** When the rail was first asked, so that waits count from there. */
  readonly startedAt: Date;
};

/** How a payment ended, or what became of it after it had ended. */
export type Ending =
  | {
      readonly status: 'settled' /** When to ask again, since a settled payment can come back. */;
      readonly checkAt?: Date;
    }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly refundFails: boolean }
  | { readonly status: 'rejected'; readonly reason: FailureReason }
  | { readonly status: 'cancelled' }
  | { readonly status: 'returned'; readonly reason: FailureReason };

export type Submission =
  | {
      readonly status: 'accepted';
      readonly reference: string;
      /** The payment is under way; otherwise it still waits for the rail. */
      readonly underway: boolean;
      readonly checkAt: Date;
    }
  | { readonly status: 'ended'; readonly ending: Ending };

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
  readonly fullName?: string;
};

export type PaymentRail = {
  /** Hands a payment over. Safe to repeat. */
  submit(payment: RailPayment): Promise<Submission>;
  /**
   * What `submit` would answer, of a rail that tells nobody outside: what it takes is recorded with the beginning of the
   * payment. Without it, or where it says nothing, the payment is submitted once it has begun.
   */
  takesAtOnce?(payment: RailPayment): Submission | undefined;
  /** Asked at each `checkAt`: first whether the payment arrived, then, once it had, whether it came back. */
  endingOf(payment: RailPayment, stage: 'submitted' | 'settled'): Promise<Ending | undefined>;
  /** The domain of the payment addresses that the rail itself answers for; no platform may use it. */
  readonly umaDomain?: string;
  /** A counterparty outside that can be paid at this address and can pay from it; `undefined` when the rail knows none. */
  receiverAt(
    umaAddress: string,
  ):
    | { readonly currencies: readonly string[]; readonly requiredPayerDataFields: readonly RequiredField[] }
    | undefined;
  /** Checks a new external account. Throws `Rejected` when the account cannot exist. */
  checkName(info: AccountInfo): Promise<NameCheck | undefined>;
  /** What a new external account is until somebody has looked at it. Without it, the account is ACTIVE at once. */
  statusOfNew?(info: AccountInfo): Promise<ExternalAccountStatus>;
};
