/** Where no outside world is connected: payments to it fail and are refunded, and nobody outside can be paid. */
import type { PaymentRail } from './payment-rail.ts';

export const noRail: PaymentRail = {
  submit: async () => ({
    status: 'ended',
    ending: { status: 'failed', reason: 'QUOTE_EXECUTION_FAILED', refundFails: false },
  }),
  statusOf: async () => ({ status: 'unknown' }),
  withdraw: async () => ({ status: 'unknown' }),
  receiverAt: () => undefined,
  checkName: async () => undefined,
};
