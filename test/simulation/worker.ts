/** Lives the lives of some seeds and tells of each. */
import { parentPort, workerData } from 'node:worker_threads';
import { tryOut, type Violation } from './invariants/invariants.ts';
import { firstSteps } from './life.ts';
import { timesIn } from './reached.ts';

export type Work = {
  readonly seeds: readonly number[];
  readonly steps: number;
  /** Of whole installations. */
  readonly log: string;
  readonly outside: string;
  /** In milliseconds since 1970; no life begins after it. */
  readonly until: number;
};

export type Lived = {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** Each with how often. */
  readonly reached: ReadonlyMap<string, number>;
};

const { seeds, steps, until } = workerData as Work;

for (const seed of seeds) {
  if (Date.now() >= until) break;
  const { violations, evidence } = await tryOut({ seed, steps: firstSteps(steps) });
  const reached = evidence ? timesIn(evidence) : new Map<string, number>();
  const lived: Lived = { seed, violations, reached };
  parentPort?.postMessage(lived);
}
