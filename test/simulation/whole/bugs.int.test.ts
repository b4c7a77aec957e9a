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

/**
 * A life that found the mistake when this was written: it is lived first, and has no other meaning. What is changed anywhere
 * makes other lives, and takes longer until these are looked for anew.
 */
const foundIn: Partial<Record<BugName, Life>> = {
  "a client's retry has another key": [1, 8],
  'a key means something new each time': [9, 8],
  'a key is kept with its answer, and not before': [3, 14],
  'a key is refused while who had it before is at work': [17, 48],
  'a webhook does not wait for the one before it': [4, 8],
  'who follows the log passes over what was committed late': [1, 14],
  'the log takes what a request records after others have stopped counting on it': [8, 48],
  'a page begins with the last row of the one before': [6, 32],
  'of several persons one is taken for erased': [3, 8],
  'a session of the console goes on after its end': [6, 32],
  'a content is taken away that its document has': [0, 22],
  'a file of the bank is gone before it is read': [1, 32],
  'a mail is sent before the log is known to have its code': [11, 22],
  'a key stays that came after the snapshot': [3, 14],
  'timers of what a way back has taken go on': [3, 14],
  'what a document has given up stays': [8, 48],
  'an ending that the rail tells is answered, and not recorded': [9, 14],
  'a mail whose server says nothing is taken for sent': [4, 8],
  'a verdict is taken whoever has signed it': [2, 14],
  'a rail whose answer breaks off is taken to have refused': [0, 22],
  'an ending is taken whoever has signed it': [5, 8],
};

/** Most mistakes show in the first steps of one of a few lives. */
function* livesFor(bug: BugName): Generator<Life> {
  const known = foundIn[bug];
  if (known) yield known;
  for (const seed of firstSteps(6)) yield [seed, 8];
  for (const seed of firstSteps(seedsMax)) yield [seed, 80];
}

async function firstFound(bug: BugName): Promise<Violation | undefined> {
  for (const [seed, steps] of livesFor(bug)) {
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
