/** Each mistake that is planted around a process is found, and a life that finds one is made short. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyLivesMs } from '../../support/time/patience.ts';
import type { Violation } from '../invariants/invariants.ts';
import { firstSteps } from '../life.ts';
import { asTest, shrink } from '../shrink.ts';
import { type BugName, bugs } from './bugs.ts';
import { allFaults } from './faults.ts';
import type { Script } from './life.ts';
import { type Server, startServer } from './ports/database/postgres.ts';
import { tryOut } from './rules/rules.ts';

/** What is changed anywhere makes other lives of all seeds. */
const seedsMax = 60;
const names = Object.keys(bugs) as readonly BugName[];

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Where a life has what the mistake is planted in. */
const placeOf = (bug: BugName): Pick<Script, 'log' | 'outside'> => ({
  log: 'logClient' in bugs[bug] ? 'eventstoredb' : 'postgres',
  outside: ['screening', 'mailer', 'rail'].some((connector) => connector in bugs[bug]) ? 'network' : 'ports',
});

/** A life: its seed, and how many of its steps are taken. */
type Life = readonly [seed: number, steps: number];

/** Most mistakes show in the first steps of one of a few lives, and in fewer of those that are longer. */
function* lives(): Generator<Life> {
  for (const [seeds, steps] of [
    [6, 8],
    [6, 16],
    [8, 32],
    [seedsMax, 80],
  ] as const)
    for (const seed of firstSteps(seeds)) yield [seed, steps];
}

async function firstFound(bug: BugName): Promise<Violation | undefined> {
  for (const [seed, steps] of lives()) {
    const { violations } = await tryOut(server, { seed, steps: firstSteps(steps), bug, ...placeOf(bug) });
    const [violation] = violations;
    if (violation) return violation;
  }
  return undefined;
}

describe('the simulation of installations', () => {
  it.each(names)('finds it where %s', { timeout: manyLivesMs }, async (bug) => {
    const found = await firstFound(bug);
    expect(found).toBeDefined();
    // What Postgres cannot read is no mistake that a service could have.
    expect(found?.why).not.toContain('syntax error');
  });

  it('makes the life that finds one short, and writes it down as a test', async () => {
    const bug = 'a payment is found by its id alone';
    const rule = 'nobody sees what is of another platform';
    const violationsOf = async (script: Script) => (await tryOut(server, script)).violations;
    const breaks = async (script: Script) =>
      (await violationsOf(script)).some((violation) => violation.rule === rule);
    const lives = { violationsOf, faults: allFaults.slice(0, 3), livesMax: 24 };
    let long: Script | undefined;
    for (let seed = 0; seed < seedsMax && !long; seed++) {
      const one: Script = { seed, steps: firstSteps(16), bug };
      if (await breaks(one)) long = one;
    }
    if (!long) throw new Error('no life finds it');
    const script = await shrink(long, rule, lives);
    expect(script.steps.length).toBeLessThan(12);
    expect(await breaks(script)).toBe(true);
    expect(asTest(script, rule)).toContain(`steps: [${script.steps.join(', ')}]`);
  });
});
