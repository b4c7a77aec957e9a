/**
 * `npm run bench:scale`: transfers in by one, two and four processes with the role `api` on one database, beside one
 * process for the read models and all that happens later.
 */
import { parseArgs } from 'node:util';
import { shoot } from './load.ts';
import { processorTime, residentMiB } from './processes.ts';
import { transfers, version } from './requests.ts';
import { type Launched, openStand } from './stand.ts';
import { buildTown } from './town.ts';

const { values: given } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, connections: { type: 'string', default: '32' } },
});
const [seconds, connections] = [Number(given.seconds), Number(given.connections)];
const warmUpSeconds = 4;
const townSize = 100;

const say = (...cells: readonly string[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
};

async function measure(count: number): Promise<void> {
  const stand = await openStand();
  try {
    const url = await stand.database('daybook');
    const others = await stand.launchService(url, { DAYBOOK_ROLES: 'projector,worker' });
    const apis: Launched[] = [];
    for (let n = 0; n < count; n++) apis.push(await stand.launchService(url, { DAYBOOK_ROLES: 'api' }));
    const [first] = apis;
    const town = await buildTown(`${first?.origin}${version}`, townSize);
    const next = transfers(`${version}/transfer-in`, town);
    const each = connections / count;
    const load = (lasting: number) =>
      Promise.all(apis.map(({ origin }) => shoot({ origin, connections: each, seconds: lasting, next })));
    await load(warmUpSeconds);
    const pids = [others, ...apis].map(({ process }) => process.pid);
    const before = processorTime(...pids);
    const hits = await load(seconds);
    const after = processorTime(...pids);
    const answered = hits.reduce((sum, hit) => sum + hit.answered, 0);
    const share = (ms: number) => (ms / answered).toFixed(2);
    const p99 = Math.max(...hits.map((hit) => hit.p99));
    const resident = apis.map(({ process }) => residentMiB(process.pid).toFixed(0)).join(', ');
    const cost = [share(after.node - before.node), share(after.postgres - before.postgres)];
    say(String(count), (answered / seconds).toFixed(0), String(p99), ...cost, resident);
  } finally {
    await stand.close();
  }
}

say('api processes', '/s', 'p99 ms', 'Node ms, all processes', 'Postgres ms', 'MiB of each');
say('---', '---', '---', '---', '---', '---');
for (const count of [1, 2, 4]) await measure(count);
