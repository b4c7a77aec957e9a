/** Each planted mistake is found, and a life that finds one is made short. */
import { describe, expect, it } from 'vitest';
import { type BugName, bugs } from './bugs.ts';
import { livesOfCommands, type Violation, violationsOf } from './invariants/invariants.ts';
import { firstSteps, type Script } from './life.ts';
import { asTest, shrink } from './shrink.ts';

const steps = firstSteps(150);
/** More are not needed for any of them. */
const seedsMax = 10;
const names = Object.keys(bugs) as readonly BugName[];

async function firstFound(bug: BugName): Promise<{ seed: number; violation: Violation } | undefined> {
  for (let seed = 0; seed < seedsMax; seed++) {
    const [violation] = await violationsOf({ seed, steps, bug });
    if (violation) return { seed, violation };
  }
  return undefined;
}

describe('the simulation', () => {
  it.each(names)('finds it where %s', async (bug) => {
    expect(await firstFound(bug)).toBeDefined();
  });

  it('makes the life that finds one short, and writes it down as a test', async () => {
    const bug = 'a refund is applied twice';
    const found = await firstFound(bug);
    const { rule = '' } = found?.violation ?? {};
    const from: Script = { seed: found?.seed ?? 0, steps, bug };
    const script = await shrink(from, rule, livesOfCommands);
    expect(script.steps.length).toBeLessThan(15);
    expect((await violationsOf(script)).map((violation) => violation.rule)).toContain(rule);
    expect(await violationsOf({ seed: script.seed, steps: script.steps })).toEqual([]);
    expect(asTest(script, rule)).toContain(`steps: [${script.steps.join(', ')}]`);
  });
});
