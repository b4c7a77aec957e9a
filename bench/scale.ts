/**
 * `npm run bench:scale`: transfers in by one, two and four processes with the role `api` on one database, beside one
 * process for the read models and all that happens later. Once with as many connections in all, and once with as many for
 * each process; and by one process with so few as each of four has. Each process has answered as many requests before.
 */
import { parseArgs } from 'node:util';
import { shoot } from './load.ts';
import { processorTime, residentMiB } from './processes.ts';
import { transfers, version } from './requests.ts';
import { type Launched, openStand } from './stand.ts';
import { type Calls, callsOf } from './statements.ts';
import { buildTown } from './town.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    warm: { type: 'string', default: '2500' },
  },
});
const [seconds, connections, warm] = [given.seconds, given.connections, given.warm].map(Number) as [
  number,
  number,
  number,
];
const warmUpSeconds = 4;
const townSize = 100;

const say = (...cells: readonly string[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
};

/** Payments of each process, with so many connections to each, and what one cost. Returns its statements by kind. */
async function measure(count: number, each: number): Promise<Calls> {
  const stand = await openStand();
  try {
    const name = 'daybook';
    const url = await stand.database(name);
    const others = await stand.launchService(url, { DAYBOOK_ROLES: 'projector,worker' });
    const apis: Launched[] = [];
    for (let n = 0; n < count; n++) apis.push(await stand.launchService(url, { DAYBOOK_ROLES: 'api' }));
    const [first] = apis;
    const town = await buildTown(`${first?.origin}${version}`, townSize);
    const next = transfers(`${version}/transfer-in`, town);
    const load = (lasting: number) =>
      Promise.all(apis.map(({ origin }) => shoot({ origin, connections: each, seconds: lasting, next })));
    // Code that has run little is slow: to have each process warm for as long would make many of them look worse.
    const answeredBy = apis.map(() => 0);
    while (Math.min(...answeredBy) < warm)
      for (const [n, { answered }] of (await load(warmUpSeconds)).entries())
        answeredBy[n] = (answeredBy[n] ?? 0) + answered;

    const used = async () => ({
      apis: processorTime(...apis.map(({ process }) => process.pid)).node,
      ...processorTime(others.process.pid),
      ...(await stand.counted(name)),
      calls: callsOf(await stand.statements(name)),
    });
    const before = await used();
    const hits = await load(seconds);
    const after = await used();
    const answered = hits.reduce((sum, hit) => sum + hit.answered, 0);
    const share = (of: 'apis' | 'node' | 'postgres' | 'statements' | 'commits') =>
      (after[of] - before[of]) / answered;
    const p99 = Math.max(...hits.map((hit) => hit.p99));
    const resident = [...apis, others].map(({ process }) => residentMiB(process.pid).toFixed(0));
    say(
      ...[`${count}`, `${each}`, (answered / seconds).toFixed(0), `${p99}`],
      ...[share('apis') + share('node'), share('apis'), share('node'), share('postgres')].map((ms) =>
        ms.toFixed(2),
      ),
      ...[share('statements'), share('commits')].map((number) => number.toFixed(2)),
      resident.join(', '),
    );
    return new Map(
      [...after.calls].map(([kind, n]) => [kind, (n - (before.calls.get(kind) ?? 0)) / answered]),
    );
  } finally {
    await stand.close();
  }
}

const head = [
  ...[
    'api processes',
    'connections to each',
    '/s',
    'p99 ms',
    'Node ms, all processes',
    'of which api',
    'and the other',
  ],
  ...['Postgres ms', 'statements', 'commits', 'MiB of each'],
];
say(...head);
say(...head.map(() => '---'));
const runs = [
  ...[1, 2, 4].map((count) => [count, connections / count] as const),
  ...[2, 4].map((count) => [count, connections] as const),
  [1, connections / 4] as const,
];
const calls: Calls[] = [];
for (const [count, each] of runs) calls.push(await measure(count, each));
process.stdout.write('\nStatements for each payment:\n\n');
say('', ...runs.map(([count, each]) => `${count} × ${each}`));
say(...['', ...runs].map(() => '---'));
for (const kind of calls[0]?.keys() ?? []) say(kind, ...calls.map((one) => (one.get(kind) ?? 0).toFixed(2)));
