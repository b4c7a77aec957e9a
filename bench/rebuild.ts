/**
 * `npm run bench:rebuild`: how fast all read models are rebuilt from a log of transfers, on an embedded Postgres of its
 * own. The log is written straight into its table; the checkpoint says that the live read models have passed it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createReadDb } from '../projections/database.ts';
import { projectionsCheckpoint, saveCheckpoint, startCheckpoint } from '../projections/kept/checkpoints.ts';
import { migrateBooks } from '../projections/migrations/migrate.ts';
import { projections } from '../projections/projector/projections.ts';
import { createShadowPool, rebuild } from '../projections/projector/rebuild/rebuild.ts';
import { postgresEventStore } from '../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../src/infrastructure/postgres/embedded.ts';
import { createPool } from '../src/infrastructure/postgres/pool.ts';
import { fillLog } from './fill-log.ts';
import { history } from './history.ts';
import { processorTime, residentMiB } from './processes.ts';

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    turns: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const [eventsMin, turns] = [Number(given.events), Number(given.turns)];

type Measured = {
  readonly events: number;
  readonly seconds: number;
  /** Of these, until every event had been folded. */
  readonly foldedSeconds: number;
  readonly nodeMicroseconds: number;
  readonly postgresMicroseconds: number;
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const log = createLog('silent');
const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), log);
const store = await postgresEventStore(postgres.url, log);
const db = createReadDb(createPool({ url: postgres.url, max: 4, name: 'rebuild', statementMaxMs: 0 }));
const shadow = createShadowPool(postgres.url);

async function measure(): Promise<Measured> {
  const before = processorTime(process.pid);
  const started = performance.now();
  let folded = started;
  const events = await rebuild({ db, shadow, store }, projections, {
    onProgress: () => {
      folded = performance.now();
    },
  });
  const ended = performance.now();
  const after = processorTime(process.pid);
  return {
    events,
    seconds: (ended - started) / 1000,
    foldedSeconds: (folded - started) / 1000,
    nodeMicroseconds: ((after.node - before.node) * 1000) / events,
    postgresMicroseconds: ((after.postgres - before.postgres) * 1000) / events,
  };
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const head = ['events', 'events/s', 'seconds', 'of which folding', 'Node µs/event', 'Postgres µs/event'];

try {
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  say(`${machine}, Node ${process.version}, Postgres 18, fsync on`);
  await migrateBooks(db);
  await startCheckpoint(db, projectionsCheckpoint, 0n);
  await saveCheckpoint(db, projectionsCheckpoint, await fillLog(postgres.url, history(eventsMin)), 0n);
  say(`\n${line(head)}\n${line(head.map(() => '---'))}`);
  const results: Measured[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const measured = await measure();
    results.push(measured);
    const { events, seconds, foldedSeconds, nodeMicroseconds, postgresMicroseconds } = measured;
    const rate = (events / seconds).toFixed(0);
    const times = [seconds, foldedSeconds, nodeMicroseconds, postgresMicroseconds];
    say(line([String(events), rate, ...times.map((time) => time.toFixed(1))]));
  }
  say(`\n${residentMiB(process.pid).toFixed(0)} MiB resident`);
  if (given.json) await writeFile(given.json, `${JSON.stringify({ machine, ...given, results }, null, 2)}\n`);
} finally {
  await shadow.end();
  await db.destroy();
  await store.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
