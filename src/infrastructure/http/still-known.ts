/** Callers may take their time: credentials may have ended since they were looked at. */

/** So long a caller is known anyway. */
const knownForMs = 500;

/** Looks again where the first look, from which this comes, was too long ago. Throws as that does. */
export type StillKnown = () => Promise<void>;

export function stillKnown(identify: () => Promise<unknown>): StillKnown {
  const lookedMs = performance.now();
  return async () => {
    if (performance.now() - lookedMs > knownForMs) await identify();
  };
}
