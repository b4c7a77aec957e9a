/**
 * A name that one holder has at a time: a payment address, a platform's id for its customer, a bank account of one
 * owner. The stream's id is the digest of the name, so two requests for one name meet in one stream and one wins.
 */
import type { Decider } from '../infrastructure/commands/decider.ts';
import { Rejected, type RejectionCode } from '../infrastructure/commands/rejected.ts';
import { derivedUuid, type PlatformId } from '../infrastructure/ids.ts';
import { invariant } from '../infrastructure/invariant.ts';
import type { ReservationEvent } from './events.ts';

/** A reservation whose holder never came into being (the service was killed in between) can be taken after this. */
const unconfirmedMs = 60_000;

export type ReservationCommand =
  | {
      readonly type: 'ReserveName';
      readonly holder: string;
      readonly at: Date;
      /** What to answer when somebody else holds the name. */
      readonly taken: { readonly code: RejectionCode; readonly message: string };
    }
  | { readonly type: 'ConfirmReservation' | 'ReleaseName'; readonly holder: string; readonly at: Date };

export type Reservation =
  | { readonly status: 'free' }
  | { readonly status: 'held'; readonly holder: string; readonly confirmed: boolean; readonly since: Date };

export const reservation: Decider<Reservation, ReservationCommand, ReservationEvent> = {
  initial: { status: 'free' },

  decide(command, state) {
    const { holder, at } = command;
    const mine = state.status === 'held' && state.holder === holder;
    switch (command.type) {
      case 'ReserveName': {
        if (mine) return [];
        const abandoned =
          state.status === 'held' && !state.confirmed && at.getTime() - state.since.getTime() > unconfirmedMs;
        if (state.status === 'held' && !abandoned)
          throw new Rejected(command.taken.code, command.taken.message);
        return [{ type: 'NameReserved', data: { holder, at } }];
      }
      case 'ConfirmReservation':
        return mine && !state.confirmed ? [{ type: 'ReservationConfirmed', data: { holder, at } }] : [];
      case 'ReleaseName':
        return mine ? [{ type: 'NameReleased', data: { holder, at } }] : [];
    }
  },

  evolve(state, event) {
    const { holder, at } = event.data;
    switch (event.type) {
      case 'NameReserved':
        return { status: 'held', holder, confirmed: false, since: at };
      case 'ReservationConfirmed':
        invariant(state.status === 'held' && state.holder === holder, 'confirmed by somebody else');
        return { ...state, confirmed: true };
      case 'NameReleased':
        return { status: 'free' };
    }
  },
};

/** The stream of a payment address: unique over all platforms, in lower case. */
export const paymentAddressStream = (address: string) =>
  derivedUuid('payment-address', address.toLowerCase());

/** The stream of a platform's own id for a customer. */
export const platformCustomerStream = (platformId: PlatformId, id: string) =>
  derivedUuid('platform-customer', platformId, id);

/** The stream of an external account: one per owner, type and primary identifier (completion 7). */
export const externalAccountStream = (
  platformId: PlatformId,
  owner: string,
  accountType: string,
  identifier: string,
) => derivedUuid('external-account', platformId, owner, accountType, identifier);
