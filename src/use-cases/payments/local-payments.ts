/** Payments between two customers here: what one pays out is the other's incoming payment. */
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import { anyOf, knownOf } from '../../domain/lookups/payer-fields.ts';
import type { AskedFields, DepositAccount, PartyInformation, Payee } from '../../domain/payments/ends.ts';
import type { IncomingPayment } from '../../domain/payments/events.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import { isAsked } from '../../domain/payments/parties/payee.ts';
import { wordsOfQuote } from '../../domain/payments/terms.ts';
import { bankReference } from '../../domain/values/bank-reference.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { derivedUuid, idOf, type TransactionId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Money } from '../../kernel/money.ts';
import type { Commands } from '../commands.ts';
import { loadPlatform } from '../find/platform.ts';

type Deps = {
  readonly commands: Commands;
  /** What arrives, arrives in the time of the platform that it is for. */
  readonly nowOf: (platformId: string) => Date;
  /** How long a platform may take to approve or reject. */
  readonly approvalMs: number;
};

type LocalPayee = Extract<Payee, { kind: 'CUSTOMER' }>;

type Announcement = {
  readonly uuid: string;
  readonly receiver: KnownCustomer;
  /** That the payment is for: what the receiver had when it was quoted. */
  readonly receiverUmaAddress: string;
  readonly account: DepositAccount;
  readonly senderUmaAddress: string;
  readonly amount: Money;
  readonly origin?: IncomingPayment['origin'];
  readonly remittanceInformation?: string | undefined;
  /** What the receiving side is told about the payer. */
  readonly payerInformation?: PartyInformation | undefined;
  /** What it is asked about the receiver. */
  readonly requestedPayeeFields?: AskedFields | undefined;
};

export type LocalPayments = {
  /** Announces the payment to the payee's side and returns its reference there. Safe to repeat. */
  readonly deliver: (payment: Payment, payee: LocalPayee) => Promise<string>;
  /** Whom a payment has been announced to, if it has. */
  readonly announcedTo: (transactionId: TransactionId) => Promise<LocalPayee | undefined>;
  /** Opens an incoming payment; asks the receiving platform first where it is to be asked. */
  readonly announce: (announcement: Announcement, cause: Cause) => Promise<Payment>;
};

export function createLocalPayments({ commands, nowOf, approvalMs }: Deps): LocalPayments {
  const announce: LocalPayments['announce'] = async (announcement, cause) => {
    const { uuid, receiver, receiverUmaAddress, senderUmaAddress, account, amount, origin } = announcement;
    const { remittanceInformation } = announcement;
    const asked = isAsked(await loadPlatform(commands, receiver.platformId));
    const at = nowOf(receiver.platformId);
    const terms: IncomingPayment = {
      transactionId: idOf('Transaction', uuid),
      platformId: receiver.platformId,
      customerId: receiver.customerId,
      platformCustomerId: receiver.platformCustomerId,
      reference: bankReference('IN', uuid),
      senderUmaAddress,
      receiverUmaAddress,
      destination: account,
      amount,
      ...exchanged(announcement),
      ...(origin && { origin }),
      ...(remittanceInformation !== undefined && { remittanceInformation }),
      ...(asked && { approvalDueAt: new Date(at.getTime() + approvalMs) }),
      at,
    };
    const { state } = await commands.run(
      'transaction',
      uuid,
      { type: 'CreateIncomingPayment', terms },
      cause,
    );
    invariant(state.status !== 'NONE', 'an incoming payment that was not created');
    return state;
  };

  return {
    announce,
    async announcedTo(transactionId) {
      const state = await commands.load('transaction', incomingUuidOf(transactionId));
      if (state.stage === 'none' || state.terms.kind !== 'incoming') return undefined;
      const { platformId, customerId, destination: account } = state.terms;
      invariant(customerId && account.kind !== 'UMA_ADDRESS', 'an incoming payment to nobody here');
      return { kind: 'CUSTOMER', platformId, customerId, account };
    },
    async deliver({ terms }, { platformId, customerId, account }) {
      const { transactionId, receiving: amount, destination } = terms;
      invariant(terms.kind === 'quote' && destination.kind === 'UMA_ADDRESS', 'a delivery to no address');
      const [sender, receiver] = await Promise.all([
        terms.customerId ? commands.load('customer', uuidOf(terms.customerId)) : undefined,
        commands.load('customer', uuidOf(customerId)),
      ]);
      invariant(receiver.status !== 'none', 'a delivery to nobody');
      const senderUmaAddress =
        sender && sender.status !== 'none' ? sender.umaAddress : `$platform@${uuidOf(terms.platformId)}`;
      const { payerInformation, requestedPayeeFields } = terms.quote;
      const announcement = {
        uuid: incomingUuidOf(transactionId),
        receiver,
        receiverUmaAddress: destination.umaAddress,
        account,
        senderUmaAddress,
        amount,
        origin: { transactionId, platformId: terms.platformId },
        remittanceInformation: account.kind === 'EXTERNAL' ? wordsOfQuote(terms.quote) : undefined,
        payerInformation,
        requestedPayeeFields,
      };
      const cause = { platformId, correlationId: transactionId, causationId: transactionId, actor: 'rail' };
      return (await announce(announcement, cause)).terms.reference;
    },
  };
}

/** The one payment on the receiving side that a payment here can have. */
const incomingUuidOf = (transactionId: TransactionId): string =>
  derivedUuid('incoming-payment', transactionId);

/** What either side is told, and what the receiving platform still has to say. */
function exchanged({ receiver, payerInformation, requestedPayeeFields = [] }: Announcement) {
  const known = knownOf(receiver, requestedPayeeFields);
  const open = requestedPayeeFields.filter(({ name }) => known[name] === undefined);
  const held = anyOf(known);
  return {
    ...(payerInformation && { counterpartyInformation: payerInformation }),
    ...(open.length > 0 && { requestedReceiverCustomerInfoFields: open }),
    ...(held && { heldReceiverInformation: held }),
  };
}
