/**
 * A request with an Idempotency-Key. The first answer to a key is the answer to all. One that was begun before and has
 * no answer looks for what it has done then, before anything could refuse it now.
 */
import { Rejected } from '../../../kernel/rejected.ts';
import { recordedUntil } from '../../deadlines/deadline.ts';
import type { Answer } from '../operation.ts';
import { differingFields, type Fingerprint } from './fingerprint.ts';
import type { Attempted, Begun, IdempotencyStore } from './idempotency.ts';

/** What a request has asked for under a key. `scope` is the key, as its holder uses it for one operation. */
export type Keyed = {
  readonly scope: string;
  readonly fingerprint: Fingerprint;
  readonly tenant: string;
};

/** How to answer the request. */
export type Work = {
  /** `isAnew` where the key was waited for, or something may have been done under it: what was found before may be old. */
  readonly run: (attempted: Attempted, isAnew: boolean) => Promise<Answer>;
  /**
   * What an attempt that was cut short has done, seen through; nothing where it did nothing. `isSame` says whether it asked
   * for the same.
   */
  readonly resume: (attempted: Attempted, isSame: boolean) => Promise<Answer | undefined>;
  /** Whether the refusal is the answer to every repeat; otherwise it passes by itself. */
  readonly keptRefusal: (refusal: Rejected) => Answer | undefined;
  /** What is sent of an answer. */
  readonly textOf: (answer: Answer) => string;
  /** Told of a key that was used for something else before. Throws `Rejected` where its holder does not want that. */
  readonly tellOther: (fields: readonly string[]) => Promise<void>;
};

export type Sent = { readonly status: number; readonly body: string; readonly isReplay: boolean };

export async function answerOnce(
  idempotency: Pick<IdempotencyStore, 'begin'>,
  { scope, fingerprint, tenant }: Keyed,
  work: Work,
): Promise<Sent> {
  const begun = await idempotency.begin(scope, fingerprint, tenant);
  const differing = differingFields(begun.fingerprint ?? fingerprint, fingerprint);
  if ('status' in begun) {
    if (differing.length > 0) await work.tellOther(differing);
    return { status: begun.status, body: begun.body, isReplay: true };
  }
  recordedUntil(begun.latest);
  try {
    if (differing.length > 0) await work.tellOther(differing);
    const answer = await attempt(begun, differing, work);
    const own = { status: answer.status, body: work.textOf(answer) };
    const { status, body } = await begun.keep(own);
    return { status, body, isReplay: body !== own.body };
  } catch (error) {
    const isOver = error instanceof Rejected;
    await (isOver && !begun.isRepeat ? begun.forget() : begun.leave(isOver));
    throw error;
  }
}

/** Throws what passes by itself: that is no answer. */
async function attempt(begun: Begun, differing: readonly string[], work: Work): Promise<Answer> {
  const { isRepeat, hasWaited, attempted } = begun;
  const refusal = (error: Rejected) => finalRefusal(begun, work.keptRefusal(error));
  const resume = () => refusable(refusal, () => work.resume(attempted, differing.length === 0));
  const done = isRepeat ? await resume() : undefined;
  if (done) return done;
  // Under the identifiers of the first request nothing else may be done: that one may yet show.
  if (differing.length > 0) throw otherBody(differing);
  try {
    return await work.run(attempted, isRepeat || hasWaited);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // Another attempt may have come further than it was: an earlier one, or one that has overtaken this one.
    const doneMeanwhile = (await resume()) ?? refusal(error);
    if (!doneMeanwhile) throw error;
    return doneMeanwhile;
  }
}

async function refusable(
  refusal: (error: Rejected) => Answer | undefined,
  resume: () => Promise<Answer | undefined>,
) {
  try {
    return await resume();
  } catch (error) {
    const kept = error instanceof Rejected ? refusal(error) : undefined;
    if (!kept) throw error;
    return kept;
  }
}

/**
 * Nobody is told that a request is refused while an earlier attempt may still do what it asked for. Throws `Rejected`
 * (SERVICE_UNAVAILABLE) then.
 */
function finalRefusal({ othersForSeconds }: Begun, kept: Answer | undefined): Answer | undefined {
  if (!kept || othersForSeconds === undefined) return kept;
  throw new Rejected(
    'SERVICE_UNAVAILABLE',
    `An earlier request with this Idempotency-Key may still be under way. Send it again in ${othersForSeconds} s.`,
    { retryAfterSeconds: othersForSeconds },
  );
}

/** Of a key whose first body counts, and of one whose holder wants no other body at all. */
export function otherBody(fields: readonly string[]): Rejected {
  const message = `This Idempotency-Key was used with another body: ${fields.join(', ')} differ. Send the first body, or use another key.`;
  return new Rejected('IDEMPOTENCY_KEY_REUSED', message, { fields });
}
