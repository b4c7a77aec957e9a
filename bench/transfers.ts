/**
 * `npm run bench`: what a transfer in costs, beside Express alone and beside the least that such a payment can cost
 * (`limit.ts`), on one Postgres and in one run. Each is warmed up, then measured in turns, three times by default.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { freePort, startEmbeddedPostgres } from '../src/infrastructure/postgres/embedded.ts';
import { type Hit, type Shot, shoot } from './load.ts';
import { processorTime, residentMiB, type Started, start } from './processes.ts';
import { authorization, buildTown, clientId, clientSecret, type Town } from './town.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    turns: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const [seconds, connections, turns] = [given.seconds, given.connections, given.turns].map(Number) as [
  number,
  number,
  number,
];
const warmUpSeconds = 5;
const townSize = 100;
const pageSize = 20;
const settleMaxMs = 120_000;

type Contestant = {
  readonly name: string;
  readonly process: Started;
  readonly origin: string;
  readonly next: () => Shot;
  /** Statements and commits of its database so far. */
  readonly counted?: () => Promise<Counted>;
  /** Resolves when all that was asked for has come to its end. */
  readonly settled?: () => Promise<void>;
};
type Counted = { readonly statements: number; readonly commits: number; readonly bytes: number };
type Measured = Hit & {
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly settledMs: number;
  readonly each?: Counted;
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), createLog('silent'), {
  shared_preload_libraries: 'pg_stat_statements',
});
const admin = new pg.Client({ connectionString: postgres.url });
await admin.connect();
await admin.query('create extension pg_stat_statements');

async function database(name: string): Promise<string> {
  await admin.query(`create database ${name}`);
  return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
}

const counting = (name: string) => async (): Promise<Counted> => {
  const { rows } = await admin.query<Record<keyof Counted, string>>(
    `select (select coalesce(sum(s.calls), 0) from pg_stat_statements s where s.dbid = d.oid and s.toplevel) as statements,
       (select coalesce(sum(s.wal_bytes), 0) from pg_stat_statements s where s.dbid = d.oid and s.toplevel) as bytes,
       pg_stat_get_db_xact_commit(d.oid) as commits
     from pg_database d where d.datname = $1`,
    [name],
  );
  const [row] = rows;
  return { statements: Number(row?.statements), commits: Number(row?.commits), bytes: Number(row?.bytes) };
};

let sent = 0;
/** A keyed transfer in, to the accounts of the town in turn. */
const transfers =
  (path: string, { accounts }: Town) =>
  (): Shot => {
    sent += 1;
    const { internal, external } = accounts[sent % accounts.length] as Town['accounts'][number];
    const amount = 100 + (sent % 1_000);
    return {
      method: 'POST',
      path,
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': `bench-${sent}` },
      body: JSON.stringify({ source: { accountId: external }, destination: { accountId: internal }, amount }),
    };
  };

const pages = (path: string) => (): Shot => ({
  method: 'GET',
  path: `${path}?limit=${pageSize}`,
  headers: { authorization },
});

async function launch(script: string, env: Readonly<Record<string, string>>): Promise<[Started, string]> {
  const port = String(await freePort());
  const started = await start(
    script,
    [port],
    { PORT: port, ...env },
    /^ready|is ready/,
    join(directory, `${basename(script)}.log`),
  );
  return [started, `http://127.0.0.1:${port}`];
}

/** Everything that is measured, started and ready. */
async function contestants(): Promise<readonly Contestant[]> {
  const anybody = { accounts: [{ internal: 'InternalAccount:1', external: 'ExternalAccount:1' }] };
  const [echo, echoOrigin] = await launch('bench/echo.ts', {});
  const [limit, limitOrigin] = await launch('bench/limit.ts', { DATABASE_URL: await database('limits') });
  const [service, origin] = await launch('src/main.ts', {
    DATABASE_URL: await database('daybook'),
    DAYBOOK_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    DAYBOOK_BOOTSTRAP_CLIENT_ID: clientId,
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: clientSecret,
    DAYBOOK_DATA_DIR: directory,
  });
  const version = '/2025-10-13';
  const town = await buildTown(`${origin}${version}`, townSize);
  const one = { accounts: town.accounts.slice(0, 1) };
  const settled = () => untilSettled(`${origin}${version}`);
  const ofLimit = { process: limit, origin: limitOrigin, counted: counting('limits') };
  const ours = { process: service, origin, counted: counting('daybook'), settled };
  return [
    { name: 'Express alone', process: echo, origin: echoOrigin, next: transfers('/transfer-in', anybody) },
    { name: 'limit, transfer in', ...ofLimit, next: transfers('/transfer-in', town) },
    { name: 'Daybook, transfer in', ...ours, next: transfers(`${version}/transfer-in`, town) },
    { name: 'Daybook, to one account', ...ours, next: transfers(`${version}/transfer-in`, one) },
    { name: 'limit, page', ...ofLimit, next: pages('/transactions') },
    { name: 'Daybook, page', ...ours, next: pages(`${version}/transactions`) },
  ];
}

