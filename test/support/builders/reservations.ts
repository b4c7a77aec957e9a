import type { EndedClaims } from '../../../src/domain/reservations/reservation.ts';
import { testStart } from '../time/clock.ts';

type Who = {
  readonly holder?: string;
  readonly claim?: string;
  readonly request?: string;
  readonly at?: Date;
};

const ada = { holder: 'ada', at: testStart };

export const nameReserved = (who: Who = {}) => ({ type: 'NameReserved', data: { ...ada, ...who } }) as const;
export const reservationConfirmed = (who: Who = {}) =>
  ({ type: 'ReservationConfirmed', data: { ...ada, ...who } }) as const;
export const nameReleased = (who: Who = {}) => ({ type: 'NameReleased', data: { ...ada, ...who } }) as const;

export const taken = { code: 'UMA_ADDRESS_EXISTS', message: 'This payment address is taken.' } as const;

export const reserveName = (who: Who & { readonly ended?: EndedClaims } = {}) =>
  ({ type: 'ReserveName', ...ada, taken, ...who }) as const;
export const confirmReservation = (who: Who = {}) =>
  ({ type: 'ConfirmReservation', ...ada, ...who }) as const;
export const releaseName = (who: Who = {}) => ({ type: 'ReleaseName', ...ada, ...who }) as const;
