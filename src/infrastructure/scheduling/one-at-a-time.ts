/** Runs works one after the other: each once the one before it is over, whatever has come of that. */
export function oneAtATime() {
  let before: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = before.then(work);
    before = done.catch(() => undefined);
    return done;
  };
}
