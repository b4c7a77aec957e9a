/**
 * `npm run bench:soak -- [--minutes 10] [--share 0.5]`: transfers in at a share of the full rate for a long time, and
 * what the process has of the machine's memory all the while.
 */
import { parseArgs } from 'node:util';
import { shoot } from './load.ts';
import { processorTime, residentMiB } from './processes.ts';
import { transfers, version } from './requests.ts';
import { openStand } from './stand.ts';
import { buildTown } from './town.ts';

const { values: given } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, share: { type: 'string', default: '0.5' } },
});
const [minutes, share] = [Number(given.minutes), Number(given.share)];
const connections = 32;
const warmUpSeconds = 10;
/** So long after the ready line a process that is asked for nothing is at rest. */
const restMs = 5_000;

const say = (...cells: readonly (string | number)[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
};

const stand = await openStand();
try {
  const url = await stand.database('daybook');
  // The first start makes the tables, and what Node compiles it keeps for the next.
  await (await stand.launchService(url)).process.stop();
  const { process: service, origin } = await stand.launchService(url);
  const resident = () => residentMiB(service.pid).toFixed(0);
  const ready = resident();
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const atRest = resident();
  const town = await buildTown(`${origin}${version}`, 100);
  const load = { origin, connections, next: transfers(`${version}/transfer-in`, town) };
  const full = (await shoot({ ...load, seconds: warmUpSeconds })).perSecond;
  const rate = Math.round(full * share);
  say('minute', '/s', 'p50 ms', 'p99 ms', 'Node ms', 'Postgres ms', 'not 2xx', 'MiB');
  say(...Array.from({ length: 8 }, () => '---'));
  for (const [name, mib] of Object.entries({ ready, 'at rest': atRest }))
    say(name, '', '', '', '', '', '', mib);
  for (let minute = 1; minute <= minutes; minute++) {
    const before = processorTime(service.pid);
    const { perSecond, answered, p50, p99, refused } = await shoot({ ...load, rate, seconds: 60 });
    const after = processorTime(service.pid);
    const cost = [after.node - before.node, after.postgres - before.postgres];
    say(
      minute,
      perSecond.toFixed(0),
      p50,
      p99,
      ...cost.map((ms) => (ms / answered).toFixed(2)),
      refused,
      resident(),
    );
  }
} finally {
  await stand.close();
}
