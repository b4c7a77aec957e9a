import { env } from 'node:process';
import fc from 'fast-check';

/** The seed given in the environment, to run a failed test again. */
export const givenSeed = env.SEED === undefined ? undefined : Number(env.SEED);

/** Checks a property on `numRuns` random inputs; a failure prints its seed, which `SEED=…` brings back. */
export function holds<T>(property: fc.IProperty<T>, numRuns = 300): void {
  fc.assert(property, { numRuns, ...(givenSeed !== undefined && { seed: givenSeed }) });
}
