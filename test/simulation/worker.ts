/** Lives the lives of some seeds and tells of each. */
import { parentPort, workerData } from 'node:worker_threads';
import { tryOut, type Violation } from './invariants/invariants.ts';
import { firstSteps } from './life.ts';
import { reachedIn } from './reached.ts';

export type Work = {
  readonly seeds: readonly number[];
  readonly steps: number;
  /** In milliseconds since 1970; no life begins after it. */
  readonly until: number;
};

export type Lived = {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly reached: readonly string[];
};

const { seeds, steps, until } = workerData as Work;

for (const seed of seeds) {
  if (Date.now() >= until) break;
  const { violations, evidence } = await tryOut({ seed, steps: firstSteps(steps) });
  const reached = evidence ? [...new Set(reachedIn(evidence))] : [];
  const lived: Lived = { seed, violations, reached };
  parentPort?.postMessage(lived);
}
