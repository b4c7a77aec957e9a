import type { RailPayment } from '../../../src/domain/ports/payment-rail.ts';
import { testStart } from '../time/clock.ts';
import { platformId, transactionId } from './identities.ts';
import { usd } from './money.ts';
import { externalAccountDetails } from './registered-accounts.ts';

/** A payout of 0.01 USD that has not reached the rail, unless it says otherwise. */
export const railPayment = (overrides: Partial<RailPayment> = {}): RailPayment => ({
  paymentId: transactionId,
  platformId,
  kind: 'transfer-out',
  amount: usd(1n),
  counterparty: { kind: 'account', account: externalAccountDetails() },
  reference: 'TO00000000000001',
  startedAt: testStart,
  recorded: 'begun',
  ...overrides,
});
