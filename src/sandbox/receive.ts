/** Who sends what to whom in a simulated incoming payment. */

import type { KnownCustomer } from '../domain/customers/customer.ts';
import { unknownCurrencies } from '../domain/money/currencies.ts';
import { requireApproved } from '../domain/payments/readiness.ts';
import { parsePaymentAddress, umaNotFound } from '../domain/values/payment-address.ts';
import { type CustomerId, isId, type PlatformId } from '../kernel/ids.ts';
import type { Money } from '../kernel/money.ts';
import { Rejected } from '../kernel/rejected.ts';
import type { Commands } from '../use-cases/commands.ts';
import { loadCustomer } from '../use-cases/find/customer.ts';
import type { Receivers } from '../use-cases/find/receivers.ts';

/** `receivingCurrencyAmount` is in minor units of the currency; the receiver is named by address or by id. */
type Body = {
  readonly senderUmaAddress: string;
  readonly receiverUmaAddress?: string | undefined;
  readonly customerId?: CustomerId | undefined;
  readonly receivingCurrencyCode: string;
  readonly receivingCurrencyAmount: bigint;
};
type Deps = { readonly commands: Commands; readonly receivers: Receivers };
export type SimulatedPayment = {
  readonly receiver: KnownCustomer;
  readonly senderUmaAddress: string;
  readonly amount: Money;
};

/** Throws `Rejected`: 400 for what is no payment address, 404 for a sender or receiver that nobody is. */
export async function findPayment(deps: Deps, platformId: PlatformId, body: Body): Promise<SimulatedPayment> {
  const senderUmaAddress = parsePaymentAddress(body.senderUmaAddress);
  const { receiverUmaAddress, customerId } = body;
  const address = customerId ?? parsePaymentAddress(receiverUmaAddress ?? '');
  if (!(await deps.receivers.find(senderUmaAddress))) throw umaNotFound();
  const receiver = isId('Customer', address)
    ? await loadCustomer(deps.commands, platformId, address)
    : await receiverAt(deps, platformId, address);
  const amount = { minor: body.receivingCurrencyAmount, currency: body.receivingCurrencyCode };
  return { receiver, senderUmaAddress, amount };
}

/** Throws `Rejected` where the receiver takes no such payment. */
export function requireReceivable({ receiver, amount: { currency } }: SimulatedPayment): void {
  requireApproved(receiver);
  if (unknownCurrencies([currency]).length === 0 && receiver.currencies.includes(currency)) return;
  const message = `The receiver takes ${receiver.currencies.join(', ')}, not ${currency}.`;
  throw new Rejected('INVALID_CURRENCY', message, { currencies: [currency] });
}

async function receiverAt(
  { receivers }: Deps,
  platformId: PlatformId,
  address: string,
): Promise<KnownCustomer> {
  const customer = await receivers.customerAt(address);
  if (customer?.platformId !== platformId) throw umaNotFound();
  return customer;
}
