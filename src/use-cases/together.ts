/** Waits for things that were begun at the same moment. Throws what the first of them, in their order, throws. */
export async function together<Results extends readonly unknown[]>(
  ...begun: { readonly [N in keyof Results]: Promise<Results[N]> }
): Promise<Results> {
  await Promise.allSettled(begun);
  const results: unknown[] = [];
  for (const one of begun) results.push(await one);
  return results as unknown as Results;
}
