/** Makes a life that breaks a rule as short as it can be while it still breaks it, and writes it down as a test. */
import type { Violation } from './invariants/invariants.ts';

/** What a life follows from, whichever simulation it is lived in. */
export type AnyScript = {
  readonly seed: number;
  readonly steps: readonly number[];
  readonly without?: readonly string[];
  readonly bug?: string;
  /** Where the log is, where that makes a difference. */
  readonly log?: string;
  /** Where those are who are asked outside of an installation. */
  readonly outside?: string;
};

export type Lives<Script extends AnyScript> = {
  readonly violationsOf: (script: Script) => Promise<readonly Violation[]>;
  readonly faults: readonly string[];
  /** More than this are not lived for one that failed. */
  readonly livesMax: number;
};

export async function shrink<Script extends AnyScript>(
  script: Script,
  rule: string,
  { violationsOf, faults, livesMax }: Lives<Script>,
): Promise<Script> {
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
  for (const fault of faults) {
    const candidate = { ...best, without: [...(best.without ?? []), fault] };
    if (await breaks(candidate)) best = candidate;
  }
  return best;
}

/** A test that fails as the life does. */
export function asTest({ seed, steps, without = [], bug, log, outside }: AnyScript, rule: string): string {
  const options = [
    `seed: ${seed}`,
    `steps: [${steps.join(', ')}]`,
    ...(without.length > 0 ? [`without: [${without.map((fault) => `'${fault}'`).join(', ')}]`] : []),
    ...(bug ? [`bug: ${JSON.stringify(bug)}`] : []),
    ...(log ? [`log: '${log}'`] : []),
    ...(outside ? [`outside: '${outside}'`] : []),
  ];
  return [
    `it(${JSON.stringify(rule)}, async () => {`,
    `  const script: Script = { ${options.join(', ')} };`,
    '  expect(await violationsOf(script)).toEqual([]);',
    '});',
  ].join('\n');
}
