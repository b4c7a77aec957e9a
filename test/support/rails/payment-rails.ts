/** Rails that end payments in one way. */
import type { PaymentRail } from '../../../src/domain/ports/payment-rail.ts';
import { testStart } from '../time/clock.ts';

const accepted = { status: 'accepted', reference: 'RAIL-1', underway: true, checkAt: testStart } as const;

export const settlesAtOnce: PaymentRail = {
  submit: async () => accepted,
  statusOf: async ({ recorded }) => (recorded === 'begun' ? { status: 'unknown' } : { status: 'settled' }),
  withdraw: async () => ({ status: 'unknown' }),
  receiverAt: () => undefined,
  checkName: async () => undefined,
};

/** The same, of a rail that tells nobody outside what it takes. */
export const takesAtOnce: PaymentRail = { ...settlesAtOnce, takesAtOnce: () => accepted };
