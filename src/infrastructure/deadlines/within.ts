import { elsewhere } from '../scheduling/tenant-turns.ts';

/** Hands on what `work` comes to, once `end` has run: the same as `finally`, without its promises. */
export const handOn = <Result>(
  work: Promise<Result>,
  end: () => void,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): void =>
  void work.then(
    (result) => {
      end();
      resolve(result);
    },
    (error: unknown) => {
      end();
      reject(error);
    },
  );

/** What `work` comes to; what `late` says, when that takes longer than `ms`; the work goes on then. */
const inTime = <Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: (resolve: (late: Late) => void, reject: (error: unknown) => void) => void,
): Promise<Result | Late> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => late(resolve, reject), ms);
    handOn(work, () => clearTimeout(timer), resolve, reject);
  });

/** What `work` comes to, or `late` when that takes longer than `ms`; the work goes on then. */
export const within = <Result>(ms: number, work: Promise<Result> | Result): Promise<Result | 'late'> =>
  inTime(ms, Promise.resolve(work), (resolve) => resolve('late'));

/**
 * What `work` comes to. Throws what it throws, or an error when that takes longer than `ms`; the signal that it was given
 * fires then. It is made for those who look at it.
 */
export function answeredWithin<Answer>(
  ms: number,
  work: (asked: { readonly signal: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  let late: Error | undefined;
  let ended: AbortController | undefined;
  const asked = {
    get signal() {
      ended ??= new AbortController();
      if (late) ended.abort(late);
      return ended.signal;
    },
  };
  return inTime<Answer, never>(ms, elsewhere(work(asked)), (_, reject) => {
    late = new Error(`no answer within ${ms} ms`);
    ended?.abort(late);
    reject(late);
  });
}

/** What `work` comes to, unless the signal comes first: the work is then left to itself. */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', end));
}
