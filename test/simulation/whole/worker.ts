/** Lives the lives of some seeds on a server of its own and tells of each. */
import { parentPort, workerData } from 'node:worker_threads';
import { firstSteps } from '../life.ts';
import { timesIn } from '../reached.ts';
import type { Lived, Work } from '../worker.ts';
import type { Script } from './life.ts';
import { startServer } from './ports/database/postgres.ts';
import { endsIn, tryOut } from './rules/rules.ts';

const { seeds, steps, until, log, outside } = workerData as Work & Required<Pick<Script, 'log' | 'outside'>>;
const server = await startServer();
// Date is that of a life while one is lived.
const left = performance.now() + until - Date.now();

for (const seed of seeds) {
  if (performance.now() >= left) break;
  const { violations, evidence } = await tryOut(server, { seed, steps: firstSteps(steps), log, outside });
  const reached = evidence ? timesIn({ ...evidence, ended: endsIn(evidence) }) : new Map<string, number>();
  const lived: Lived = { seed, violations, reached };
  parentPort?.postMessage(lived);
}
await server.stop();
