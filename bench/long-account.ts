/**
 * `npm run bench:long -- [--entries 1000000]`: an account with very many entries, on an embedded Postgres of its own: what
 * opening it reads and takes, what it holds of memory, and how fast it takes entries beside an account that has few.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createReadDb } from '../projections/database.ts';
import { migrateBooks } from '../projections/migrations/migrate.ts';
import { accountEvents } from '../src/domain/accounts/events.ts';
import { aggregates } from '../src/domain/aggregates.ts';
import { move } from '../src/domain/books/postings.ts';
import { postgresClosings } from '../src/infrastructure/closings/postgres.ts';
import { createDispatcher } from '../src/infrastructure/commands/dispatch.ts';
import { encodeEvent } from '../src/infrastructure/event-store/encoding.ts';
import type { EventStore, StoredEvent } from '../src/infrastructure/event-store/event-store.ts';
import { postgresEventStore } from '../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../src/infrastructure/postgres/embedded.ts';
import { createPool } from '../src/infrastructure/postgres/pool.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { idOf, systemIds } from '../src/kernel/ids.ts';
import { fillLog } from './fill-log.ts';

const { values: given } = parseArgs({ options: { entries: { type: 'string', default: '1000000' } } });
const entries = Number(given.entries);
const callers = 32;
const credits = 10_000;
const openings = 20;
const pageMax = 5_000;

const platformId = idOf('Platform', systemIds.uuid());
const cause = { platformId, correlationId: 'bench', causationId: 'bench', actor: 'bench' };
const amount = { minor: 100n, currency: 'USD' };
const deposit = { reference: 'bench', platformCustomerId: null };
const at = systemClock.now();
const [long, short] = [systemIds.uuid(), systemIds.uuid()];
const firstOf = (uuid: string, n: number) => `${idOf('Transaction', uuid)}:${n}`;

const say = (what: string, measured: string): void => {
  process.stdout.write(`| ${what.padEnd(60)} | ${measured} |\n`);
};

const opening = (uuid: string) =>
  ({
    platformId,
    accountId: idOf('InternalAccount', uuid),
    customerId: null,
    accountType: 'INTERNAL_FIAT',
    currency: 'USD',
    status: 'ACTIVE',
    at,
  }) as const;

function entryOf(n: number) {
  const accountId = idOf('InternalAccount', long);
  const entry = { entryId: firstOf(long, n), transactionId: idOf('Transaction', long), requestedBy: 'bench' };
  const postings = [...move('rail', accountId, amount)];
  const balanceAfter = BigInt(n) * amount.minor;
  const booked = { accountId, ...entry, amount, balanceAfter, postings, customerId: null, deposit, at };
  return { type: 'AccountCredited', data: { ...booked, purpose: 'deposit' } } as const;
}

/** The account opened, and its entries. */
async function* history(): AsyncGenerator<readonly StoredEvent[]> {
  const metadata = { ...cause, at: at.toISOString() };
  for (let from = 0; from <= entries; from += pageMax) {
    const size = Math.min(pageMax, entries + 1 - from);
    yield Array.from({ length: size }, (_, i): StoredEvent => {
      const revision = from + i;
      const event = revision === 0 ? { type: 'AccountOpened', data: opening(long) } : entryOf(revision);
      const stored = { ...encodeEvent(accountEvents, event, metadata), id: systemIds.uuid() };
      return { ...stored, stream: `account-${long}`, revision, position: BigInt(revision + 1) };
    });
  }
}

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const log = createLog('silent');
const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), log);
const store = await postgresEventStore(postgres.url, log);
const pool = createPool({ url: postgres.url, max: 2, name: 'bench' });
const books = createReadDb(createPool({ url: postgres.url, max: 1, name: 'migrations' }));
let read = 0;
const counted: EventStore = {
  ...store,
  async read(...wanted) {
    const events = await store.read(...wanted);
    read += events.length;
    return events;
  },
};
const startProcess = () => {
  const closings = postgresClosings(pool, log);
  const deps = { store: counted, newEventId: systemIds.uuid, now: () => systemClock.now(), closings };
  return createDispatcher(deps, aggregates, []);
};
type Process = ReturnType<typeof startProcess>;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

function credit(commands: Process, uuid: string, entryId: string): Promise<unknown> {
  const entry = { entryId, transactionId: idOf('Transaction', long), requestedBy: 'bench', amount, at };
  const command = { type: 'CreditAccount', purpose: 'deposit', from: 'rail', ...entry, deposit } as const;
  return commands.run('account', uuid, command, cause);
}

/** Entries a second by callers each of whom begins anew when it is done. */
async function rate(commands: Process, uuid: string): Promise<number> {
  let left = credits;
  const caller = async () => {
    while (left-- > 0) await credit(commands, uuid, systemIds.uuid());
  };
  return (credits * 1000) / (await timed(() => Promise.all(Array.from({ length: callers }, caller))));
}

/** The middle of several, each by a process that knows nothing, and the most that one of them read. */
async function opened(uuid: string) {
  const took: number[] = [];
  let most = 0;
  for (let n = 0; n < openings; n++) {
    read = 0;
    const commands = startProcess();
    took.push(await timed(() => commands.load('account', uuid)));
    most = Math.max(most, read);
  }
  took.sort((a, b) => a - b);
  return `${took[openings / 2]?.toFixed(1)} ms, ${most} events read`;
}

try {
  await migrateBooks(books);
  process.stderr.write(
    `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n`,
  );
  await fillLog(postgres.url, history());
  say('What', 'Measured');
  say('---', '---');
  const before = process.cpuUsage();
  const first = await timed(() => startProcess().load('account', long));
  const { user, system } = process.cpuUsage(before);
  say(
    'first reading, which closes its books',
    `${(first / 1000).toFixed(1)} s, of which ${((user + system) / 1e6).toFixed(1)} s of Node's processor time`,
  );
  say(`opened with ${entries} entries`, await opened(long));
  const commands = startProcess();
  await commands.run('account', short, { type: 'OpenAccount', ...opening(short) }, cause);
  say('opened with none', await opened(short));
  const old = await timed(() => credit(commands, long, firstOf(long, 7)));
  say('a repeat of an old entry', `${old.toFixed(1)} ms`);
  const rates = { long: 0, short: 0 };
  for (const turn of ['warm', 'measured'] as const) {
    const both = { short: await rate(commands, short), long: await rate(commands, long) };
    if (turn === 'measured') Object.assign(rates, both);
  }
  say('entries a second, of those on an account that has few', (rates.long / rates.short).toFixed(2));
  const state = await commands.load('account', long);
  say(
    'counted of memory',
    `${(aggregates.account.extraBytes(state) / 1024).toFixed(0)} KiB, ${state.status === 'none' ? 0 : state.entries.size} entries`,
  );
} finally {
  await store.close();
  await pool.end();
  await books.destroy();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
