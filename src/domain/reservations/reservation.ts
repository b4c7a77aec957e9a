/**
 * A name that one holder has at a time: a payment address, a platform's id for its customer, a bank account of one
 * owner. The stream's id is the digest of the name, so two requests for one name meet in one stream and one wins.
 */
import type { Decider } from '../../kernel/decider.ts';
import { derivedUuid, type PlatformId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected, type RejectionCode } from '../../kernel/rejected.ts';
import type { ReservationEvent } from './events.ts';

/** A claim whose holder never came into being (the service was killed in between) is void after this. */
const unconfirmedMs = 60_000;

/** A holder who is changed twice at once claims a name for each change, and gives up each claim by itself. */
type Claiming = { readonly holder: string; readonly claim?: string | undefined; readonly at: Date };

export type ReservationCommand =
  | (Claiming & {
      readonly type: 'ReserveName';
      /** What to answer when somebody else holds the name. */
      readonly taken: { readonly code: RejectionCode; readonly message: string };
    })
  | (Claiming & { readonly type: 'ConfirmReservation' | 'ReleaseName' });

type Claim = { readonly confirmed: boolean; readonly since: Date };
export type Reservation =
  | { readonly status: 'free' }
  | { readonly status: 'held'; readonly holder: string; readonly claims: ReadonlyMap<string, Claim> };

export const reservation: Decider<Reservation, ReservationCommand, ReservationEvent> = {
  initial: { status: 'free' },

  decide(command, state) {
    const { holder, claim, at } = command;
    const mine = state.status === 'held' && state.holder === holder;
    const known = mine ? state.claims.get(keyOf(claim)) : undefined;
    const data = { holder, ...(claim !== undefined && { claim }), at };
    switch (command.type) {
      case 'ReserveName':
        if (known) return [];
        if (!mine && isHeld(state, at)) throw takenBy(state, command);
        return [{ type: 'NameReserved', data }];
      case 'ConfirmReservation':
        return known && !known.confirmed ? [{ type: 'ReservationConfirmed', data }] : [];
      case 'ReleaseName':
        return known ? [{ type: 'NameReleased', data }] : [];
    }
  },

  evolve(state, event) {
    const { holder, claim, at } = event.data;
    const claims = new Map(state.status === 'held' && state.holder === holder ? state.claims : []);
    switch (event.type) {
      case 'NameReserved':
        claims.set(keyOf(claim), { confirmed: false, since: at });
        break;
      case 'ReservationConfirmed': {
        const confirmed = claims.get(keyOf(claim));
        invariant(confirmed, 'confirmed by somebody else');
        claims.set(keyOf(claim), { ...confirmed, confirmed: true });
        break;
      }
      case 'NameReleased':
        claims.delete(keyOf(claim));
    }
    return claims.size === 0 ? { status: 'free' } : { status: 'held', holder, claims };
  },
};

const keyOf = (claim: string | undefined) => claim ?? '';

const isHeld = (state: Reservation, at: Date): boolean =>
  state.status === 'held' &&
  [...state.claims.values()].some(
    ({ confirmed, since }) => confirmed || at.getTime() - since.getTime() <= unconfirmedMs,
  );

/**
 * A name that is taken, or only being taken: the request for it may have been cut short. Then it is free again in a
 * moment, which the refusal says.
 */
function takenBy(
  state: Reservation,
  { taken, at }: Extract<ReservationCommand, { type: 'ReserveName' }>,
): Rejected {
  const claims = state.status === 'held' ? [...state.claims.values()] : [];
  if (claims.some(({ confirmed }) => confirmed)) return new Rejected(taken.code, taken.message);
  const freeAt = Math.max(...claims.map(({ since }) => since.getTime() + unconfirmedMs));
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt - at.getTime()) / 1000));
  const message = `${taken.message} A request for it has not been completed: if it never is, the name is free in ${retryAfterSeconds} seconds.`;
  return new Rejected(taken.code, message, { retryAfterSeconds });
}

/** The stream of a payment address: unique over all platforms, in lower case. */
export const paymentAddressStream = (address: string) =>
  derivedUuid('payment-address', address.toLowerCase());

/** The stream of a platform's own id for a customer. */
export const platformCustomerStream = (platformId: PlatformId, id: string) =>
  derivedUuid('platform-customer', platformId, id);

/** The stream of an external account: one per owner, type and primary identifier. */
export const externalAccountStream = (
  platformId: PlatformId,
  owner: string,
  accountType: string,
  identifier: string,
) => derivedUuid('external-account', platformId, owner, accountType, identifier);
