/** What the messages say, whatever their version. */
import type { Money } from '../../../kernel/money.ts';
import type { RailCurrency } from '../values/amounts.ts';

/** Daybook's account at the bank. */
export type OwnAccount = {
  readonly currency: RailCurrency;
  readonly iban: string;
  readonly name: string;
  readonly bic?: string | undefined;
  /** What the bank calls the service, such as SEPA. */
  readonly serviceLevel?: string | undefined;
};

/** An account to pay. */
export type CreditorAccount =
  | { readonly kind: 'iban'; readonly iban: string; readonly bic?: string | undefined }
  | { readonly kind: 'sort-code'; readonly sortCode: string; readonly accountNumber: string };

/** One credit transfer, as it is handed to the bank. */
export type CreditTransfer = {
  /** At most 35 characters, one for each payment for ever. */
  readonly endToEndId: string;
  readonly instructionId: string;
  readonly amount: { readonly minor: bigint; readonly currency: RailCurrency };
  readonly creditorName: string;
  readonly creditor: CreditorAccount;
  readonly remittance: string;
  readonly isInstant: boolean;
};

/** One `pain.001`: transfers from one account. */
export type PaymentOrder = {
  /** At most 35 characters, and never used before. */
  readonly messageId: string;
  readonly paymentInformationId: string;
  readonly createdAt: Date;
  readonly initiatingParty: string;
  readonly account: OwnAccount;
  readonly isInstant: boolean;
  readonly transfers: readonly CreditTransfer[];
};

/** What one line of a `pain.002` is about: the whole message, one block of it, or one transfer. */
export type Subject =
  | { readonly of: 'message'; readonly messageId: string }
  | { readonly of: 'block'; readonly messageId: string; readonly paymentInformationId: string }
  | {
      readonly of: 'transfer';
      /** Of the message that it was in, as the report says. */
      readonly messageId: string;
      readonly endToEndId: string | undefined;
      readonly instructionId: string | undefined;
    };

export type StatusLine = {
  readonly subject: Subject;
  /** Of ExternalPaymentTransactionStatus1Code, such as RJCT. */
  readonly status: string;
  /** Its own, or that of the part that it stands in. */
  readonly reasonCode: string | undefined;
  /** One of the reasons is that the bank has it already. */
  readonly isDuplicate: boolean;
};

/** One movement of one account that the bank has booked. */
export type Entry = {
  /** Its own IBAN, whatever the bank writes; as it was read, what the bank writes. */
  readonly account: string;
  /** The IBAN of the account as the bank has written it, or what it has in its place. */
  readonly spelled: string;
  readonly direction: 'credit' | 'debit';
  readonly amount: Money;
  /** The bank's own name for the movement; absent where it gave none. */
  readonly bankReference: string | undefined;
  /** The statement's number, and the movement's in it: several may have the same, on other pages or in other years. */
  readonly place: string;
  /** Of the statement or message, where the bank counts them. */
  readonly page: string | undefined;
  /** Tells the movement from all others at the same place. */
  readonly apart: string;
  readonly endToEndId: string | undefined;
  /** What its transactions name, of a movement whose transactions do not say how much of it each is. */
  readonly endToEndIds?: readonly string[];
  /** The order that it names: the bank has booked it as one movement, unless the movement names a payment. */
  readonly batch: string | undefined;
  /** The bank says that it is a return or a reversal; with a code where it gave one. */
  readonly isReturn: boolean;
  readonly reasonCode: string | undefined;
  /** Everything that the payer may have named an account by. */
  readonly named: readonly string[];
  /** What the bank says of the whole of which it is a part. */
  readonly ofEntry?: string | undefined;
  readonly bookedOn: string | undefined;
};

/** One transfer that comes back, by `pacs.004`. */
export type Return = {
  readonly endToEndId: string | undefined;
  readonly amount: Money;
  readonly returnId: string;
  readonly reasonCode: string | undefined;
};

export type BankMessage =
  | { readonly kind: 'status-report'; readonly messageId: string; readonly lines: readonly StatusLine[] }
  | { readonly kind: 'statement'; readonly messageId: string; readonly entries: readonly Entry[] }
  | { readonly kind: 'returns'; readonly messageId: string; readonly returns: readonly Return[] };
