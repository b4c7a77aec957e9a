/** An outside world whose answers follow from the payment alone, so that asking twice changes nothing. */
import { createHash } from 'node:crypto';
import { type FailureReason, failureReasons } from '../../src/domain/payments/events.ts';
import type {
  Ending,
  PaymentRail,
  RailPayment,
  RailStatus,
  Submission,
} from '../../src/domain/ports/payment-rail.ts';

/** The one address that is not a customer's. */
export const outsideAddress = '$outside@rail.example';
const waitMs = 3_000;

/** Whether its money is to come here. */
export const isPulled = ({ kind }: Pick<RailPayment, 'kind'>): boolean =>
  kind === 'transfer-in' || kind === 'incoming';

/** What the rail was told of a payment each time that it was handed over. */
export type Taken = ReadonlyMap<string, readonly RailPayment[]>;

export function fatefulRail(now: () => Date): PaymentRail & { readonly taken: Taken } {
  const taken = new Map<string, readonly RailPayment[]>();
  /** What is never to be carried. */
  const withdrawn = new Set<string>();
  const later = () => new Date(now().getTime() + waitMs);
  const answerTo = (payment: RailPayment): Submission => {
    const fate = fateOf(payment);
    if (fate.atOnce) return { status: 'ended', ending: fate.ending };
    const reference = `RAIL-${payment.paymentId.slice(-12)}`;
    return { status: 'accepted', reference, underway: fate.underway, checkAt: later() };
  };
  const statusOf = (payment: RailPayment): RailStatus => {
    if (!taken.has(payment.paymentId)) return { status: 'unknown' };
    if (payment.recorded === 'begun') return statusAfter(answerTo(payment));
    const { ending, returned, askedAgain } = fateOf(payment);
    if (payment.recorded === 'settled') return returned ?? { status: 'settled' };
    return askedAgain && ending.status === 'settled' ? { ...ending, checkAt: later() } : ending;
  };
  return {
    taken,
    async submit(payment) {
      if (withdrawn.has(payment.paymentId)) return { status: 'ended', ending: { status: 'cancelled' } };
      taken.set(payment.paymentId, [...(taken.get(payment.paymentId) ?? []), payment]);
      return answerTo(payment);
    },
    async withdraw(payment) {
      if (!taken.has(payment.paymentId)) withdrawn.add(payment.paymentId);
      return statusOf(payment);
    },
    statusOf: async (payment) => statusOf(payment),
    receiverAt: (address) =>
      address === outsideAddress ? { currencies: ['USD'], requiredPayerDataFields: [] } : undefined,
    checkName: async () => undefined,
  };
}

const statusAfter = (answer: Submission): RailStatus => (answer.status === 'ended' ? answer.ending : answer);

type Fate = {
  readonly atOnce: boolean;
  readonly underway: boolean;
  readonly ending: Ending;
  /** Whether the rail is asked once more after it has arrived. */
  readonly askedAgain: boolean;
  readonly returned?: Ending;
};

/** What becomes of a payment that the rail has taken. */
export function fateOf({ paymentId }: Pick<RailPayment, 'paymentId'>): Fate {
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
    askedAgain: ending.status === 'settled' && side < 80,
    ...(comesBack && { returned: { status: 'returned', reason } }),
  };
}
