/** What happens again and again while something is away, or attacked, is told once in this time. */
const toldEveryMs = 10_000;

/** Whether it is time to tell of it, which counts as told then. `now` is in milliseconds, of a clock that goes nowhere back. */
export function seldom(now = () => performance.now()): () => boolean {
  let toldAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at - toldAt < toldEveryMs) return false;
    toldAt = at;
    return true;
  };
}
