/**
 * A name that one holder has at a time: a payment address, a platform's id for its customer, a bank account of one
 * owner. The stream's id is the digest of the name, so two requests for one name meet in one stream and one wins.
 */
import type { Decider } from '../../kernel/decider.ts';
import { derivedUuid, type PlatformId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected, type RejectionCode } from '../../kernel/rejected.ts';
import type { ReservationEvent } from './events.ts';

/**
 * After this a claim that was not confirmed may be ended by whoever wants the name: its request has been cut short. Time
 * only says when to ask: that the claim has ended is recorded in its holder's stream, which then takes no name under it.
 */
const unconfirmedMs = 60_000;

/** A holder who is changed twice at once claims a name for each change, and gives up each claim by itself. */
type Claiming = { readonly holder: string; readonly claim?: string | undefined; readonly at: Date };

/** Claims of which the holder's stream says that nothing will come of them any more. */
export type EndedClaims = { readonly holder: string; readonly claims: readonly (string | undefined)[] };

export type Wanted = Claiming & {
  /** A keyed hash of the request; absent where its Idempotency-Key says whether it is the same. */
  readonly request?: string | undefined;
  /** What to answer when somebody else holds the name. */
  readonly taken: { readonly code: RejectionCode; readonly message: string };
};

export type ReservationCommand =
  | (Wanted & { readonly type: 'ReserveName'; readonly ended?: EndedClaims | undefined })
  | (Claiming & { readonly type: 'ConfirmReservation' | 'ReleaseName' });

type Claim = { readonly confirmed: boolean; readonly since: Date; readonly request?: string | undefined };
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
        if (!mine && !hasEnded(state, command.ended)) throw takenBy(state, command);
        return [
          { type: 'NameReserved', data: command.request ? { ...data, request: command.request } : data },
        ];
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
        claims.set(keyOf(claim), { confirmed: false, since: at, request: event.data.request });
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

/** Whether nobody holds the name, or only under claims that have ended. */
function hasEnded(state: Reservation, ended: EndedClaims | undefined): boolean {
  if (state.status === 'free') return true;
  const known = new Set(ended?.holder === state.holder ? ended.claims.map(keyOf) : []);
  return [...state.claims].every(([key, { confirmed }]) => !confirmed && known.has(key));
}

/**
 * The claims of somebody else to a name that may be ended for whoever wants it: those of a request that was cut short,
 * once they are old enough, or at once where the same request comes again. `undefined` where the name is held.
 */
export function claimsToEnd(
  state: Reservation,
  { holder, request, at }: Omit<Wanted, 'taken'>,
): EndedClaims | undefined {
  if (state.status === 'free' || state.holder === holder) return undefined;
  const isOver = (claim: Claim) =>
    !claim.confirmed &&
    (at.getTime() - claim.since.getTime() > unconfirmedMs ||
      (request !== undefined && claim.request === request));
  if (![...state.claims.values()].every(isOver)) return undefined;
  return { holder: state.holder, claims: [...state.claims.keys()].map((key) => key || undefined) };
}

/**
 * A name that is taken, or only being taken: the request for it may have been cut short. Then it is free again in a
 * moment, which the refusal says.
 */
function takenBy(state: Reservation, { taken, at }: Wanted): Rejected {
  const claims = state.status === 'held' ? [...state.claims.values()] : [];
  if (claims.some(({ confirmed }) => confirmed)) return new Rejected(taken.code, taken.message);
  const freeAt = Math.max(...claims.map(({ since }) => since.getTime() + unconfirmedMs));
  const seconds = Math.ceil((freeAt - at.getTime()) / 1000);
  const retryAfterSeconds = Math.min(Math.max(1, seconds), unconfirmedMs / 1000);
  const message = `${taken.message} Another request is taking it: unless that is completed, the name is free in ${retryAfterSeconds} seconds.`;
  return new Rejected(taken.code, message, { retryAfterSeconds });
}

/** The stream of a payment address: unique over all platforms, in lower case. */
export const paymentAddressStream = (address: string) =>
  derivedUuid('payment-address', address.toLowerCase());

/** The stream of a platform's own id for a customer. */
export const platformCustomerStream = (platformId: PlatformId, id: string) =>
  derivedUuid('platform-customer', platformId, id);

/** The stream of an e-mail address that a wallet's customer changes to, by a keyed hash of it. */
export const walletEmailStream = (platformId: PlatformId, hash: string) =>
  derivedUuid('wallet-email', platformId, hash);

/** The stream of a reference under which money arrives: whoever it is for holds it, with the amount for a claim. */
export const arrivedMoneyStream = (bankReference: string) =>
  derivedUuid('arrived-money-holder', bankReference);

/** The stream of an external account: one per owner, type and primary identifier. */
export const externalAccountStream = (
  platformId: PlatformId,
  owner: string,
  accountType: string,
  identifier: string,
) => derivedUuid('external-account', platformId, owner, accountType, identifier);
