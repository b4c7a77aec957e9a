/** Runs `work` once at a time; calls that come meanwhile share one more run after it. */
export function coalesced<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let following: Promise<Result> | undefined;
  const run = async (): Promise<Result> => {
    if (running) {
      following ??= running
        .catch(() => undefined)
        .then(() => {
          following = undefined;
          return run();
        });
      return following;
    }
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return run;
}
