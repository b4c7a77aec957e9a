/**
 * `npm run bench:sealing`: what the chain costs, with it and without it in one run, in turns, on an embedded Postgres of
 * its own; and how fast a log is verified. Machines differ and are shared: compare the lines of one run, not runs.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedSchemas } from '../src/app/cli/verify/published-schemas.ts';
import { compile, Verifier } from '../src/app/cli/verify/verify.mjs';
import { aggregates } from '../src/domain/aggregates.ts';
import { createDispatcher } from '../src/infrastructure/commands/dispatch.ts';
import type { NewEvent, StoredEvent } from '../src/infrastructure/event-store/event-store.ts';
import { postgresEventStore } from '../src/infrastructure/event-store/postgres/store.ts';
import { sealed } from '../src/infrastructure/event-store/seal.ts';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../src/infrastructure/postgres/embedded.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { idOf, systemIds, uuidOf } from '../src/kernel/ids.ts';
import { canonical, stringify } from '../src/kernel/json.ts';
import { median } from './contest.ts';

const rounds = 5;
const accounts = 64;
const creditsEach = 60;
const verifiedMax = 1_000_000;
const platformId = idOf('Platform', systemIds.uuid());
const cause = { platformId, correlationId: 'bench', causationId: 'bench', actor: 'bench' };
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const dataDirectory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const log = createLog('silent');
const postgres = await startEmbeddedPostgres(dataDirectory, log);
const store = await postgresEventStore(postgres.url, log);
const stored: StoredEvent[] = [];

/** Processor time of this process for each entry, in microseconds. */
async function costOf(
  seal?: (stream: string, head: unknown, events: readonly NewEvent[]) => readonly NewEvent[],
) {
  const deps = { store, newEventId: systemIds.uuid, now: () => systemClock.now() };
  const commands = createDispatcher(seal ? { ...deps, seal } : deps, aggregates, []);
  const uuids = Array.from({ length: accounts }, () => systemIds.uuid());
  const opening = { platformId, customerId: null, accountType: 'INTERNAL_FIAT', currency: 'USD' } as const;
  for (const uuid of uuids) {
    const accountId = idOf('InternalAccount', uuid);
    const at = systemClock.now();
    const command = { type: 'OpenAccount', ...opening, accountId, status: 'ACTIVE', at } as const;
    await commands.run('account', uuid, command, cause);
  }
  const credit = (uuid: string) => {
    const transactionId = idOf('Transaction', systemIds.uuid());
    const entry = { entryId: systemIds.uuid(), requestedBy: 'bench', transactionId, at: systemClock.now() };
    const command = {
      type: 'CreditAccount',
      purpose: 'deposit',
      from: 'rail',
      ...entry,
      amount: { minor: 100n, currency: 'USD' },
      deposit: { reference: entry.entryId, platformCustomerId: null },
    } as const;
    return commands.run('account', uuid, command, cause);
  };
  const began = process.cpuUsage();
  for (let n = 0; n < creditsEach; n++) await Promise.all(uuids.map(credit));
  const { user, system } = process.cpuUsage(began);
  if (!seal) for (const uuid of uuids) stored.push(...(await store.read(`account-${uuid}`)));
  return (user + system) / (accounts * creditsEach);
}

const asItIs = (_stream: string, _head: unknown, events: readonly NewEvent[]) => events;
const measured: { with: number[]; without: number[] } = { with: [], without: [] };
for (let round = 0; round <= rounds; round++) {
  const [chained, bare] = [await costOf(), await costOf(asItIs)];
  // The first turn is for the compiler.
  if (round === 0) continue;
  measured.with.push(chained);
  measured.without.push(bare);
  say(
    `round ${round}: ${chained.toFixed(1)} µs of processor time an entry with the chain, ${bare.toFixed(1)} without`,
  );
}
const [chained, bare] = [median(measured.with), median(measured.without)];
say(
  `median ${chained.toFixed(1)} and ${bare.toFixed(1)} µs: the chain takes ${(chained - bare).toFixed(1)} µs an entry`,
);

const ratio = ((100 * bare) / chained).toFixed(0);
say(`with the chain ${ratio} % of the entries that the same processor time has without`);

const schemas = new Map([...publishedSchemas()].map(([type, schema]) => [type, compile(schema)]));

/** Events verified in a second of processor time, reading of their text included: the same ones again, as another log. */
function verifiedPerSecond(lines: readonly string[]): number {
  const began = process.cpuUsage();
  const spentMs = () => process.cpuUsage(began).user / 1_000;
  let verified = 0;
  while (verified < verifiedMax && spentMs() < 20_000) {
    const verifier = new Verifier({ schemas });
    for (const [n, line] of lines.entries())
      verifier.add(Object.assign(JSON.parse(line), { position: n + 1 }));
    verified += lines.length;
  }
  return Math.round((verified * 1000) / spentMs());
}

say(
  `verified ${verifiedPerSecond(stored.map((event) => stringify({ ...event, known: undefined })))} events a second of processor time, as the log has them`,
);

/** An export of a million events: the same streams again and again, under other names. */
async function writeExport(path: string): Promise<void> {
  const file = createWriteStream(path);
  const templates = [...Map.groupBy(stored, ({ stream }) => stream).values()];
  let events = 0;
  while (events < verifiedMax) {
    for (const template of templates) {
      const uuid = systemIds.uuid();
      const stream = `account-${uuid}`;
      const former = uuidOf(String(template[0]?.data.accountId));
      const renamed: readonly NewEvent[] = JSON.parse(stringify(template).replaceAll(former, uuid));
      const chained = sealed(stream, { revision: -1, hash: undefined }, renamed);
      const lines = chained.map(({ id, type, data, metadata }, revision) => {
        events += 1;
        return `${canonical({ data, id, metadata, position: events, revision, stream, type })}\n`;
      });
      if (!file.write(lines.join(''))) await once(file, 'drain');
    }
  }
  file.end(`${JSON.stringify({ export: { events, positions: 'dense' } })}\n`);
  await once(file, 'finish');
}

const exported = join(dataDirectory, 'log.ndjson');
await writeExport(exported);
const verifier = join(import.meta.dirname, '../src/app/cli/verify/verify.mjs');
const schemaFolder = join(import.meta.dirname, '../docs/events');
const beforeVerify = performance.now();
const { status, stdout } = spawnSync(
  process.execPath,
  [verifier, exported, '--schemas', schemaFolder, '--json'],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
);
const seconds = (performance.now() - beforeVerify) / 1_000;
if (status !== 0) throw new Error(`the export does not verify: ${stdout}`);
const { events } = JSON.parse(stdout);
say(
  `verify.mjs took ${seconds.toFixed(1)} s for an export of ${events} events: ${Math.round(events / seconds)} a second`,
);

await store.close();
await postgres.stop();
await rm(dataDirectory, { recursive: true, force: true });