/** Until every transaction is completed. */
async function untilSettled(base: string): Promise<void> {
  const count = async (filter: string): Promise<number> => {
    const response = await fetch(`${base}/transactions?limit=1${filter}`, { headers: { authorization } });
    const { totalCount } = (await response.json()) as { totalCount: number };
    return totalCount;
  };
  const until = performance.now() + settleMaxMs;
  while ((await count('')) > (await count('&status=COMPLETED'))) {
    if (performance.now() > until) throw new Error('payments have not come to their end');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function measure({ process, origin, next, counted, settled }: Contestant): Promise<Measured> {
  const [countedBefore, before] = [await counted?.(), processorTime(process.pid)];
  const hit = await shoot(origin, connections, seconds, next);
  const answered = performance.now();
  await settled?.();
  const settledMs = performance.now() - answered;
  const [after, countedAfter] = [processorTime(process.pid), await counted?.()];
  const share = (of: keyof Counted) =>
    ((countedAfter?.[of] ?? 0) - (countedBefore?.[of] ?? 0)) / hit.answered;
  return {
    ...hit,
    nodeMs: (after.node - before.node) / hit.answered,
    postgresMs: (after.postgres - before.postgres) / hit.answered,
    settledMs,
    ...(counted && {
      each: { statements: share('statements'), commits: share('commits'), bytes: share('bytes') },
    }),
  };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** The middle of each figure over the turns. */
function row(name: string, all: readonly Measured[], against: number): readonly string[] {
  const of = (figure: (one: Measured) => number | undefined, digits: number) => {
    const value = median(all.map((one) => figure(one) ?? Number.NaN));
    return Number.isNaN(value) ? '' : value.toFixed(digits);
  };
  return [
    name,
    of(({ perSecond }) => perSecond, 0),
    of(({ perSecond }) => perSecond / against, 2),
    of(({ p50 }) => p50, 0),
    of(({ p99 }) => p99, 0),
    of(({ nodeMs }) => nodeMs, 2),
    of(({ postgresMs }) => postgresMs, 2),
    of(({ each }) => each?.statements, 2),
    of(({ each }) => each?.commits, 2),
    of(({ each }) => each && each.bytes / 1024, 1),
    of(({ settledMs }) => settledMs, 0),
    of(({ refused }) => refused, 0),
  ];
}

const head = [
  ...['', '/s', 'of limit', 'p50 ms', 'p99 ms', 'Node ms', 'Postgres ms'],
  ...['statements', 'commits', 'WAL KiB', 'settled after ms', 'not 2xx'],
];
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const all: Contestant[] = [];
try {
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  say(`${machine}, Node ${process.version}, Postgres 18, fsync on, log level info`);
  say(`${connections} connections, ${turns} turns of ${seconds} s after ${warmUpSeconds} s each to warm up`);
  say(`${townSize} accounts in turn; amounts and keys count up; pages of ${pageSize}`);
  all.push(...(await contestants()));
  for (const { origin, next, settled } of all) {
    await shoot(origin, connections, warmUpSeconds, next);
    await settled?.();
  }
  const results = new Map<Contestant, Measured[]>(all.map((one) => [one, []]));
  for (let turn = 0; turn < turns; turn++) for (const one of all) results.get(one)?.push(await measure(one));
  const rateOf = (name: string) =>
    median(
      all
        .filter((one) => one.name === name)
        .flatMap((one) => results.get(one)?.map((r) => r.perSecond) ?? []),
    );
  say(`\n${line(head)}\n${line(head.map(() => '---'))}`);
  for (const [{ name }, measured] of results)
    say(line(row(name, measured, rateOf(name.endsWith('page') ? 'limit, page' : 'limit, transfer in'))));
  const service = all.find(({ name }) => name.startsWith('Daybook'));
  if (service) say(`\nDaybook's process: ${residentMiB(service.process.pid).toFixed(0)} MiB resident`);
  const named = Object.fromEntries([...results].map(([{ name }, measured]) => [name, measured]));
  if (given.json)
    await writeFile(given.json, `${JSON.stringify({ machine, ...given, results: named }, null, 2)}\n`);
} finally {
  for (const started of new Set(all.map(({ process }) => process))) await started.stop();
  await admin.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
