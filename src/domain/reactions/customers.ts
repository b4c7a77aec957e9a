/**
 * A new customer gets its accounts, and the names that were reserved for it become its own. The accounts of a customer
 * who is approved become active, those of one who is deleted are closed, and go on where the deletion is abandoned. Names
 * that were given up become free.
 */

import { type CustomerId, uuidOf } from '../../kernel/ids.ts';
import { accountsOf, accountsToHold, accountsToOpen } from '../accounts/provisioning.ts';
import type { Instruction, Reaction } from '../aggregates.ts';
import { statusOfNewAccount } from '../customers/account-status.ts';
import type { CustomerEvent, HeldName } from '../customers/events.ts';
import { firstNames } from '../customers/names.ts';

export const customerReaction: Reaction = (event) => {
  switch (event.type) {
    case 'CustomerCreated':
      return created(event.data);
    case 'CustomerStatusChanged':
      return event.data.kycStatus === 'APPROVED' ? accountsToHold(ownerOf(event.data, 'ACTIVE')) : [];
    case 'CustomerUpdated': {
      const { platformId, customerId, taken, released, opened, at } = event.data;
      const owner = { platformId, ownerId: customerId, customerId, at };
      return [
        ...names('ConfirmReservation', customerId, taken, at),
        ...names('ReleaseName', customerId, released, at),
        ...(opened ? accountsToOpen({ ...owner, ...opened }) : []),
      ];
    }
    case 'DeletionAbandoned': {
      const { deletion, at } = event.data;
      const command = { type: 'LiftHalt', deletion, at } as const;
      return accountsOfHolder(event.data).map((id) => ({ to: 'account', uuid: uuidOf(id), command }));
    }
    case 'CustomerDeleted': {
      const { customerId, released, at } = event.data;
      const releases = names('ReleaseName', customerId, released, at);
      return [...releases, ...accountsToHold(ownerOf(event.data, 'CLOSED'))];
    }
    default:
      return [];
  }
};

const accountsOfHolder = ({ customerId, heldCurrencies, walletCurrency }: Holder) =>
  accountsOf(customerId, heldCurrencies, walletCurrency);

type Holder = Omit<DataOf<'CustomerDeleted'>, 'released'>;
type DataOf<T extends CustomerEvent['type']> = Extract<CustomerEvent, { type: T }>['data'];

const ownerOf = <S extends 'ACTIVE' | 'CLOSED'>(
  { platformId, customerId, heldCurrencies: currencies, walletCurrency, at }: Holder,
  status: S,
) => ({ platformId, ownerId: customerId, customerId, currencies, walletCurrency, status, at });

const names = (
  type: 'ConfirmReservation' | 'ReleaseName',
  holder: CustomerId,
  held: readonly HeldName[],
  at: Date,
): readonly Instruction[] =>
  held.map(({ reservation: uuid, claim }) => ({
    to: 'reservation',
    uuid,
    command: { type, holder, ...(claim !== undefined && { claim }), at },
  }));

function created(details: DataOf<'CustomerCreated'>): readonly Instruction[] {
  const { platformId, customerId, currencies, walletCurrency, kycStatus, at } = details;
  const status = statusOfNewAccount(kycStatus);
  const owner = { platformId, ownerId: customerId, customerId, at };
  return [
    ...names('ConfirmReservation', customerId, Object.values(firstNames(details)), at),
    ...accountsToOpen({ ...owner, currencies, walletCurrency, status }),
  ];
}
