/**
 * A new customer gets its accounts, and the names that were reserved for it become its own. The accounts of a customer
 * who is approved become active.
 */
import { accountsToHold, accountsToOpen } from '../accounts/provisioning.ts';
import type { Instruction, Policy } from '../aggregates.ts';
import { paymentAddressStream, platformCustomerStream } from '../reservations/reservation.ts';

export const customerPolicy: Policy = (event) => {
  if (event.type === 'CustomerStatusChanged') {
    const { kycStatus, platformId, customerId, heldCurrencies: currencies, walletCurrency, at } = event.data;
    if (kycStatus !== 'APPROVED') return [];
    const owner = { platformId, ownerId: customerId, customerId, currencies, walletCurrency, at };
    return accountsToHold({ ...owner, status: 'ACTIVE' });
  }
  if (event.type !== 'CustomerCreated') return [];
  const {
    platformId,
    customerId,
    umaAddress,
    platformCustomerId,
    currencies,
    walletCurrency,
    kycStatus,
    at,
  } = event.data;
  const names = [paymentAddressStream(umaAddress), platformCustomerStream(platformId, platformCustomerId)];
  const confirmations = names.map(
    (uuid): Instruction => ({
      to: 'reservation',
      uuid,
      command: { type: 'ConfirmReservation', holder: customerId, at },
    }),
  );
  const status = kycStatus === 'APPROVED' ? 'ACTIVE' : 'PENDING';
  return [
    ...confirmations,
    ...accountsToOpen({
      platformId,
      ownerId: customerId,
      customerId,
      currencies,
      walletCurrency,
      status,
      at,
    }),
  ];
};
