import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Reservation,
  type ReservationCommand,
  reservation,
} from '../../../src/domain/reservations/reservation.ts';
import type { Cause } from '../../../src/infrastructure/commands/dispatch.ts';
import { idOf, systemIds } from '../../../src/kernel/ids.ts';
import { Rejected, type RejectionCode } from '../../../src/kernel/rejected.ts';
import type { Commands } from '../../../src/use-cases/commands.ts';
import { claiming } from '../../../src/use-cases/payments/arrival-claims.ts';
import { stillClock } from '../../support/time/movable-clock.ts';

const { now } = stillClock();
let state: Reservation;
const run = async (_to: unknown, _uuid: unknown, command: ReservationCommand) => {
  state = reservation.decide(command, state).reduce(reservation.evolve, state);
  return { state };
};
const commands = { run } as unknown as Commands;
const holder = idOf('Transaction', systemIds.uuid());
const isFinal = (code: RejectionCode) => code === 'QUOTE_EXPIRED';
const claim = {
  bankReference: 'E2E-1',
  amount: { minor: 500n, currency: 'USD' },
  decision: undefined,
  holder,
  isFinal,
};
const attempt = (work: (take: () => Promise<void>) => Promise<never>) =>
  claiming({ commands, now }, claim, {} as Cause, work).catch((error: unknown) => error);
const refused = (code: RejectionCode) => async () => {
  throw new Rejected(code, '');
};

describe('the claim of an attempt that was cut short', () => {
  beforeEach(async () => {
    state = reservation.initial;
    await attempt(async (take) => {
      await take();
      throw new Error('the connection is gone');
    });
    expect(state).toMatchObject({ status: 'held', holder });
  });

  it('is given up by the next one that is refused for good before it takes the money', async () => {
    await attempt(refused('QUOTE_EXPIRED'));
    expect(state).toEqual({ status: 'free' });
  });

  it.each(['USER_NOT_READY', 'SERVICE_UNAVAILABLE'] as const)(
    'is kept by one that is refused with %s',
    async (code) => {
      await attempt(refused(code));
      expect(state).toMatchObject({ status: 'held', holder });
    },
  );
});
