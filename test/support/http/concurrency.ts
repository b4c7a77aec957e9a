/** Runs `work` n times at once; the answers in order of their numbers. */
export const together = <T>(n: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => work(index)));

/** Runs `work` for every item, at most `limit` at once; the answers in order of the items. */
export async function atMost<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  const next = items.entries();
  await together(limit, async () => {
    for (const [index, item] of next) answers[index] = await work(item);
  });
  return answers;
}

/** How many of the answers had each status: `{ 200: 1, 409: 49 }`. */
export const countByStatus = (answers: readonly { readonly status: number }[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );
