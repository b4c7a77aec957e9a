/** Whole installations live many lives in which everything fails that can; no rule is broken in any of them. */
import { expect, it } from 'vitest';
import { firstSteps } from '../life.ts';
import { allFaults, usualFaults } from './faults.ts';
import { keepRulesIn } from './lives/long.ts';
import { tryOut } from './rules/rules.ts';

const server = keepRulesIn({ log: 'postgres', usual: 4, livesMax: 24, faults: usualFaults, twice: [4] });

it('the seed of an installation gives a life without any fault, too', async () => {
  const { violations, evidence } = await tryOut(server(), {
    seed: 7,
    steps: firstSteps(40),
    without: allFaults,
  });
  expect(violations).toEqual([]);
  expect(evidence?.struck.size).toBe(0);
});
