/**
 * `npm run bench:webhooks -- [--events 10000] [--only paced,busy,again,one,four,hanging]`: how fast webhook events reach
 * receivers that answer at once, from a service of its own on a Postgres in a temporary folder. The receivers are in
 * another process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createReadDb } from '../projections/database.ts';
import { appendWebhookEvents, type NewWebhookEvent } from '../projections/kept/webhook-events.ts';
import { type Config, readConfig } from '../src/app/config.ts';
import { type Service, startService } from '../src/app/service.ts';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../src/infrastructure/postgres/embedded.ts';
import { createPool } from '../src/infrastructure/postgres/pool.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { derivedUuid, idOf, type PlatformId } from '../src/kernel/ids.ts';
import { processorTime } from './processes.ts';
import type { Arrival, Report } from './receivers.ts';

const accountsCount = 200;
const pacedCount = 200;
const parallel = 16;
/** A fund call leads to two events: the balance, and the incoming payment. */
const eventsPerCall = 2;
const platformsCount = 4;
/** Events of one object, which are delivered one after the other. */
const eventsPerObject = 5;
const parts = ['paced', 'busy', 'again', 'one', 'four', 'hanging'] as const;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    only: { type: 'string', default: parts.join() },
  },
});
const eventsCount = Number(values.events);
const chosen = z.array(z.enum(parts)).parse(values.only.split(','));
const say = (line: string) => process.stdout.write(`${line}\n`);
const row = (...cells: readonly string[]) => say(`| ${cells.join(' | ')} |`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const perSecond = (count: number, ms: number) => Math.round(count / (ms / 1000));
const listOfIds = z.object({ data: z.array(z.object({ id: z.string() })) });

type Platform = { readonly id: PlatformId; readonly clientId: string; readonly clientSecret: string };

const platforms: readonly Platform[] = Array.from({ length: platformsCount }, (_one, n) => {
  const clientId = `bench-${n}`;
  const id = idOf('Platform', derivedUuid('bootstrap-platform', clientId));
  return { id, clientId, clientSecret: 'a-secret-of-the-benchmark' };
});
const [first] = platforms as [Platform];

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), createLog('silent'));
const db = createReadDb(createPool({ url: postgres.url, max: 1, name: 'bench' }));
const { process: receivers, ports } = await openReceivers();
const arrivals: Arrival[] = [];
receivers.on('message', (report: Report) => {
  if ('arrivals' in report) arrivals.push(...report.arrivals);
});
let service: Service | undefined;
try {
  const started = await startService(configOf(first), { log: createLog('error') });
  service = started;
  await bench(started);
} finally {
  await service?.stop();
  receivers.kill();
  await db.destroy();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

function configOf({ clientId, clientSecret }: Platform, variables: Record<string, string> = {}): Config {
  return {
    ...readConfig({
      DATABASE_URL: postgres.url,
      DAYBOOK_BOOTSTRAP_CLIENT_ID: clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: clientSecret,
      DAYBOOK_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...variables,
    }),
    port: 0,
  };
}

async function openReceivers(): Promise<{ process: ChildProcess; ports: readonly number[] }> {
  const child = fork(join(import.meta.dirname, 'receivers.ts'), [String(platformsCount)], { execArgv: [] });
  const report = await new Promise<Report>((said) =>
    child.once('message', (message: Report) => said(message)),
  );
  return { process: child, ports: 'ports' in report ? report.ports : [] };
}

type Caller = <T>(method: string, path: string, schema: z.ZodType<T>, body?: object) => Promise<T>;

function callerOf({ url }: Service, { clientId, clientSecret }: Platform): Caller {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const call: Caller = async (method, path, schema, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // On a busy machine the service refuses what its read models could not keep up with.
    if (response.status === 503) {
      await setTimeout(1_000 * Number(response.headers.get('retry-after') ?? 1));
      return call(method, path, schema, body);
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return schema.parse(await response.json());
  };
  return call;
}

async function openAccount(call: Caller): Promise<string> {
  const person = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', region: 'US', currencies: ['USD'] };
  const { id } = await call('POST', '/customers', z.object({ id: z.string() }), person);
  const { data } = await call('GET', `/customers/internal-accounts?customerId=${id}&currency=USD`, listOfIds);
  return data[0]?.id ?? '';
}

async function fundAll(call: Caller, accounts: readonly string[], count: number, workers: number) {
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count; n = next++) {
      const path = `/sandbox/internal-accounts/${accounts[n % accounts.length]}/fund`;
      await call('POST', path, z.unknown(), { amount: 100 });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

async function untilArrived(count: number, counts: (arrival: Arrival) => boolean = () => true) {
  while (arrivals.filter(counts).length < count) await setTimeout(20);
}

function lastAt(some: readonly Arrival[]): number {
  return some.reduce((last, { at }) => Math.max(last, at), 0);
}

function rateOf(count: number, from: number): string {
  const lasted = lastAt(arrivals) - from;
  return `${count} in ${seconds(lasted)}, ${perSecond(count, lasted)}/s`;
}

function latencies(): string {
  const sorted = arrivals.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return `median ${at(0.5)} ms, 99 % within ${at(0.99)} ms`;
}

/** Processor time since `before`, for each of so many deliveries. */
function costs(before: ReturnType<typeof processorTime>, count: number): string {
  const after = processorTime(process.pid);
  const each = (ms: number) => (ms / count).toFixed(2);
  return `${each(after.node - before.node)} ms and ${each(after.postgres - before.postgres)} ms`;
}

/** A platform comes into being when a service starts with its credentials. */
async function setEndpoint(platform: Platform, n: number): Promise<void> {
  const own = await startService(configOf(platform, { DAYBOOK_ROLES: 'api' }), { log: createLog('error') });
  const webhookEndpoint = `http://127.0.0.1:${ports[n]}/`;
  await callerOf(own, platform)('PATCH', '/config', z.unknown(), { webhookEndpoint });
  await own.stop();
}

/** Adds events as the projector does, all in one commit; returns when that was. */
async function addEvents(owners: readonly Platform[], count: number): Promise<number> {
  const at = systemClock.now();
  const one = await db
    .selectFrom('webhook_events')
    .select('body')
    .where('type', '!=', 'TEST')
    .limit(1)
    .execute();
  const body = one[0]?.body ?? '{}';
  const objects = Array.from({ length: Math.ceil(count / eventsPerObject) }, () => randomUUID());
  const events = owners.flatMap(({ id: platform_id }) =>
    Array.from({ length: count }, (_one, n): NewWebhookEvent => {
      const object_id = `InternalAccount:${objects[n % objects.length]}`;
      const type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED';
      return {
        id: idOf('Webhook', randomUUID()),
        platform_id,
        type,
        object_id,
        position: BigInt(n),
        n: 0,
        body,
        at,
      };
    }),
  );
  await db.transaction().execute((transaction) => appendWebhookEvents(events, transaction));
  return Date.now();
}

async function measureDue(
  name: string,
  owners: readonly Platform[],
  count: number,
  hanging: readonly number[],
) {
  arrivals.length = 0;
  receivers.send({ hanging });
  const due = await addEvents(owners, count);
  const before = processorTime(process.pid);
  const awaited = owners.map((_one, n) => n).filter((n) => !hanging.includes(n));
  await Promise.all(awaited.map((n) => untilArrived(count, ({ receiver }) => receiver === n)));
  const rates = awaited.map((n) =>
    perSecond(count, lastAt(arrivals.filter(({ receiver }) => receiver === n)) - due),
  );
  const inAll = awaited.length * count;
  const lasted = lastAt(arrivals.filter(({ receiver }) => awaited.includes(receiver))) - due;
  const together = `${inAll} in ${seconds(lasted)}, ${perSecond(inAll, lasted)}/s`;
  row(name, `${together}; each ${rates.join(', ')}/s`, costs(before, inAll));
}

async function measurePaced(call: Caller, accounts: readonly string[]): Promise<void> {
  arrivals.length = 0;
  const before = processorTime(process.pid);
  await fundAll(call, accounts, pacedCount, 1);
  const count = pacedCount * eventsPerCall;
  await untilArrived(count);
  row('one deposit at a time: append to arrival', latencies(), costs(before, count));
}

async function measureBusy(call: Caller, accounts: readonly string[]): Promise<void> {
  arrivals.length = 0;
  const before = processorTime(process.pid);
  const from = Date.now();
  await fundAll(call, accounts, Math.ceil(eventsCount / eventsPerCall), parallel);
  const appended = Date.now();
  await untilArrived(eventsCount);
  const rest = arrivals.filter(({ at }) => at > appended).length;
  const text = `${rateOf(eventsCount, from)}, ${rest} after the last call; ${latencies()}`;
  row(`deposits of ${parallel} callers`, text, costs(before, eventsCount));
}

async function measureAgain(call: Caller, since: string): Promise<void> {
  arrivals.length = 0;
  const before = processorTime(process.pid);
  const from = Date.now();
  const { count } = await call('POST', '/webhooks/redeliver', z.object({ count: z.number() }), { since });
  await untilArrived(count);
  row('all of them sent again', rateOf(count, from), costs(before, count));
}

async function bench(started: Service): Promise<void> {
  const call = callerOf(started, first);
  const accounts: string[] = [];
  await Promise.all(platforms.map(setEndpoint));
  for (let n = 0; n < accountsCount; n++) accounts.push(await openAccount(call));
  await untilArrived(platformsCount + accountsCount);
  row('what', 'measured', 'processor time of Node and of Postgres for each');
  row('---', '---', '---');
  const since = systemClock.now().toISOString();
  if (chosen.includes('paced')) await measurePaced(call, accounts);
  if (chosen.includes('busy')) await measureBusy(call, accounts);
  if (chosen.includes('again')) await measureAgain(call, since);
  const each = Math.ceil(eventsCount / platformsCount);
  if (chosen.includes('one')) await measureDue('due at once, one receiver', [first], eventsCount, []);
  if (chosen.includes('four')) await measureDue('due at once, four receivers', platforms, each, []);
  if (chosen.includes('hanging'))
    await measureDue('the same, one of them never answers', platforms, each, [platformsCount - 1]);
}
