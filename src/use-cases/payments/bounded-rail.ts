import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import { StoreAway } from '../../infrastructure/away.ts';
import { within } from '../../infrastructure/within.ts';

/** A request waits for the check of a name. */
const checkMaxMs = 5_000;
const endingMaxMs = 15_000;
/** Nobody waits so long: a rail that has not answered by then is asked once more, which is safe. */
const submitMaxMs = 60_000;

/** The same rail, every call of which ends. Throws `StoreAway` for one that takes too long. */
export function boundedRail(rail: PaymentRail): PaymentRail {
  const bounded = async <Answer>(ms: number, asked: Promise<Answer>): Promise<Answer> => {
    const answer = await within(ms, asked);
    if (answer === 'late') throw new StoreAway('the payment rail does not answer');
    return answer;
  };
  return {
    ...rail,
    submit: (payment) => bounded(submitMaxMs, rail.submit(payment)),
    endingOf: (payment, stage) => bounded(endingMaxMs, rail.endingOf(payment, stage)),
    checkName: (info) => bounded(checkMaxMs, rail.checkName(info)),
  };
}
