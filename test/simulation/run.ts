/** `npm run sim`: lives many lives on all cores, tells what broke, and what was never come across. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { keepTemporaryInMemory } from '../support/processes/temporary.ts';
import { livesOfCommands } from './invariants/invariants.ts';
import { firstSteps } from './life.ts';
import { reachable } from './reached.ts';
import { type AnyScript, asTest, shrink } from './shrink.ts';
import { type Outside, outsides } from './whole/ports/elsewhere/outside.ts';
import { type LogName, logNames } from './whole/ports/log/place.ts';
import { faultsOfInstallations, shrinkInstallation } from './whole/shorter.ts';
import type { Lived, Work } from './worker.ts';

keepTemporaryInMemory();

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '5' },
    from: { type: 'string', default: '0' },
    steps: { type: 'string', default: '150' },
    whole: { type: 'boolean', default: false },
    log: { type: 'string', default: 'postgres' },
    outside: { type: 'string', default: 'ports' },
    workers: { type: 'string' },
  },
});
if (!logNames.includes(values.log as LogName)) throw new Error(`--log is one of ${logNames.join(', ')}`);
if (!outsides.includes(values.outside as Outside))
  throw new Error(`--outside is one of ${outsides.join(', ')}`);
/** Where it is said, and not the same as where it is not. */
const where = {
  ...(values.log !== 'postgres' && { log: values.log }),
  ...(values.outside !== 'ports' && { outside: values.outside }),
};
const [count, minutes, from, steps] = [values.seeds, values.minutes, values.from, values.steps].map(
  Number,
) as [number, number, number, number];
/** Whole installations wait for Postgres half of the time. */
const usualWorkers = availableParallelism() * (values.whole ? 2 : 1);
const workers = Number(values.workers ?? usualWorkers);
const tellEveryMs = 10_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const began = performance.now();
const failed: Lived[] = [];
const reached = new Map<string, { times: number; lives: number }>();
let lived = 0;

function tell(): void {
  const perSecond = lived / ((performance.now() - began) / 1000);
  const rates = `${perSecond.toFixed(1)} seeds/s, ${(perSecond * steps).toFixed(0)} steps/s`;
  say(`${lived} of ${count} seeds, ${rates}, ${failed.length} failed, ${reached.size} things reached`);
}

function fail(one: Lived): void {
  failed.push(one);
  say(`seed ${one.seed} fails`);
  for (const { rule, why } of one.violations) say(`  ${rule}: ${why}`);
}

/** Every so many-th seed. */
function startWorker(n: number): Promise<void> {
  const seeds = firstSteps(count).flatMap((i) => (i % workers === n ? [from + i] : []));
  const workerData: Work = {
    seeds,
    steps,
    log: values.log,
    outside: values.outside,
    until: Date.now() + minutes * 60_000,
  };
  // Most of what a life makes is soon forgotten.
  const options = { workerData, resourceLimits: { maxYoungGenerationSizeMb: 64 } };
  const worker = values.whole
    ? new Worker(new URL('./whole/worker.ts', import.meta.url), options)
    : new Worker(new URL('./worker.ts', import.meta.url), options);
  worker.on('message', (one: Lived) => {
    lived += 1;
    for (const [what, n] of one.reached) {
      const { times, lives } = reached.get(what) ?? { times: 0, lives: 0 };
      reached.set(what, { times: times + n, lives: lives + 1 });
    }
    if (one.violations.length > 0) fail(one);
  });
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
}

const telling = setInterval(tell, tellEveryMs);
await Promise.all(Array.from({ length: workers }, (_, n) => startWorker(n)));
clearInterval(telling);
tell();

const byName = [...reached].toSorted(([one], [other]) => (one < other ? -1 : 1));
for (const [what, { times, lives }] of byName) say(`  ${what}: ${times} times in ${lives} lives`);
const wanted = values.whole ? reachable(faultsOfInstallations(where)) : reachable(livesOfCommands.faults);
const never = wanted.filter((what) => !reached.has(what));
say(`never reached: ${never.length === 0 ? 'nothing' : ''}`);
for (const what of never) say(`  ${what}`);

const [first] = failed;
const rule = first?.violations[0]?.rule;
if (first && rule !== undefined) {
  const script: AnyScript = { seed: first.seed, steps: firstSteps(steps), ...where };
  const shorter = values.whole
    ? await shrinkInstallation(script, rule)
    : await shrink({ seed: first.seed, steps: firstSteps(steps) }, rule, livesOfCommands);
  say('the first of them as a test:');
  say(asTest(shorter, rule));
  process.exitCode = 1;
}
