/** What `work` comes to, or `late` when that takes longer than `ms`; the work goes on then. */
export async function within<Result>(ms: number, work: Promise<Result> | Result): Promise<Result | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(resolve, ms, 'late');
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * What `work` comes to. Throws what it throws, or an error when that takes longer than `ms`; the signal that it was given
 * fires then.
 */
export async function answeredWithin<Answer>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const ended = new AbortController();
  const answered = work(ended.signal).then((answer) => ({ answer }));
  const outcome = await within(ms, answered);
  if (outcome !== 'late') return outcome.answer;
  const late = new Error(`no answer within ${ms} ms`);
  ended.abort(late);
  throw late;
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
