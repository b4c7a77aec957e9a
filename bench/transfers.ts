/**
 * `npm run bench`: what a payment costs, beside Express alone and beside the least that it can cost (`limit.ts`), on one
 * Postgres and in one run. Each is warmed up, then measured in turns; then requests come faster than they are answered;
 * then pages are asked for where there are many more rows.
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Contestant, type Measured, measure, median, tableOf } from './contest.ts';
import { shoot } from './load.ts';
import { logCalls, tableOfCalls } from './log-calls.ts';
import { residentMiB } from './processes.ts';
import { execution, pages, pagesOfCustomers, quotes, transfers, version } from './requests.ts';
import { openStand } from './stand.ts';
import { authorization, buildTown } from './town.ts';
import { waits, within99 } from './waits.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    turns: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000000' },
    log: { type: 'string', default: 'postgres' },
    json: { type: 'string' },
  },
});
const [seconds, connections, turns, rows] = [given.seconds, given.connections, given.turns, given.rows].map(
  Number,
) as [number, number, number, number];
const warmUpSeconds = 12;
const townSize = 100;
const pageSize = 20;
const settleMaxMs = 120_000;
/** Of the rate that was measured. */
const steadyShare = 0.8;
const overload = 3;
const overloadConnections = 512;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

if (given.log !== 'postgres' && given.log !== 'eventstoredb')
  throw new Error('--log is postgres or eventstoredb');
const stand = await openStand();

/** The server of the log that EVENTSTORE_URL names, or one that stands in for it. */
async function logServer(): Promise<Readonly<Record<string, string>>> {
  const { EVENTSTORE_URL: named } = process.env;
  // Streams of an earlier run are not in the way.
  const streams = { DAYBOOK_STREAM_PREFIX: `bench_${Date.now()}` };
  if (named !== undefined) {
    say('log in the EventStoreDB of EVENTSTORE_URL');
    return { EVENTSTORE_URL: named, ...streams };
  }
  const { origin } = await stand.launch('bench/log-server.ts', {});
  say(
    'log in a process that stands in for EventStoreDB: rates say nothing of a server, counts and Node ms do',
  );
  return { EVENTSTORE_URL: `esdb://${new URL(origin).host}?tls=false`, ...streams };
}

type Databases = Readonly<Record<'limits' | 'daybook' | 'unchained' | 'unlogged', string>>;

/** Everything that is measured, started and ready. */
async function contestants(
  { limits, daybook, unchained, unlogged }: Databases,
  log: Readonly<Record<string, string>>,
): Promise<readonly Contestant[]> {
  const anybody = {
    authorization,
    accounts: [{ customer: 'Customer:1', internal: 'InternalAccount:1', external: 'ExternalAccount:1' }],
  };
  const echo = await stand.launch('bench/echo.ts', {});
  const limit = await stand.launch('bench/limit.ts', { DATABASE_URL: limits });
  const service = await stand.launchService(daybook, log);
  const base = `${service.origin}${version}`;
  const town = await buildTown(base, townSize);
  const bare = await stand.launchService(unchained, {}, [], 'bench/unchained.ts');
  const bareBase = `${bare.origin}${version}`;
  const bareTown = await buildTown(bareBase, townSize);
  const silent = await stand.launchService(unlogged, { DAYBOOK_REQUEST_LOG_DAYS: '0' });
  const silentBase = `${silent.origin}${version}`;
  const silentTown = await buildTown(silentBase, townSize);
  const one = { ...town, accounts: town.accounts.slice(0, 1) };
  const ofLimit = { ...limit, counted: () => stand.counted('limits') };
  const ours = { ...service, counted: () => stand.counted('daybook'), settled: () => untilSettled(base) };
  const transferIn = 'limit, transfer in';
  const page = 'limit, page';
  return [
    { name: 'Express alone', ...echo, next: transfers('/transfer-in', anybody), against: transferIn },
    { name: transferIn, ...ofLimit, next: transfers('/transfer-in', town) },
    { name: 'transfer in', ...ours, next: transfers(`${version}/transfer-in`, town), against: transferIn },
    {
      name: 'transfer in, without chain and tree',
      ...bare,
      counted: () => stand.counted('unchained'),
      settled: () => untilSettled(bareBase),
      next: transfers(`${version}/transfer-in`, bareTown),
      against: transferIn,
    },
    {
      name: 'transfer in, without the request log',
      ...silent,
      counted: () => stand.counted('unlogged'),
      settled: () => untilSettled(silentBase),
      next: transfers(`${version}/transfer-in`, silentTown),
      against: transferIn,
    },
    {
      name: 'transfer in, to one account',
      ...ours,
      next: transfers(`${version}/transfer-in`, one),
      against: transferIn,
    },
    { name: 'quote and execute', ...ours, next: quotes(town), follow: execution, against: transferIn },
    { name: page, ...ofLimit, next: pages('/transactions', pageSize) },
    { name: 'page', ...ours, next: pages(`${version}/transactions`, pageSize), against: page },
    {
      name: 'page of a customer',
      ...ours,
      next: pagesOfCustomers(`${version}/transactions`, pageSize, town),
      against: page,
    },
  ];
}

