/** Makes a life that breaks a rule as short as it can be while it still breaks it, and writes it down as a test. */
import { allFaults, type Fault } from './faults.ts';
import { violationsOf } from './invariants/invariants.ts';
import type { Script } from './life.ts';

/** More lives than this are not lived for one that failed. */
const livesMax = 300;

export async function shrink(script: Script, rule: string): Promise<Script> {
  let lives = 0;
  const breaks = async (candidate: Script): Promise<boolean> => {
    lives += 1;
    return (await violationsOf(candidate)).some((violation) => violation.rule === rule);
  };
  let best = script;
  // Ever smaller parts are left out: halves first, single steps at last.
  for (
    let part = Math.ceil(best.steps.length / 2);
    part >= 1 && lives < livesMax;
    part = Math.floor(part / 2)
  ) {
    for (let from = best.steps.length - part; from > -part && lives < livesMax; from -= part) {
      const steps = best.steps.filter((_, n) => n < from || n >= from + part);
      const candidate = { ...best, steps };
      if (await breaks(candidate)) best = candidate;
    }
  }
  for (const fault of allFaults) {
    const without: readonly Fault[] = [...(best.without ?? []), fault];
    const candidate = { ...best, without };
    if (await breaks(candidate)) best = candidate;
  }
  return best;
}

/** A test that fails as the life does. */
export function asTest({ seed, steps, without = [], bug }: Script, rule: string): string {
  const options = [
    `seed: ${seed}`,
    `steps: [${steps.join(', ')}]`,
    ...(without.length > 0 ? [`without: [${without.map((fault) => `'${fault}'`).join(', ')}]`] : []),
    ...(bug ? [`bug: ${JSON.stringify(bug)}`] : []),
  ];
  return [
    `it(${JSON.stringify(rule)}, async () => {`,
    `  const script: Script = { ${options.join(', ')} };`,
    '  expect(await violationsOf(script)).toEqual([]);',
    '});',
  ].join('\n');
}
