/**
 * `npm run bench:moments -- [--events 10000000]`: what a balance, a statement and the trial balance at a moment take, on
 * the postings of very many events in an embedded Postgres of its own. The rows are made by SQL.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createReadDb } from '../projections/database.ts';
import { migrateBooks } from '../projections/migrations/migrate.ts';
import { accountBalanceAt, ledgerBalancesAt } from '../projections/models/ledger-at.ts';
import { statementEntries } from '../projections/models/ledger-statements.ts';
import { clocks } from '../src/domain/books/clocks.ts';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../src/infrastructure/postgres/embedded.ts';
import { createPool } from '../src/infrastructure/postgres/pool.ts';
import { idOf, randomShare, systemIds } from '../src/kernel/ids.ts';

const { values: given } = parseArgs({ options: { events: { type: 'string', default: '10000000' } } });
const events = Number(given.events);
/** The first one has every second event. */
const accounts = 10_000;
const asked = 1_000;
/** One event each four milliseconds; one in ten thousand was recorded a minute late. */
const stepMs = 4;
const firstMs = Date.UTC(2026, 0, 1);

const platformId = idOf('Platform', systemIds.uuid());
const uuidOfAccount = (n: number) => `00000000-0000-8000-8000-${String(n).padStart(12, '0')}`;
const accountOf = (n: number) => idOf('InternalAccount', uuidOfAccount(n));

const fill = `
  insert into daybook.postings (position, n, event_id, platform_id, account, currency, minor, at, happened_at,
    recorded_high, transaction_id, balance, held)
  select e.i, side.n, '00000000-0000-7000-8000-' || lpad(e.i::text, 12, '0'), $1,
    case side.n when 0 then 'rail' else 'InternalAccount:00000000-0000-8000-8000-' || lpad(e.account::text, 12, '0') end,
    'USD', case side.n when 0 then -1 else 1 end, e.at,
    e.at - case when e.i % 10000 = 0 then interval '1 minute' else interval '20 milliseconds' end, e.at,
    case side.n when 1 then 'Transaction:00000000-0000-8000-8000-' || lpad(e.i::text, 12, '0') end,
    case side.n when 1 then e.balance end, case side.n when 0 then -e.i else e.i end
  from (
    select i, $2::timestamptz + i * $3 * interval '1 millisecond' as at,
      case when i % 2 = 0 then 0 else 1 + (i / 2) % ${accounts - 1} end as account,
      case when i % 2 = 0 then i / 2 else 1 + (i / 2) / ${accounts - 1} end as balance
    from generate_series($4::bigint, $5::bigint) as i
  ) e cross join (values (0), (1)) as side (n)`;

const say = (cells: readonly string[]): void => {
  process.stdout.write(`| ${cells.map((cell, n) => cell.padEnd(n === 0 ? 56 : 12)).join(' | ')} |\n`);
};

/** Of many turns, in milliseconds. */
async function measured(what: string, work: () => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  for (let n = 0; n < asked; n++) {
    const started = performance.now();
    await work();
    took.push(performance.now() - started);
  }
  took.sort((a, b) => a - b);
  const share = (part: number) => `${took[Math.floor(part * (asked - 1))]?.toFixed(2)} ms`;
  say([what, share(0.5), share(0.99), share(1)]);
}

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), createLog('silent'));
const db = createReadDb(createPool({ url: postgres.url, max: 2, name: 'bench' }));
const admin = new pg.Client({ connectionString: postgres.url });
try {
  await migrateBooks(db);
  await admin.connect();
  await admin.query('set synchronous_commit = off');
  await admin.query("set maintenance_work_mem = '256MB'");
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'daybook' and tablename = 'postings' and indexname <> 'postings_pkey'`,
  );
  for (const { name } of indexes) await admin.query(`drop index daybook.${name}`);
  const portion = 500_000;
  for (let from = 1; from <= events; from += portion) {
    const until = Math.min(events, from + portion - 1);
    await admin.query(fill, [platformId, new Date(firstMs), stepMs, from, until]);
    process.stderr.write(`${until} of ${events} events\n`);
  }
  for (const { definition } of indexes) await admin.query(definition);
  await admin.query(
    `insert into daybook.ledger_balances values ($1, 'rail', 'USD', -$2::bigint), ($1, 'internal', 'USD', $2::bigint)`,
    [platformId, events],
  );
  await admin.query('vacuum analyze daybook.postings');
  const { rows: sizes } = await admin.query<{ rows: string; indexes: string }>(
    `select pg_size_pretty(pg_table_size('daybook.postings')) as rows, pg_size_pretty(pg_indexes_size('daybook.postings')) as indexes`,
  );
  const [size] = sizes;
  process.stderr.write(
    `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; rows ${size?.rows}, indexes ${size?.indexes}\n`,
  );
  const anyMoment = () => new Date(firstMs + randomShare() * events * stepMs);
  const anyAccount = () => accountOf(Math.floor(randomShare() * accounts));
  say(['Asked for', 'middle', 'p99', 'most']);
  say(['---', '---', '---', '---']);
  // What the machine adds to any statement.
  await measured('nothing', () => admin.query('select 1'));
  for (const clock of clocks) {
    const at = () => ({ clock, at: anyMoment() });
    await measured(`a balance, by what was ${clock}`, () =>
      accountBalanceAt(db, { platformId, accountId: anyAccount() }, at()),
    );
    await measured(`the same, of an account with half of the events`, () =>
      accountBalanceAt(db, { platformId, accountId: accountOf(0) }, at()),
    );
    await measured(`the trial balance, by what was ${clock}`, () => ledgerBalancesAt(db, platformId, at()));
    await measured(`a page of a statement of a day, by what was ${clock}`, () => {
      const from = anyMoment();
      const period = { clock, from, to: new Date(from.getTime() + 86_400_000) };
      return statementEntries(db, { platformId, accountId: anyAccount(), after: 0n, limit: 20 }, period);
    });
  }
} finally {
  await admin.end().catch(() => undefined);
  await db.destroy();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
