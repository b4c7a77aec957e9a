/** What `work` comes to, or `late` when that takes longer than `ms`; the work goes on then. */
export async function within<Result>(ms: number, work: Promise<Result> | Result): Promise<Result | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(resolve, ms, 'late');
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
