/** Payments between two customers here: what one pays out is the other's incoming payment. */
import type { ReadDb } from '../../../projections/database.ts';
import { defaultDepositAccount } from '../../../projections/models/external-accounts.ts';
import { primaryAccount } from '../../domain/accounts/provisioning.ts';
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import type { IncomingPayment, PaymentDestination } from '../../domain/payments/events.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import { bankReference } from '../../domain/values/bank-reference.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { derivedUuid, idOf, uuidOf } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import type { Commands } from '../commands.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly now: () => Date;
  /** How long a platform may take to approve or reject. */
  readonly approvalMs: number;
};

type Announcement = {
  readonly uuid: string;
  readonly receiver: KnownCustomer;
  readonly senderUmaAddress: string;
  readonly amount: Money;
  readonly origin?: IncomingPayment['origin'];
};

export type LocalPayments = {
  /** Announces the payment to the receiving side and returns its reference there. Safe to repeat. */
  readonly deliver: (payment: Payment, receiver: KnownCustomer) => Promise<string>;
  /** Whether a payment has been announced to a customer here, who then says how it ends. */
  readonly isDelivered: (payment: Payment) => Promise<boolean>;
  /** Opens an incoming payment; asks the receiving platform first where it has an endpoint to be asked at. */
  readonly announce: (announcement: Announcement, cause: Cause) => Promise<Payment>;
};

export function createLocalPayments({ commands, readDb, now, approvalMs }: Deps): LocalPayments {
  const announce: LocalPayments['announce'] = async (
    { uuid, receiver, senderUmaAddress, amount, origin },
    cause,
  ) => {
    const platform = await commands.load('platform', uuidOf(receiver.platformId));
    const asked = platform.status === 'active' && platform.webhookEndpoint !== undefined;
    const at = now();
    const terms: IncomingPayment = {
      transactionId: idOf('Transaction', uuid),
      platformId: receiver.platformId,
      customerId: receiver.customerId,
      platformCustomerId: receiver.platformCustomerId,
      reference: bankReference('IN', uuid),
      senderUmaAddress,
      receiverUmaAddress: receiver.umaAddress,
      destination: await depositAccount(readDb, receiver, amount.currency),
      amount,
      ...(origin && { origin }),
      ...(asked && { approvalDueAt: new Date(at.getTime() + approvalMs) }),
      at,
    };
    const { state } = await commands.run(
      'transaction',
      uuid,
      { type: 'CreateIncomingPayment', terms },
      cause,
    );
    if (state.status === 'NONE') throw new Error('an incoming payment without a state');
    return state;
  };

  return {
    announce,
    async isDelivered({ terms }) {
      const incoming = await commands.load('transaction', incomingUuidOf(terms.transactionId));
      return incoming.status !== 'NONE';
    },
    async deliver({ terms }, receiver) {
      const uuid = incomingUuidOf(terms.transactionId);
      const { platformId } = receiver;
      const origin = { transactionId: terms.transactionId, platformId: terms.platformId };
      const { receiving: amount } = terms;
      const sender = terms.customerId ? await commands.load('customer', uuidOf(terms.customerId)) : undefined;
      const senderUmaAddress =
        sender && sender.status !== 'none' ? sender.umaAddress : `$platform@${uuidOf(terms.platformId)}`;
      const cause = {
        platformId,
        correlationId: terms.transactionId,
        causationId: terms.transactionId,
        actor: 'rail',
      };
      const { terms: announced } = await announce(
        { uuid, receiver, senderUmaAddress, amount, origin },
        cause,
      );
      return announced.reference;
    },
  };
}

const incomingUuidOf = (transactionId: string) => derivedUuid('incoming-payment', transactionId);

/** The customer's default external account where there is one, else the primary internal account. */
async function depositAccount(
  readDb: ReadDb,
  receiver: KnownCustomer,
  currency: string,
): Promise<PaymentDestination> {
  const { platformId, customerId } = receiver;
  const external = await defaultDepositAccount(readDb, platformId, customerId, currency);
  if (external) return { kind: 'EXTERNAL', accountId: external };
  return { kind: 'INTERNAL', accountId: primaryAccount(customerId, currency) };
}
