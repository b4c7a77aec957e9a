/** Runs `work` at the first call; every call comes to what that one comes to. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
