import type { CustomerId, InternalAccountId, PlatformId, TransactionId } from '../../kernel/ids.ts';
import type { KeyedHistory } from '../../kernel/keyed-history.ts';
import type { Money } from '../../kernel/money.ts';
import type { Rejected } from '../../kernel/rejected.ts';
import type { SystemAccount } from '../books/postings.ts';
import type { AgentActionRef, OutflowLimits } from '../payments/events.ts';
import type { SignedBy } from '../wallets/events.ts';
import type { AccountStatus, AccountType, DepositOrigin, OpenedPayment } from './events.ts';
import type { Outflow } from './outflow.ts';

type Entry = {
  readonly entryId: string;
  readonly transactionId: TransactionId;
  readonly requestedBy: string;
  readonly amount: Money;
  readonly at: Date;
};

export type AccountCommand =
  | {
      readonly type: 'OpenAccount';
      readonly platformId: PlatformId;
      readonly accountId: InternalAccountId;
      readonly customerId: CustomerId | null;
      readonly accountType: AccountType;
      readonly currency: string;
      readonly status: AccountStatus;
      readonly at: Date;
    }
  /** Does nothing where the account has gone further already: ACTIVE follows PENDING, and CLOSED is for good. */
  | { readonly type: 'ChangeAccountStatus'; readonly status: 'ACTIVE' | 'CLOSED'; readonly at: Date }
  /** By the operator, or in the sandbox; does nothing where it is so already. */
  | { readonly type: 'FreezeAccount' | 'UnfreezeAccount'; readonly reason: string; readonly at: Date }
  /** For a deletion of the customer, by its number, and its end without one. Safe to repeat, and to come late. */
  | { readonly type: 'HaltAccount' | 'LiftHalt'; readonly deletion: number; readonly at: Date }
  /** Credits what is held and fits, unless the account is frozen or halted. */
  | { readonly type: 'ReleaseHeldCredits'; readonly at: Date }
  | (Entry & {
      readonly type: 'DebitAccount';
      readonly purpose: 'payout' | 'transfer';
      readonly to: SystemAccount;
      readonly opens?: OpenedPayment;
      /** For an agent's action a refusal is recorded, and final. */
      readonly agentAction?: AgentActionRef;
      readonly signedBy?: SignedBy;
      readonly limits?: OutflowLimits;
    })
  | (Entry & {
      readonly type: 'CreditAccount';
      readonly purpose: 'refund' | 'payment';
      readonly from: SystemAccount;
    })
  | (Entry & {
      readonly type: 'CreditAccount';
      readonly purpose: 'deposit';
      readonly from: SystemAccount;
      readonly deposit: DepositOrigin;
      /** A refusal is recorded, and final, until the deposit comes without this, or by a decision. */
      readonly recordsRefusal?: {
        /** The name of what an operator has decided since: its refusal is another. */
        readonly decision?: string | undefined;
        /** Why it is refused whatever the account allows. */
        readonly because?: Pick<Rejected, 'code' | 'message'> | undefined;
      };
    });

/** A credit that waits for room, or for the account to be unfrozen. */
export type HeldCredit = Omit<Entry, 'at'> & {
  readonly purpose: 'refund' | 'payment';
  readonly from: SystemAccount;
};

/**
 * The credits that wait, each with a number: the first that the account ever held is 1. `entries` has them by number, so
 * that an account that is frozen for years takes no more memory than another.
 */
export type Held = {
  /** The oldest of them in order, as many as are looked at together. */
  readonly oldest: readonly number[];
  /** All numbers from here to `next` wait, too. */
  readonly further: number;
  /** What the next one gets. */
  readonly next: number;
  /** The sum of them, in minor units. */
  readonly minor: bigint;
};

export type OpenAccount = {
  readonly status: AccountStatus;
  readonly platformId: PlatformId;
  readonly accountId: InternalAccountId;
  readonly customerId: CustomerId | null;
  readonly accountType: AccountType;
  readonly currency: string;
  readonly balance: bigint;
  /**
   * Which entries it has booked, and at whose request, so that a repeated command books nothing; and the credits that it
   * held: the number by the entry, and the credit by the number.
   */
  readonly entries: KeyedHistory<string | number | HeldCredit>;
  readonly held: Held;
  readonly outflow: Outflow;
  /** By the last deletion of the customer that was begun. */
  readonly halt?: { readonly deletion: number; readonly isLifted: boolean };
  readonly openedAt: Date;
  readonly updatedAt: Date;
};

export type Account = { readonly status: 'none' } | OpenAccount;

/** What books an entry. */
export type EntryCommand = Extract<AccountCommand, Entry>;
