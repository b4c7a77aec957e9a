/** Waits for things that were begun at the same moment. Throws what the first of them, in their order, throws. */
export async function together<Results extends readonly unknown[]>(
  ...begun: { readonly [N in keyof Results]: Promise<Results[N]> }
): Promise<Results> {
  const outcomes = await Promise.allSettled(begun);
  return outcomes.map(resultOf) as unknown as Results;
}

/** Resolves, when the promise has settled, to what gives its result or throws its error: at the moment it is wanted. */
export async function settled<Result>(begun: Promise<Result>): Promise<() => Result> {
  const [outcome] = await Promise.allSettled([begun]);
  return () => resultOf(outcome);
}

function resultOf<Result>(outcome: PromiseSettledResult<Result>): Result {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
