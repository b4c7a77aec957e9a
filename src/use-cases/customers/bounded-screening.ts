/**
 * A screening that answers within its time and in its words, or refuses: nothing is recorded of a check that could not be
 * made.
 */
import {
  type Finding,
  findings,
  type ScreenedCustomer,
  type ScreenedOwner,
  type Screening,
} from '../../domain/ports/screening.ts';
import { answeredWithin } from '../../infrastructure/deadlines/within.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';

const answerMaxMs = 10_000;
const retryAfterSeconds = 5;

/** Every promise is kept in time, or broken with `Rejected` (SERVICE_UNAVAILABLE). */
export type BoundedScreening = {
  readonly customer: (screened: ScreenedCustomer) => Promise<Finding | undefined>;
  readonly owner: (owner: ScreenedOwner) => Promise<Finding>;
};

/** Who checks the customers of a platform. */
export type ScreeningOf = (platformId: PlatformId) => Promise<BoundedScreening>;

/** What lacks something is not asked about. */
export function boundedScreening(
  screening: Screening,
  failed: (error: unknown) => void,
  maxMs = answerMaxMs,
): BoundedScreening {
  const ask = async <Answer>(work: Parameters<typeof answeredWithin<Answer>>[1]): Promise<Answer> => {
    try {
      return await answeredWithin(maxMs, work);
    } catch (error) {
      failed(error);
      const message = `The check could not be made just now. Send the request again in ${retryAfterSeconds} seconds.`;
      throw new Rejected('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
    }
  };
  return {
    customer: async (screened) =>
      screened.isComplete
        ? ask(async (asked) => foundIfAny(await screening.customer(screened, asked)))
        : undefined,
    owner: (owner) => ask(async (asked) => found(await screening.owner(owner, asked))),
  };
}

/** A module's types bind nobody at run time. */
function found(said: Finding): Finding {
  if (!findings.includes(said)) throw new Error('the screening says what is no finding');
  return said;
}

const foundIfAny = (said: Finding | undefined) => (said === undefined ? undefined : found(said));
