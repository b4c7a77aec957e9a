/** An outside world whose answers follow from the payment alone, so that asking twice changes nothing. */
import { createHash } from 'node:crypto';
import { type FailureReason, failureReasons } from '../../src/domain/payments/events.ts';
import type { Ending, PaymentRail, RailPayment } from '../../src/domain/ports/payment-rail.ts';

/** The one address that is not a customer's. */
export const outsideAddress = '$outside@rail.example';
const waitMs = 3_000;

export function fatefulRail(now: () => Date): PaymentRail {
  const later = () => new Date(now().getTime() + waitMs);
  return {
    async submit(payment) {
      const fate = fateOf(payment);
      if (fate.atOnce) return { status: 'ended', ending: fate.ending };
      const reference = `RAIL-${payment.paymentId.slice(-12)}`;
      return { status: 'accepted', reference, underway: fate.underway, checkAt: later() };
    },
    withdraw: async () => ({ status: 'unknown' }),
    async statusOf(payment) {
      if (payment.recorded === 'begun') return { status: 'unknown' };
      const { ending, returned } = fateOf(payment);
      if (payment.recorded === 'settled') return returned ?? { status: 'settled' };
      return returned && ending.status === 'settled' ? { ...ending, checkAt: later() } : ending;
    },
    receiverAt: (address) =>
      address === outsideAddress ? { currencies: ['USD'], requiredPayerDataFields: [] } : undefined,
    checkName: async () => undefined,
  };
}

type Fate = {
  readonly atOnce: boolean;
  readonly underway: boolean;
  readonly ending: Ending;
  readonly returned?: Ending;
};

function fateOf({ paymentId }: RailPayment): Fate {
  const [dice = 0, side = 0, why = 0] = createHash('sha256').update(paymentId).digest();
  const reason: FailureReason = failureReasons[why % failureReasons.length] ?? 'OFFRAMP_FAILED';
  const fails = { status: 'failed', reason, refundFails: side < 128 } as const;
  const bad: readonly Ending[] = [fails, { status: 'rejected', reason }, { status: 'cancelled' }];
  const ending = dice < 128 ? { status: 'settled' as const } : (bad[dice % bad.length] ?? fails);
  const comesBack = ending.status === 'settled' && side < 64;
  return {
    atOnce: ending.status === 'failed' && side > 200,
    underway: side % 2 === 0,
    ending,
    ...(comesBack && { returned: { status: 'returned', reason } }),
  };
}
