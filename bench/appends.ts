/**
 * `npm run bench:appends`: what group commit and the per-stream mailbox are worth, as ratios taken in one run on an embedded
 * Postgres of its own. Machines differ and are shared: compare the lines of one run, not runs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { aggregates } from '../src/domain/aggregates.ts';
import { createDispatcher } from '../src/infrastructure/commands/dispatch.ts';
import type { EventStore } from '../src/infrastructure/event-store/event-store.ts';
import { postgresEventStore } from '../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../src/infrastructure/postgres/embedded.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { idOf, systemIds } from '../src/kernel/ids.ts';
import type { Commands } from '../src/use-cases/commands.ts';

const size = 2_000;
const callers = 32;
const batchSize = 100;
const platformId = idOf('Platform', systemIds.uuid());
const cause = { platformId, correlationId: 'bench', causationId: 'bench', actor: 'bench' };

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs per second of `work`, all started at once or one after the other. */
async function rate(
  count: number,
  how: 'together' | 'in turn',
  work: (n: number) => Promise<unknown>,
): Promise<number> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const started = performance.now();
  if (how === 'together') await Promise.all(numbers.map(work));
  else for (const n of numbers) await work(n);
  return (count * 1000) / (performance.now() - started);
}

function append(store: EventStore, events = 1): Promise<unknown> {
  const metadata = { ...cause, at: systemClock.now().toISOString() };
  const data = { text: 'x'.repeat(200) };
  const batch = Array.from({ length: events }, () => ({
    id: systemIds.uuid(),
    type: 'Measured',
    data,
    metadata,
  }));
  return store.append(`bench-${systemIds.uuid()}`, 'none', batch);
}

/** Runs per second of `work` by so many callers, each of which begins anew when it is done. */
async function rateOf(callers: number, count: number, work: () => Promise<unknown>): Promise<number> {
  let left = count;
  const caller = async () => {
    while (left-- > 0) await work();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  return (count * 1000) / (performance.now() - started);
}

async function openAccount(commands: Commands): Promise<string> {
  const uuid = systemIds.uuid();
  const accountId = idOf('InternalAccount', uuid);
  const opening = {
    platformId,
    accountId,
    customerId: null,
    accountType: 'INTERNAL_FIAT',
    currency: 'USD',
  } as const;
  const command = { type: 'OpenAccount', ...opening, status: 'ACTIVE', at: systemClock.now() } as const;
  await commands.run('account', uuid, command, cause);
  return uuid;
}

function credit(commands: Commands, uuid: string): Promise<unknown> {
  const transactionId = idOf('Transaction', systemIds.uuid());
  const amount = { minor: 100n, currency: 'USD' };
  const entry = {
    entryId: transactionId,
    transactionId,
    requestedBy: 'bench',
    amount,
    at: systemClock.now(),
  };
  const deposit = { reference: 'bench', platformCustomerId: null };
  const command = { type: 'CreditAccount', purpose: 'deposit', from: 'rail', ...entry, deposit } as const;
  return commands.run('account', uuid, command, cause);
}

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const log = createLog('silent');
const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), log);
const store = await postgresEventStore(postgres.url, log);
const dispatcher = () =>
  createDispatcher({ store, newEventId: systemIds.uuid, now: () => systemClock.now() }, aggregates, []);
try {
  say(`${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`);
  await rate(200, 'together', () => append(store));
  const alone = await rate(size / 4, 'in turn', () => append(store));
  const grouped = await rate(size, 'together', () => append(store));
  say(`appends to streams of their own, one after the other   ${alone.toFixed(0)}/s`);
  say(
    `appends to streams of their own, ${size} at once          ${grouped.toFixed(0)}/s   ${(grouped / alone).toFixed(1)} x`,
  );
  const single = await rateOf(callers, size * 10, () => append(store));
  const batched = await rateOf(callers, size / 4, () => append(store, batchSize));
  say(`single appends by ${callers} callers                             ${single.toFixed(0)} events/s`);
  say(
    `appends of ${batchSize} events by ${callers} callers                     ${(batched * batchSize).toFixed(0)} events/s`,
  );
  const commands = dispatcher();
  const hot = await openAccount(commands);
  const one = await rate(size / 4, 'in turn', () => credit(commands, hot));
  const many = await rate(size, 'together', () => credit(commands, hot));
  say(`entries on one account, one after the other            ${one.toFixed(0)}/s`);
  say(
    `entries on one account, ${size} at once                   ${many.toFixed(0)}/s   ${(many / one).toFixed(1)} x`,
  );
  const read = performance.now();
  await dispatcher().load('account', hot);
  say(
    `reading that account with ${(size * 5) / 4} entries from the log       ${(performance.now() - read).toFixed(0)} ms`,
  );
} finally {
  await store.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
