/** What a rail may say of a payment. A module is held to it as a service is: its types bind nobody at run time. */
import { failureReasons } from '../../../domain/payments/events.ts';
import type { Accepted, Ending, RailStatus, Submission } from '../../../domain/ports/payment-rail.ts';

/** Whether an ending of this kind has a reason. */
const endings: Readonly<Record<Ending['status'], boolean>> = {
  settled: false,
  failed: true,
  rejected: true,
  cancelled: false,
  returned: true,
};

const reasons: ReadonlySet<unknown> = new Set(failureReasons);

/** The ending as it was said. Throws for what is none, and says why. */
export function requireEnding(ending: Ending): Ending {
  const { status, reason }: { readonly status?: unknown; readonly reason?: unknown } = ending ?? {};
  if (typeof status !== 'string' || !Object.hasOwn(endings, status))
    throw new Error(`the rail says that a payment is ${JSON.stringify(status)}, which is no ending`);
  if (endings[status as Ending['status']] && !reasons.has(reason))
    throw new Error(`the rail says that a payment is ${status}, and ${JSON.stringify(reason)} is no reason`);
  return ending;
}

function requireAccepted(answer: Accepted): Accepted {
  const { reference, underway }: { readonly reference: unknown; readonly underway: unknown } = answer;
  if (typeof reference !== 'string' || reference === '' || typeof underway !== 'boolean')
    throw new Error(
      'the rail has accepted a payment without saying its reference, or whether it is underway',
    );
  return answer;
}

/** The same of an answer to `statusOf` or `withdraw`. */
export function requireStatus(answer: RailStatus): RailStatus {
  if (answer?.status === 'accepted') return requireAccepted(answer);
  return answer?.status === 'unknown' ? answer : requireEnding(answer);
}

/** The same of an answer to `submit`. */
export function requireSubmission(answer: Submission): Submission {
  if (answer?.status === 'accepted') return requireAccepted(answer);
  if (answer?.status === 'ended') requireEnding(answer.ending);
  else throw new Error('the rail has answered a submission neither with accepted nor with ended');
  return answer;
}
