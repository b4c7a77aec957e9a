/** The names of a customer: its payment address, and the platform's own id for it. */
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { ActivePlatform } from '../platforms/platform.ts';
import { paymentAddressStream, platformCustomerStream } from '../reservations/reservation.ts';
import { parsePaymentAddress } from '../values/payment-address.ts';

/** The address as it is stored. Throws `Rejected` where it is not one of the platform's domain. */
export function addressOf(umaAddress: string, { umaDomain }: Pick<ActivePlatform, 'umaDomain'>): string {
  const address = parsePaymentAddress(umaAddress);
  if (address.endsWith(`@${umaDomain}`)) return address;
  throw new Rejected('INVALID_UMA_ADDRESS', `Payment addresses of this platform end in @${umaDomain}.`, {
    umaDomain,
  });
}

type Named = {
  readonly platformId: PlatformId;
  readonly umaAddress: string;
  readonly platformCustomerId: string;
};

/** The names of a new customer, which were reserved without a claim. */
export const firstNames = ({ platformId, umaAddress, platformCustomerId }: Named) => ({
  umaAddress: { reservation: paymentAddressStream(umaAddress) },
  platformCustomerId: { reservation: platformCustomerStream(platformId, platformCustomerId) },
});

/** What is answered when the address belongs to somebody else. */
export const addressTaken = (umaAddress: string) =>
  ({ code: 'UMA_ADDRESS_EXISTS', message: `The payment address ${umaAddress} is taken.` }) as const;

/** What is answered to a request whose name was given to another one: to the same that came again, or to any where it took long. */
export const overtaken = (umaAddress: string) =>
  new Rejected(
    'UMA_ADDRESS_EXISTS',
    `Another request was given ${umaAddress} before this one came to its end. Nothing was changed by it.`,
  );

/** What is answered when the id belongs to somebody else. */
export const idTaken = (platformCustomerId: string) =>
  ({
    code: 'CONFLICT',
    message: `The platformCustomerId ${platformCustomerId} belongs to another active customer.`,
  }) as const;
