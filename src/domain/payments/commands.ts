/** What may be asked of a payment, by whom. */
import type { Money } from '../../kernel/money.ts';
import type { PartyInformation, Payee } from './ends.ts';
import type {
  AgentActionRef,
  Deposit,
  FailureReason,
  IncomingPayment,
  PendingReason,
  QuoteTerms,
  TransferTerms,
} from './events.ts';

type At = { readonly at: Date };
/** The agent's action that an execution is for, where it is for one. */
type For = { readonly agentAction?: AgentActionRef | undefined };

/** By the rail, at once or later; `checkAt` is when to ask it what became of the payment. */
export type Taken = {
  readonly reference: string;
  readonly underway: boolean;
  readonly checkAt?: Date | undefined;
};

/** `taken` where the rail has taken it already. */
export type CreateTransfer = {
  readonly type: 'CreateTransfer';
  readonly terms: TransferTerms;
  readonly taken?: Taken | undefined;
};

type OpeningCommand =
  | { readonly type: 'CreateQuote'; readonly terms: QuoteTerms }
  | CreateTransfer
  | { readonly type: 'CreateIncomingPayment'; readonly terms: IncomingPayment }
  | { readonly type: 'RecordDeposit'; readonly deposit: Deposit };

/** The payer of a quote pays, or lets it expire. */
export type FundingCommand =
  | ({ readonly type: 'StartProcessing' } & For & At)
  | ({ readonly type: 'ReceiveFunds'; readonly amount: Money; readonly requestedBy: string } & For & At)
  | ({ readonly type: 'ExpireQuote' } & At);

/** The platform of the receiver decides on an incoming payment, or does not. */
export type ApprovalCommand =
  | ({
      readonly type: 'ApprovePayment';
      readonly receiverCustomerInfo?: Record<string, string> | undefined;
      /** What is missing fails the payment: whoever approves is not asked again. */
      readonly isLastWord?: true;
    } & At)
  | ({ readonly type: 'RejectPayment'; readonly note?: string | undefined } & At)
  | ({ readonly type: 'DeferApproval'; readonly until: Date } & At)
  | ({ readonly type: 'FailApproval'; readonly reason: FailureReason } & At)
  | ({ readonly type: 'EndApproval' } & At);

/** A payment to an address is on its way out. */
export type RoutingCommand =
  | ({ readonly type: 'RoutePayment'; readonly route: Payee } & At)
  /** Where no way was chosen yet: the payee cannot be paid any more. */
  | ({ readonly type: 'RefuseRoute'; readonly reason: FailureReason } & At)
  | ({ readonly type: 'DescribePayee'; readonly counterpartyInformation: PartyInformation } & At);

/** The rail reports; between two customers here, the receiving side does. */
export type RailCommand =
  | ({ readonly type: 'RecordSubmission' } & Taken & At)
  | ({ readonly type: 'SettlePayment'; readonly checkAt?: Date | undefined } & At)
  | ({
      readonly type: 'FailTransaction';
      readonly reason: FailureReason;
      readonly refundFails?: boolean | undefined;
      /** It had arrived, which is not recorded, and was sent back. */
      readonly cameBack?: true;
    } & At)
  | ({ readonly type: 'RejectTransaction'; readonly reason: FailureReason } & At)
  | ({ readonly type: 'CancelTransaction' } & At);

/** The receiving account holds the amount, is credited, or refuses it; a completed payment comes back, a refund ends. */
type ClosingCommand =
  | ({ readonly type: 'DelaySettlement'; readonly pendingReason: PendingReason } & At)
  | ({ readonly type: 'CompleteTransaction' } & At)
  /** The receiving account is closed, and has not been credited. */
  | ({ readonly type: 'RefuseCredit' } & At)
  | ({ readonly type: 'ConfirmReceipt'; readonly confirmedAt: Date } & At)
  | ({
      readonly type: 'ReturnPayment';
      readonly reason: FailureReason;
      readonly refundFails?: boolean | undefined;
    } & At)
  | ({ readonly type: 'RecordRefund' } & At)
  | ({ readonly type: 'FailRefund' } & At);

export type LaterCommand = FundingCommand | ApprovalCommand | RoutingCommand | RailCommand | ClosingCommand;
export type TransactionCommand = OpeningCommand | LaterCommand;
