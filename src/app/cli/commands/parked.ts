/** Work that follows from events and has failed: shown, tried again, or dropped. */
import { createReadDb, type ReadDb } from '../../../../projections/database.ts';
import { dropParked, listParked, type ParkedWork, retryParked } from '../../../../projections/kept/parked.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { stringify } from '../../../kernel/json.ts';
import { onDatabase, onLog } from './beside.ts';
import { printable } from './printable.ts';

const listedMax = 1_000;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Shows what is parked, the oldest first; as JSON, a line for each, where that is asked for. */
export const showParked = ({ json = false }: { readonly json?: boolean }): Promise<void> =>
  withBooks(async (db) => {
    const all = await listParked(db, listedMax + 1);
    const work = all.slice(0, listedMax);
    if (json) for (const one of work) print(stringify(one));
    else if (work.length === 0) print('Nothing is parked.');
    else for (const one of work) print(describe(one));
    if (all.length > listedMax) process.stderr.write('There is more: this is the oldest.\n');
  });

const describe = (work: ParkedWork): string =>
  [
    printable(`${work.event_id}  ${work.type} in ${work.stream}, for ${work.consumer}`),
    `    ${printable(work.error)}`,
    `    tried ${work.attempts} times since ${work.parked_at.toISOString()}, next at ${work.next_try_at.toISOString()}`,
  ].join('\n');

/** Makes what is parked of an event due now, or all of it. */
export const retry = (eventId: string | undefined): Promise<void> =>
  withBooks(async (db) => {
    const many = await retryParked(db, eventId);
    if (many === 0 && eventId !== undefined) throw nothingOf(eventId);
    print(`Will be tried again within some seconds: ${many}.`);
  });

/** Gives up what is parked of an event; what is left of its stream is tried again. */
export const drop = (eventId: string): Promise<void> =>
  onLog(async ({ databaseUrl, store }) => {
    const many = await inBooks(databaseUrl, (db) => dropParked(db, store, eventId));
    if (many === 0) throw nothingOf(eventId);
    print(`Dropped: ${many}.`);
  });

const nothingOf = (eventId: string) =>
  new Error(`Nothing is parked of the event ${eventId}. \`daybook parked\` shows what is.`);

const withBooks = (work: (db: ReadDb) => Promise<void>): Promise<void> =>
  onDatabase(({ databaseUrl }) => inBooks(databaseUrl, work));

async function inBooks<Result>(databaseUrl: string, work: (db: ReadDb) => Promise<Result>): Promise<Result> {
  const db = createReadDb(createPool({ url: databaseUrl, max: 1, name: 'parked' }));
  return work(db).finally(() => db.destroy());
}
