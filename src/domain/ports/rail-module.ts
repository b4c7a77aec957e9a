/** What a rail is made of outside the sandbox: a module that is loaded at the start, and what it is given to work with. */
import type { TransactionId } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import type { RejectionCode } from '../../kernel/rejected.ts';
import type { Ending, PaymentRail } from './payment-rail.ts';

export const decisionPattern = /^[\w-]{1,64}$/;

/** Money that arrived outside, as a statement has it. */
export type ArrivedMoney = {
  /** The bank's own name for the entry, one for ever: money is credited once under it. At most 255 characters. */
  readonly bankReference: string;
  readonly amount: Money;
  /**
   * Every text in which the payer may have stated the reference of the funding instructions (`DB-…`): the remittance text,
   * the identifier of a Pix. It is found inside a longer text too, and nothing else names an account or a quote.
   */
  readonly named: readonly string[];
  /**
   * Whoever hears of a refusal tells an operator, so it stays one: for another process that asks about the same entry at
   * that moment, and when the account takes money again. What an operator has decided is asked for without this, or by
   * a `decision`.
   */
  readonly refusalIsFinal?: boolean | undefined;
  /**
   * Where a refusal is final: what names the operator's decision that the account is to have the money after all. It is
   * credited or refused for good, too, by itself. 1 to 64 letters, digits, `-` and `_`.
   */
  readonly decision?: string | undefined;
  /**
   * A statement that is read again names whom it did before an operator gave the money to somebody else: what was credited
   * is `known`, whomever it names.
   */
  readonly isOnStatement?: boolean | undefined;
};

/**
 * What became of arrived money; `transactionId` is that of the quote where it has run one. Only `credited` and `known` are in
 * the books; the rail keeps the rest for its operator.
 */
export type Arrival =
  | { readonly status: 'credited' | 'known'; readonly transactionId: TransactionId }
  /** Nobody has what was named, in this currency. */
  | { readonly status: 'unmatched' }
  /** Found, and not credited: the account is closed, say. Unless it `stays` so, the same may be credited later. */
  | {
      readonly status: 'refused';
      readonly code: RejectionCode;
      readonly message: string;
      readonly stays: boolean;
    };

/** What the rail tells by itself. Every promise resolves once the log has it, and every call is safe to repeat. */
export type RailReports = {
  /**
   * How a payment ended; `unchanged` where that is known, `unknown` where there is no such payment, or where it is to a
   * customer here and none of the rail's. A return of a payment of which no arrival is recorded is a failure, and of what
   * went out it may be told afterwards that it had arrived. `contradicted` where the payment has ended otherwise, and stays
   * so: a pull that was credited is taken back, say, or one that was refunded has arrived, or cannot be given back.
   * Somebody has to see to that.
   */
  readonly ended: (
    paymentId: string,
    ending: Ending,
  ) => Promise<'recorded' | 'unchanged' | 'unknown' | 'contradicted'>;
  /** There is news of the payment: `statusOf` is asked now, whatever `checkAt` said. Throws where that has no answer. */
  readonly news: (paymentId: string) => Promise<void>;
  readonly arrived: (money: ArrivedMoney) => Promise<Arrival>;
};

/** Fields first, as pino has it. Never give it account numbers, names or secrets. */
type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;
export type RailLog = { readonly info: Write; readonly warn: Write; readonly error: Write };

export type RailContext = {
  readonly reports: RailReports;
  /**
   * A directory of the rail's own, mode 700, there when it is made. Processes that share the work of one installation
   * need it on a disk that they share.
   */
  readonly directory: string;
  /** The environment variables that begin with DAYBOOK_RAIL_, without that. */
  readonly settings: Readonly<Record<string, string>>;
  readonly now: () => Date;
  readonly log: RailLog;
};

/** A request to the rail's own address, `POST /rail/events`, with its body as it was sent. */
export type RailRequest = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
};

export type Rail = PaymentRail & {
  /**
   * What the rail does by itself, such as reading statements: runs in one process of those with the role `worker` at a
   * time, until the signal fires, and is begun again a second after it ended. It must end soon after the signal.
   */
  watch?(signal: AbortSignal): Promise<void>;
  /** Takes what the outside world posts. Nobody else has checked who sent it. Returns the status to answer with. */
  receive?(request: RailRequest): Promise<number>;
  /** The service stops: lets go of what the rail holds. */
  close?(): Promise<void>;
};

export type CreateRail = (context: RailContext) => Rail | Promise<Rail>;

/** For `export default` of a rail's module: gives its types. */
export const defineRail = (create: CreateRail): CreateRail => create;
