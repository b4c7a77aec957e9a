/**
 * `npm run bench:neighbours`: what a platform with one connection waits beside one with many. Both are measured alone, then
 * together, in turns.
 */
import { parseArgs } from 'node:util';
import { median } from './contest.ts';
import { type Hit, shoot } from './load.ts';
import { transfers, version } from './requests.ts';
import { openStand } from './stand.ts';
import { authorizationOf, buildTown, clientId } from './town.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '200' },
    turns: { type: 'string', default: '3' },
  },
});
const [seconds, connections, turns] = [given.seconds, given.connections, given.turns].map(Number) as [
  number,
  number,
  number,
];
const warmUp = { connections: 32, seconds: 8 };
const townSize = 50;
const neighbourId = 'neighbour';
/** So long nothing is asked for between two measurements: what they led to comes to its end. */
const restMs = 3_000;

const say = (...cells: readonly string[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
};
const rest = () => new Promise((resolve) => setTimeout(resolve, restMs));

const stand = await openStand();
try {
  const url = await stand.database('daybook');
  // A platform is there once a process has started with its credentials.
  const first = await stand.launchService(url, { DAYBOOK_BOOTSTRAP_CLIENT_ID: neighbourId });
  await first.process.stop();
  const { origin } = await stand.launchService(url);
  const loadOf = async (id: string, count: number) => {
    const town = await buildTown(`${origin}${version}`, townSize, authorizationOf(id));
    const load = { origin, connections: count, seconds, next: transfers(`${version}/transfer-in`, town) };
    await shoot({ ...load, ...warmUp });
    return load;
  };
  const many = await loadOf(clientId, connections);
  const one = await loadOf(neighbourId, 1);
  const figures = new Map<string, Hit[]>();
  const note = (name: string, hit: Hit) => figures.set(name, [...(figures.get(name) ?? []), hit]);
  for (let turn = 0; turn < turns; turn++) {
    await rest();
    note('one connection, alone', await shoot(one));
    await rest();
    note(`${connections} connections, alone`, await shoot(many));
    await rest();
    const [ofOne, ofMany] = await Promise.all([shoot(one), shoot(many)]);
    note(`one connection, beside ${connections} of another platform`, ofOne);
    note(`${connections} connections, beside one of another platform`, ofMany);
  }
  say('', '/s', 'p50 ms', 'p99 ms', 'not 2xx');
  say(...Array(5).fill('---'));
  for (const [name, hits] of figures) {
    const of = (figure: (hit: Hit) => number, digits = 0) => median(hits.map(figure)).toFixed(digits);
    say(
      name,
      of(({ perSecond }) => perSecond, 1),
      of(({ p50 }) => p50),
      of(({ p99 }) => p99),
      of(({ refused }) => refused),
    );
  }
} finally {
  await stand.close();
}
