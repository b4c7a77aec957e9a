/** What `work` comes to, or what `late` gives or throws when that takes longer than `ms`; the work goes on then. */
const inTime = <Result, Late>(ms: number, work: Promise<Result>, late: () => Late): Promise<Result | Late> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });

/** What `work` comes to, or `late` when that takes longer than `ms`; the work goes on then. */
export const within = <Result>(ms: number, work: Promise<Result> | Result): Promise<Result | 'late'> =>
  inTime(ms, Promise.resolve(work), () => 'late' as const);

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
  return inTime(ms, work(asked), () => {
    late = new Error(`no answer within ${ms} ms`);
    ended?.abort(late);
    throw late;
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
