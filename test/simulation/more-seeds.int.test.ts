/** The lives after those of the unit tests, beside what waits for servers. */
import { expect, it } from 'vitest';
import { tryOut } from './invariants/invariants.ts';
import { firstSteps } from './life.ts';

const steps = firstSteps(150);
const seeds = Array.from({ length: 160 }, (_, n) => 40 + n);

it.each(seeds)('keeps every rule, whatever happens (SEED=%i)', async (seed) => {
  expect((await tryOut({ seed, steps })).violations).toEqual([]);
});
