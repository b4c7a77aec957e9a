/** Rails that end payments in one way. */
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import { testStart } from './clock.ts';

export const settlesAtOnce: PaymentRail = {
  submit: async () => ({ status: 'accepted', reference: 'RAIL-1', underway: true, checkAt: testStart }),
  endingOf: async () => ({ status: 'settled' }),
  receiverAt: () => undefined,
  checkName: async () => undefined,
};
