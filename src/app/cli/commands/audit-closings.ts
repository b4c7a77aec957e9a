/** Whether each closing of the books in Postgres says what the events of its stream add up to. */

import { aggregates } from '../../../domain/aggregates.ts';
import { type Difference, differenceIn } from '../../../infrastructure/closings/compare.ts';
import { keptClosings } from '../../../infrastructure/closings/kept.ts';
import { postgresClosings } from '../../../infrastructure/closings/postgres.ts';
import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import type { AnyAggregate } from '../../../kernel/aggregate.ts';
import { stringify } from '../../../kernel/json.ts';
import { exitCodes } from './audit/outcome.ts';
import { onLog } from './beside.ts';
import { progressOutput } from './progress-output.ts';

const booksMax = 100;
/** So many are told of one by one. */
const toldMax = 100;

export type ClosingsAudit = {
  readonly streams: number;
  readonly closings: number;
  readonly events: number;
  /** Of former versions of the fold, and of streams that no kind is known of: nobody reads them. */
  readonly unread: number;
  /** The first ones, and how many there are. */
  readonly differences: readonly Difference[];
  readonly differencesCount: number;
  readonly isRight: boolean;
};

/** The exit code says whether all of them do. How far it has come is shown on standard error. */
export const showClosings = ({ json = false }: { readonly json?: boolean }): Promise<void> =>
  onLog(async (opened) => {
    const result = await auditClosings(opened);
    process.stdout.write(`${json ? stringify(result) : describeClosings(result)}\n`);
    if (!result.isRight) process.exitCode = exitCodes.wrong;
  });

type Opened = { readonly databaseUrl: string; readonly store: EventStore; readonly log: Log };

export async function auditClosings({ databaseUrl, store, log }: Opened): Promise<ClosingsAudit> {
  const pool = createPool({ url: databaseUrl, max: 1, name: 'audit' });
  const kept = keptClosings(pool);
  const output = progressOutput(process.stderr, () => performance.now());
  const counted = { streams: 0, closings: 0, events: 0, unread: 0, differencesCount: 0 };
  const told: Difference[] = [];
  try {
    const total = BigInt(await kept.count());
    const progress = (events: number, closings: number) => {
      counted.events += events;
      counted.closings += closings;
      const done = BigInt(counted.closings + counted.unread);
      output.show({ events: counted.events, done, total: done > total ? done : total });
    };
    const deps = { store, kept, closings: postgresClosings(pool, log), progress };
    for (let books = await kept.books(undefined, booksMax); books.length > 0; ) {
      for (const book of books) {
        const aggregate = kindOf(book.stream);
        if (aggregate?.closing?.version !== book.version) {
          counted.unread += await kept.countOf(book);
          continue;
        }
        counted.streams += 1;
        const difference = await differenceIn(deps, aggregate, book.stream);
        if (!difference) continue;
        counted.differencesCount += 1;
        if (told.length < toldMax) told.push(difference);
      }
      books = await kept.books(books.at(-1), booksMax);
    }
    return { ...counted, differences: told, isRight: counted.differencesCount === 0 };
  } finally {
    output.end();
    await pool.end();
  }
}

const kindOf = (stream: string): AnyAggregate | undefined =>
  Object.values<AnyAggregate>(aggregates).find(({ category }) => stream.startsWith(`${category}-`));

function describeClosings({
  streams,
  closings,
  events,
  unread,
  differences,
  differencesCount,
}: ClosingsAudit): string {
  const wrong = differences.map(
    ({ stream, revision, fields }) => `${stream} at ${revision} differs in ${fields.join(', ')}`,
  );
  const verdict =
    differencesCount === 0
      ? 'Each says what its events add up to.'
      : `Streams whose closings do NOT say what their events add up to: ${differencesCount}.`;
  const others = unread > 0 ? ` ${unread} of former versions, which nobody reads, were left out.` : '';
  return [...wrong, `${closings} closings of ${streams} streams, ${events} events. ${verdict}${others}`].join(
    '\n',
  );
}