/** Until nothing is under way: quotes that nobody executes are not. */
async function untilSettled(base: string): Promise<void> {
  const isUnderWay = async (which: string): Promise<boolean> => {
    const response = await fetch(`${base}/transactions?limit=1&${which}`, {
      headers: { authorization },
    });
    const { totalCount } = (await response.json()) as { totalCount?: number };
    return totalCount !== 0;
  };
  const until = performance.now() + settleMaxMs;
  while ((await isUnderWay('status=PENDING&type=INCOMING')) || (await isUnderWay('status=PROCESSING'))) {
    if (performance.now() > until) throw new Error('payments have not come to their end');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function inTurns(all: readonly Contestant[]): Promise<Map<Contestant, Measured[]>> {
  for (const one of all) {
    await shoot({ ...one, connections, seconds: warmUpSeconds });
    await one.settled?.();
  }
  const results = new Map<Contestant, Measured[]>(all.map((one) => [one, []]));
  for (let turn = 0; turn < turns; turn++)
    for (const one of all) results.get(one)?.push(await measure(one, connections, seconds));
  return results;
}

/** As many rows more as a service has after years: copies of one, all older than those that are there. */
async function fill(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: columns } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = $1 and table_name = 'transactions'`,
    [schema],
  );
  const values = columns.map(({ name }) => {
    if (name === 'id') return `'Transaction:' || gen_random_uuid()`;
    return name === 'created_at' ? `created_at - n * interval '1 second'` : name;
  });
  await client.query(
    `insert into ${schema}.transactions (${columns.map(({ name }) => name).join(', ')})
     select ${values.join(', ')}
     from (select * from ${schema}.transactions order by created_at limit 1) as t, generate_series(1, $1::int) as n`,
    [rows],
  );
  await client.query(`vacuum analyze ${schema}.transactions`);
  await client.end();
}

try {
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  say(`${machine}, Node ${process.version}, Postgres 18, fsync on, log level info`);
  say(`${connections} connections, ${turns} turns of ${seconds} s after ${warmUpSeconds} s each to warm up`);
  say(`${townSize} accounts in turn; amounts and keys count up; pages of ${pageSize}`);
  const [limits, daybook] = [await stand.database('limits'), await stand.database('daybook')];
  const [unchained, unlogged] = [await stand.database('unchained'), await stand.database('unlogged')];
  const databases = { limits, daybook, unchained, unlogged };
  const all = await contestants(databases, given.log === 'postgres' ? {} : await logServer());
  const results = await inTurns(all);
  say(`\n${tableOf(results)}`);
  if (given.log === 'eventstoredb') {
    const counted = [];
    for (const one of all.filter(({ settled }) => settled)) {
      const from = await logCalls(one.origin);
      const { answered } = await measure(one, connections, seconds);
      counted.push({ name: one.name, answered, from, to: await logCalls(one.origin) });
    }
    say(`\n${tableOfCalls(counted)}`);
  }
  const service = all.find(({ name }) => name === 'transfer in');
  if (!service) throw new Error('nothing to measure');
  const resident = () => `${residentMiB(service.process.pid).toFixed(0)} MiB resident`;
  say(`\nThe service's process: ${resident()}`);

  const usual = median(results.get(service)?.map(({ perSecond }) => perSecond) ?? []);
  const steady = {
    ...service,
    name: 'transfer in, at 0.8 of its rate',
    rate: Math.round(usual * steadyShare),
  };
  const before = await waits(service.origin);
  const steadily = await measure(steady, connections, seconds);
  const queryable = within99(before, await waits(service.origin));
  say(`\n${tableOf(new Map([[steady, [steadily]]]))}`);
  say(`From append to queryable at that rate: 99 % within ${queryable} ms`);
  const rate = Math.round(usual * overload);
  const over = { ...service, name: `transfer in, ${rate} a second asked for`, rate };
  const overloaded = await measure(over, overloadConnections, seconds);
  say(`\nAsked for ${overload} times that rate: ${resident()} afterwards`);
  say(tableOf(new Map([[over, [overloaded]]])));

  const filled = new Map<Contestant, Measured[]>();
  if (rows > 0) {
    await fill(limits, 'public');
    await fill(daybook, 'daybook');
    for (const one of all.filter(({ name }) => name.includes('page'))) {
      await shoot({ ...one, connections, seconds: warmUpSeconds });
      filled.set(one, [await measure(one, connections, seconds)]);
    }
    say(`\nPages with ${rows} rows more:\n${tableOf(filled)}`);
  }
  const named = (some: ReadonlyMap<Contestant, readonly Measured[]>) =>
    Object.fromEntries([...some].map(([{ name }, measured]) => [name, measured]));
  const figures = {
    machine,
    ...given,
    results: named(results),
    steadily,
    queryable,
    overloaded,
    filled: named(filled),
  };
  if (given.json) await writeFile(given.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await stand.close();
}
