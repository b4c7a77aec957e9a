import { describe, expect, it } from 'vitest';
import type { ReservationEvent } from '../../../src/domain/reservations/events.ts';
import {
  claimsToEnd,
  externalAccountStream,
  paymentAddressStream,
  platformCustomerStream,
  reservation,
} from '../../../src/domain/reservations/reservation.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { platformId } from '../../support/builders/identities.ts';
import {
  confirmReservation,
  nameReleased,
  nameReserved,
  releaseName,
  reservationConfirmed,
  reserveName,
} from '../../support/builders/reservations.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const given = specFor(reservation);
const patienceMs = 60_000;
const bob = { holder: 'bob' };
const later = { ...bob, at: msLater(patienceMs + 1) };
const afterwards = { ...later, ended: { holder: 'ada', claims: [undefined] } };

describe('a free name', () => {
  it('can be reserved', () => given().when(reserveName()).then(nameReserved()));

  it.each([confirmReservation(), releaseName()])('makes nothing of $type', (command) =>
    given().when(command).thenNothing(),
  );

  it.each([
    ['its last holder', {}],
    ['somebody else', bob],
  ])('that was released can be reserved by %s', (_who, who) =>
    given(nameReserved(), reservationConfirmed(), nameReleased())
      .when(reserveName(who))
      .then(nameReserved(who)),
  );
});

