/** Whether an answer has waited for the read models: it says so where it has not. */
import type { Response } from 'express';
import { Rejected } from '../../kernel/rejected.ts';
import type { Looking } from '../rests-on.ts';
import type { ProblemOf } from './problem.ts';

/** On an answer that lists may not show yet. */
export const behindHeader = 'Daybook-Read-Models';

export type ReadModels = {
  /**
   * Whether the read models contain everything up to the position, where something was done or only seen: `false` when
   * waiting has taken long enough.
   */
  readonly projected: (position: bigint, what: 'done' | 'seen') => Promise<boolean>;
  /** Whether they show less than they once did: their server went down, or this process has just started. */
  readonly hasLost: () => boolean;
  /** Whether they show again what they once did: `false` when waiting has taken long enough. */
  readonly restored: () => Promise<boolean>;
  /** How far the log goes now. */
  readonly lastPosition: () => Promise<bigint>;
};

/** Waits until the read models show the log up to the position, for a while; not again where the answer says already that they do not. */
export async function untilShown(
  position: bigint,
  res: Response,
  { projected }: Pick<ReadModels, 'projected'>,
  what: 'done' | 'seen' = 'done',
): Promise<void> {
  if (position === 0n || res.hasHeader(behindHeader)) return;
  const isBehind = !(await projected(position, what));
  // One that was late has been answered already.
  if (isBehind && !res.headersSent) res.setHeader(behindHeader, 'behind');
}

/**
 * The same for what was done by an earlier request: whoever was told of it may have been told too early, or it was told
 * to nobody. Where the log does not say how far it goes, the answer says that it has not waited.
 */
export async function untilAllShown(res: Response, { projected, lastPosition }: ReadModels): Promise<void> {
  const last = await lastPosition().catch(() => undefined);
  if (last !== undefined) await untilShown(last, res, { projected });
  else if (!res.headersSent) res.setHeader(behindHeader, 'behind');
}

/** What the answer to a request rests on: what was done for it, and what it has seen in the log. */
export class Rest implements Looking {
  #done = 0n;
  #seen = 0n;
  readonly #res: Response;
  readonly #readModels: Pick<ReadModels, 'projected'>;

  constructor(res: Response, readModels: Pick<ReadModels, 'projected'>) {
    this.#res = res;
    this.#readModels = readModels;
  }

  did(position: bigint): void {
    if (position > this.#done) this.#done = position;
  }

  noted(position: bigint): void {
    if (position > this.#seen) this.#seen = position;
  }

  untilShown(position: bigint): Promise<void> {
    return untilShown(position, this.#res, this.#readModels, 'seen');
  }

  /** Waits, after the work, until the read models show all of it. */
  untilAllShown(): Promise<void> {
    const done = untilShown(this.#done, this.#res, this.#readModels);
    return this.#seen > this.#done ? done.then(() => this.untilShown(this.#seen)) : done;
  }
}

const retryAfterSeconds = 1;
const notKnown = () =>
  new Rejected(
    'SERVICE_UNAVAILABLE',
    `What was not found may be there: the lists are being restored. Send the request again in ${retryAfterSeconds} second.`,
    { retryAfterSeconds },
  );

type Restoring = Pick<ReadModels, 'hasLost' | 'restored'> & { readonly problemOf: ProblemOf };

/**
 * Where rows were lost with their server, the work waits until they have been made again. After too long a wait it goes on
 * without them, but then nothing is called missing: throws `Rejected` (SERVICE_UNAVAILABLE) in place of a 404.
 */
export const onceRestored = <Result>(
  res: Response,
  restoring: Restoring,
  work: () => Promise<Result>,
): Promise<Result> => (restoring.hasLost() ? whileRestoring(res, restoring, work) : work());

async function whileRestoring<Result>(
  res: Response,
  { restored, problemOf }: Restoring,
  work: () => Promise<Result>,
): Promise<Result> {
  if (await restored()) return work();
  if (!res.headersSent) res.setHeader(behindHeader, 'behind');
  return work().catch((error: unknown) => {
    throw problemOf(error)?.status === 404 ? notKnown() : error;
  });
}
