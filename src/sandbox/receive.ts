/** A payment from outside to one of the platform's customers. */
import type { KnownCustomer } from '../domain/customers/customer.ts';
import type { Payment } from '../domain/payments/life/progress.ts';
import type { Receiver } from '../domain/payments/parties/parties.ts';
import { requireApproved, requireRoom, requireStays } from '../domain/payments/parties/readiness.ts';
import { requireEnabled, requireWithinBounds } from '../domain/platforms/limits.ts';
import { counterpartyInformation } from '../domain/quotes/counterparty-information.ts';
import { requireTaken } from '../domain/quotes/currencies.ts';
import { parsePaymentAddress, umaNotFound } from '../domain/values/payment-address.ts';
import { type CustomerId, idOf, type PlatformId } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Money } from '../kernel/money.ts';
import type { Attempt } from '../use-cases/attempt.ts';
import type { Commands } from '../use-cases/commands.ts';
import { loadCustomer, sameCustomer } from '../use-cases/find/customer.ts';
import { findInternalAccount } from '../use-cases/find/internal-account.ts';
import type { Payees } from '../use-cases/find/payees.ts';
import { loadPayment } from '../use-cases/find/payment.ts';
import { loadPlatform } from '../use-cases/find/platform.ts';
import type { Receivers } from '../use-cases/find/receivers.ts';
import type { LocalPayments } from '../use-cases/payments/local-payments.ts';

/** `receivingCurrencyAmount` is in minor units of the currency; the receiver is named by address, by id, or by both. */
type Body = {
  readonly senderUmaAddress: string;
  readonly receiverUmaAddress?: string | undefined;
  readonly customerId?: CustomerId | undefined;
  readonly receivingCurrencyCode: string;
  readonly receivingCurrencyAmount: bigint;
};
type Finding = { readonly commands: Commands; readonly receivers: Receivers };
type Deps = {
  readonly commands: Commands;
  readonly payees: Pick<Payees, 'depositAccount'>;
  readonly local: Pick<LocalPayments, 'announce'>;
};
type Simulated = {
  readonly receiver: KnownCustomer;
  readonly sender: Receiver;
  readonly amount: Money;
};

/**
 * Throws `Rejected`: 400 for what is no payment address, and where the receiver is named as two customers; 404 for a sender
 * or receiver that nobody is.
 */
export async function findBothEnds(deps: Finding, platformId: PlatformId, body: Body): Promise<Simulated> {
  const senderUmaAddress = parsePaymentAddress(body.senderUmaAddress);
  const { receiverUmaAddress, customerId } = body;
  const address = receiverUmaAddress === undefined ? undefined : parsePaymentAddress(receiverUmaAddress);
  const sender = await deps.receivers.find(senderUmaAddress);
  if (!sender) throw umaNotFound();
  const byId = customerId ? await loadCustomer(deps.commands, platformId, customerId) : undefined;
  const byAddress = address ? await receiverAt(deps, platformId, address) : undefined;
  const receiver = sameCustomer(byId, byAddress, 'receiverUmaAddress');
  invariant(receiver, 'a receiver who is not named');
  const amount = { minor: body.receivingCurrencyAmount, currency: body.receivingCurrencyCode };
  return { receiver, sender, amount };
}

/** The incoming payment. Throws `Rejected` where the receiver takes no such payment. */
export async function receive(
  { commands, payees, local }: Deps,
  payment: Simulated,
  { uuidFor, cause }: Attempt,
): Promise<Payment> {
  const { receiver, sender, amount } = payment;
  const { platformId, currencies } = receiver;
  requireApproved(receiver);
  requireTaken(currencies, amount.currency);
  const deposit = await payees.depositAccount(receiver, amount.currency);
  if (deposit.kind === 'INTERNAL') {
    const account = await findInternalAccount(commands, platformId, deposit.accountId);
    if (account) requireRoom(account, amount.minor);
  } else if (deposit.kind === 'EXTERNAL') {
    requireStays(receiver);
  }
  const platform = await loadPlatform(commands, platformId);
  requireEnabled(platform, amount.currency, 'INCOMING');
  requireWithinBounds(platform, amount);
  const uuid = uuidFor('incoming-payment');
  const { umaAddress: receiverUmaAddress } = receiver;
  const from = { kind: 'UMA_ADDRESS', receiver: sender } as const;
  const announcement = {
    uuid,
    receiver,
    receiverUmaAddress,
    account: deposit,
    senderUmaAddress: sender.umaAddress,
    amount,
    payerInformation: counterpartyInformation(platform, amount.currency, from),
  };
  await local.announce(announcement, cause);
  return loadPayment(commands, platformId, idOf('Transaction', uuid));
}

async function receiverAt(
  { receivers }: Finding,
  platformId: PlatformId,
  address: string,
): Promise<KnownCustomer> {
  const customer = await receivers.customerAt(address);
  if (customer?.platformId !== platformId) throw umaNotFound();
  return customer;
}