describe('a reserved name', () => {
  it('can be reserved again by its holder, at any time', () =>
    given(nameReserved())
      .when(reserveName({ at: msLater(patienceMs + 1) }))
      .thenNothing());

  it('is refused to others in the words of the one who asks', () =>
    given(nameReserved()).when(reserveName(bob)).thenRejected('UMA_ADDRESS_EXISTS'));

  it('is kept for a minute', () =>
    given(nameReserved())
      .when(reserveName({ ...bob, at: msLater(patienceMs) }))
      .thenRejected('UMA_ADDRESS_EXISTS'));

  it('says when it is free again, as long as nobody confirmed it', () => {
    const refusal = (...history: ReservationEvent[]) => {
      try {
        reservation.decide(reserveName({ ...bob, at: msLater(15_000) }), stateOf(reservation, ...history));
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(refusal(nameReserved())).toMatchObject({ details: { retryAfterSeconds: 45 } });
    expect(refusal(nameReserved(), reservationConfirmed())).toMatchObject({ details: undefined });
  });

  it('stays with its holder, however late it is, until nothing can come of the claim', () =>
    given(nameReserved()).when(reserveName(later)).thenRejected('UMA_ADDRESS_EXISTS'));

  it('goes to whoever asks when its claims have ended', () =>
    given(nameReserved()).when(reserveName(afterwards)).then(nameReserved(later)));

  it.each([
    { holder: 'somebody', claims: [undefined] },
    { holder: 'ada', claims: ['other'] },
    { holder: 'ada', claims: [] },
  ])('is kept by a claim that is not among those that have ended', (ended) =>
    given(nameReserved())
      .when(reserveName({ ...later, ended }))
      .thenRejected('UMA_ADDRESS_EXISTS'),
  );

  it('may be ended after a minute, or at once for the same request', () => {
    const ada = stateOf(reservation, nameReserved({ request: 'same' }));
    const ended = { holder: 'ada', claims: [undefined] };
    const wanted = { ...bob, at: msLater(1) };
    expect(claimsToEnd(ada, wanted)).toBe(undefined);
    expect(claimsToEnd(ada, { ...wanted, request: 'other' })).toBe(undefined);
    expect(claimsToEnd(ada, { ...wanted, request: 'same' })).toEqual(ended);
    expect(claimsToEnd(ada, later)).toEqual(ended);
    expect(claimsToEnd(ada, { ...later, holder: 'ada' })).toBe(undefined);
  });

  it('may not be ended once one of its claims is confirmed, or where one is younger', () => {
    const young = nameReserved({ claim: 'young', at: msLater(2) });
    expect(claimsToEnd(stateOf(reservation, nameReserved(), young), later)).toBe(undefined);
    const confirmed = [nameReserved(), reservationConfirmed(), nameReserved({ claim: 'second' })];
    expect(claimsToEnd(stateOf(reservation, ...confirmed), later)).toBe(undefined);
    expect(claimsToEnd(stateOf(reservation), later)).toBe(undefined);
  });

  it('is never told to be taken for longer than a minute, whatever the clocks say', () => {
    const decide = () =>
      reservation.decide(reserveName(bob), stateOf(reservation, nameReserved({ at: msLater(3_600_000) })));
    expect(decide).toThrow('free in 60 seconds');
  });

  it('has the request that reserved it', () =>
    given()
      .when(reserveName({ request: 'same' }))
      .then(nameReserved({ request: 'same' })));

  it('belongs to the new holder alone after that', () => {
    const history = [nameReserved(), nameReserved(later)];
    given(...history)
      .when(confirmReservation())
      .thenNothing();
    given(...history)
      .when(releaseName())
      .thenNothing();
    given(...history)
      .when(reserveName({ at: later.at }))
      .thenRejected('UMA_ADDRESS_EXISTS');
    given(...history)
      .when(confirmReservation(later))
      .then(reservationConfirmed(later));
  });

  it('is confirmed by its holder', () =>
    given(nameReserved()).when(confirmReservation()).then(reservationConfirmed()));

  it('is released by its holder', () => given(nameReserved()).when(releaseName()).then(nameReleased()));

  it.each([confirmReservation(bob), releaseName(bob)])('makes nothing of $type by somebody else', (command) =>
    given(nameReserved()).when(command).thenNothing(),
  );
});

describe('a name that its holder claims twice', () => {
  const second = { claim: 'second' };
  const both = [nameReserved(), reservationConfirmed(), nameReserved(second)];

  it('is reserved for each claim', () =>
    given(nameReserved(), reservationConfirmed()).when(reserveName(second)).then(nameReserved(second)));

  it('is free when both claims are given up', () => {
    given(...both, nameReleased())
      .when(reserveName(bob))
      .thenRejected('UMA_ADDRESS_EXISTS');
    given(...both, nameReleased(second))
      .when(reserveName(bob))
      .thenRejected('UMA_ADDRESS_EXISTS');
    given(...both, nameReleased(), nameReleased(second))
      .when(reserveName(bob))
      .then(nameReserved(bob));
  });

  it('outlasts a release of the first claim that is repeated late', () =>
    given(...both, nameReleased(), reservationConfirmed(second))
      .when(releaseName())
      .thenNothing());

  it('is confirmed for each claim', () =>
    given(...both)
      .when(confirmReservation(second))
      .then(reservationConfirmed(second)));

  it('goes to others when what is left of it was never confirmed', () =>
    given(...both, nameReleased())
      .when(reserveName({ ...later, ended: { holder: 'ada', claims: ['second'] } }))
      .then(nameReserved(later)));
});

describe('a confirmed name', () => {
  const confirmed = [nameReserved(), reservationConfirmed()];

  it('never becomes free by itself', () =>
    given(...confirmed)
      .when(reserveName({ ...afterwards, at: msLater(1_000 * patienceMs) }))
      .thenRejected('UMA_ADDRESS_EXISTS'));

  it.each([reserveName(), confirmReservation()])('makes nothing of a repeated $type', (command) =>
    given(...confirmed)
      .when(command)
      .thenNothing(),
  );

  it('is released by its holder once', () => {
    given(...confirmed)
      .when(releaseName())
      .then(nameReleased());
    given(...confirmed, nameReleased())
      .when(releaseName())
      .thenNothing();
  });

  it.each([
    ['without a reservation', [reservationConfirmed()]],
    ['by somebody else', [nameReserved(), reservationConfirmed(bob)]],
  ])('cannot have been confirmed %s', (_how, history) => {
    expect(() => stateOf(reservation, ...history)).toThrow(InvariantViolation);
  });
});

describe('the stream of a name', () => {
  const other = idOf('Platform', uuidNumber(99));

  it('is the same for a payment address in any case', () => {
    expect(paymentAddressStream('$Ada@Pay.Example')).toBe(paymentAddressStream('$ada@pay.example'));
  });

  it('tells case and platform of a customer id apart', () => {
    const streams = [
      platformCustomerStream(platformId, 'a'),
      platformCustomerStream(platformId, 'A'),
      platformCustomerStream(other, 'a'),
    ];
    expect(new Set(streams).size).toBe(3);
  });

  it('tells all parts of an external account apart', () => {
    const streams = [
      externalAccountStream(platformId, 'owner', 'USD_ACCOUNT', '1'),
      externalAccountStream(other, 'owner', 'USD_ACCOUNT', '1'),
      externalAccountStream(platformId, 'owner2', 'USD_ACCOUNT', '1'),
      externalAccountStream(platformId, 'owner', 'EUR_ACCOUNT', '1'),
      externalAccountStream(platformId, 'owner', 'USD_ACCOUNT', '2'),
      externalAccountStream(platformId, 'ownerUSD_ACCOUNT', '', '1'),
    ];
    expect(new Set(streams).size).toBe(streams.length);
  });

  it('never mixes kinds of names', () => {
    expect(paymentAddressStream('x')).not.toBe(platformCustomerStream(platformId, 'x'));
  });
});
