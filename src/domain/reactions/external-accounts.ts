/** The number of an external account is its owner's for as long as the account is registered. */
import type { Reaction } from '../aggregates.ts';

export const externalAccountReaction: Reaction = (event) => {
  if (event.type !== 'ExternalAccountCreated' && event.type !== 'ExternalAccountDeleted') return [];
  const { reservation, externalAccountId: holder, at } = event.data;
  const type = event.type === 'ExternalAccountCreated' ? 'ConfirmReservation' : 'ReleaseName';
  return [{ to: 'reservation', uuid: reservation, command: { type, holder, at } }];
};
