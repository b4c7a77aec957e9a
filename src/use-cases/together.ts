/** Waits for things that were begun at the same moment. Throws what the first of them, in their order, throws. */
export async function together<Results extends readonly unknown[]>(
  ...begun: { readonly [N in keyof Results]: Promise<Results[N]> }
): Promise<Results> {
  await Promise.allSettled(begun);
  const results: unknown[] = [];
  for (const one of begun) results.push(await one);
  return results as unknown as Results;
}

/** Resolves, when the promise has settled, to what gives its result or throws its error: at the moment it is wanted. */
export async function settled<Result>(begun: Promise<Result>): Promise<() => Result> {
  const [outcome] = await Promise.allSettled([begun]);
  return () => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
}
