/** Who can be paid at a payment address: a customer here, or a counterparty that the rail knows. */

import type { KnownCustomer } from '../../domain/customers/customer.ts';
import { isPayerFieldName, type RequiredField } from '../../domain/lookups/payer-fields.ts';
import type { Receiver } from '../../domain/payments/parties/parties.ts';
import { isEnabled } from '../../domain/platforms/limits.ts';
import { type ActivePlatform, settingsOf } from '../../domain/platforms/platform.ts';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import { paymentAddressStream } from '../../domain/reservations/reservation.ts';
import { type CustomerId, isId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';
import { loadPlatform } from './platform.ts';

export type Receivers = {
  /** With the currencies in which the receiver takes payments. */
  readonly find: (umaAddress: string) => Promise<Receiver | undefined>;
  readonly customerAt: (umaAddress: string) => Promise<KnownCustomer | undefined>;
};

/** Whose the payment address is: also that of a customer who is about to take it, or has just given it up. */
export async function holderOf(
  commands: Pick<Commands, 'load'>,
  umaAddress: string,
): Promise<CustomerId | undefined> {
  const held = await commands.load('reservation', paymentAddressStream(umaAddress));
  return held.status === 'held' && isId('Customer', held.holder) ? held.holder : undefined;
}

export const customerAtWith =
  (commands: Pick<Commands, 'load'>): Receivers['customerAt'] =>
  async (umaAddress) => {
    const holder = await holderOf(commands, umaAddress);
    if (holder === undefined) return undefined;
    const customer = await commands.load('customer', uuidOf(holder));
    // Reserved is what the customer is about to take, or has just given up, too.
    const isTheirs = customer.status === 'active' && customer.umaAddress === umaAddress.toLowerCase();
    return isTheirs ? customer : undefined;
  };

export function createReceivers(commands: Commands, rail: Pick<PaymentRail, 'receiverAt'>): Receivers {
  const customerAt = customerAtWith(commands);
  return {
    customerAt,
    async find(umaAddress) {
      const outside = rail.receiverAt(umaAddress);
      if (outside) return { umaAddress, ...outside };
      const customer = await customerAt(umaAddress);
      if (!customer) return undefined;
      const platform = await loadPlatform(commands, customer.platformId);
      const currencies = customer.currencies.filter((code) => isEnabled(platform, code, 'INCOMING'));
      const requiredPayerDataFields = requiredFields(platform, currencies);
      return { umaAddress, currencies, requiredPayerDataFields, customer, platform };
    },
  };
}

/** What the receiver's platform asks about a payer in any of the currencies; mandatory where one of them says so. */
function requiredFields(platform: ActivePlatform, currencies: readonly string[]): readonly RequiredField[] {
  const asked = currencies.flatMap((code) => settingsOf(platform, code)?.requiredCounterpartyFields ?? []);
  const names = [...new Set(asked.map(({ name }) => name))].filter(isPayerFieldName);
  return names.map((name) => ({ name, mandatory: asked.some((one) => one.name === name && one.mandatory) }));
}
