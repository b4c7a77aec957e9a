import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listParked, retryParked } from '../../../projections/kept/parked.ts';
import type { SetAside } from '../../../projections/projector/parking.ts';
import type { Projection } from '../../../projections/projector/projection.ts';
import { projector } from '../../../projections/projector/projector.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { inParts } from '../../../src/kernel/parts.ts';
import { depositedLog } from '../../support/log/long-streams.ts';
import { type Books, emptyBooks, rowsOf } from '../../support/postgres/read-models.ts';
import { recordTraffic } from '../../support/traffic/mixed-traffic.ts';

let events: readonly StoredEvent[];
let live: Awaited<ReturnType<typeof rowsOf>>;
/** A stream of several events, with others around it. */
let stream: string;
const ofStream = () => events.filter((event) => event.stream === stream);

beforeAll(async () => {
  ({ events, live } = await recordTraffic());
  const streams = Map.groupBy(events, (event) => event.stream);
  const [found] = [...streams].find(([name, own]) => name.startsWith('transaction-') && own.length > 3) ?? [];
  stream = found ?? '';
});

const storeOf = (log: readonly StoredEvent[], asked: (number | undefined)[] = []) => ({
  read: async (name: string, from = 0, most?: number) => {
    asked.push(most);
    return log.filter((event) => event.stream === name && event.revision >= from).slice(0, most);
  },
  last: async () => log.at(-1)?.position ?? 0n,
});

/** A read model that notes what it is shown, and fails for one stream while it is broken. */
function fragile(fail: Projection['project']) {
  const seen: string[] = [];
  const switched = { broken: true };
  const model: Projection = {
    name: 'fragile',
    tables: [],
    project(event, rows) {
      if (switched.broken && event.stream === stream && event.revision > 0) return fail(event, rows);
      seen.push(event.id);
      return undefined;
    },
  };
  return { model, seen, switched };
}

const throwing: Projection['project'] = () => {
  throw new Error('no row can be made of this');
};
const dividing: Projection['project'] = (_event, rows) =>
  rows.now((db) => sql`select 1 / 0`.execute(db)).then(() => undefined);

const projectorOf = (
  books: Books,
  model?: Projection,
  log = events,
  store = storeOf(log),
  setAside: SetAside = () => {},
) =>
  projector({
    db: books.db,
    store,
    passed: () => undefined,
    setAside,
    ...(model && { extra: [model] }),
  });

async function project(books: Books, { consume }: ReturnType<typeof projectorOf>, log = events) {
  for (const batch of inParts(log, 40)) await consume(batch);
  return listParked(books.db, 100);
}

describe('what is kept of an error', () => {
  it('has nothing of a text that is no JSON', async () => {
    const reading: Projection['project'] = () => JSON.parse(`{"iban":'DE89370400440532013000'}`);
    const books = await emptyBooks();
    const [parked] = await project(books, projectorOf(books, fragile(reading).model));
    expect(parked?.error).toBe('SyntaxError: a text is not valid JSON');
  });
});

describe.each([
  ['throws', throwing],
  ['breaks its statement', dividing],
])('an event for which a read model %s', (_what, fail) => {
  it('sets its stream aside for that model, and nothing else', async () => {
    const [books, { model, seen }] = [await emptyBooks(), fragile(fail)];
    const consumer = projectorOf(books, model);
    const parked = await project(books, consumer);
    const failed = ofStream()[1];
    expect(parked).toMatchObject([
      { consumer: 'fragile', stream, revision: 1, event_id: failed?.id, type: failed?.type, attempts: 1 },
    ]);
    expect(await rowsOf(books.url)).toEqual(live);
    expect(await consumer.checkpoint()).toBe(events.at(-1)?.position);
    const others = events.filter((event) => event.stream !== stream || event.revision === 0);
    expect(new Set(seen)).toEqual(new Set(others.map(({ id }) => id)));
  });

  it('is told of once, with the models that set it aside', async () => {
    const [books, { model }] = [await emptyBooks(), fragile(fail)];
    const told: unknown[] = [];
    const consumer = projectorOf(books, model, events, storeOf(events), ({ id }, failures) => {
      told.push([id, [...failures].map(([name, error]) => [name, error instanceof Error])]);
    });
    await project(books, consumer);
    await retryParked(books.db, undefined);
    await consumer.retry();
    expect(told).toEqual([[ofStream()[1]?.id, [['fragile', true]]]]);
  });

  it('is tried again, and then the rest of its stream comes in order', async () => {
    const [books, { model, seen, switched }] = [await emptyBooks(), fragile(fail)];
    await project(books, projectorOf(books, model));
    const restarted = projectorOf(books, model);
    await restarted.checkpoint();
    await retryParked(books.db, undefined);
    await restarted.retry();
    expect(await listParked(books.db, 100)).toMatchObject([{ consumer: 'fragile', attempts: 2 }]);
    switched.broken = false;
    seen.length = 0;
    await retryParked(books.db, ofStream()[1]?.id);
    await restarted.retry();
    expect(seen).toEqual(
      ofStream()
        .slice(1)
        .map(({ id }) => id),
    );
    expect(await listParked(books.db, 100)).toEqual([]);
    expect(await rowsOf(books.url)).toEqual(live);
  });
});

describe('an event of a type that a newer version writes', () => {
  it('is waited for by its stream alone', async () => {
    const books = await emptyBooks();
    const last = ofStream().at(-1);
    const newer = events.map((event) =>
      event.id === last?.id ? { ...event, type: 'FromTheFuture' } : event,
    );
    const parked = await project(books, projectorOf(books, undefined, newer), newer);
    expect(new Set(parked.map((work) => work.stream))).toEqual(new Set([stream]));
    expect(parked.length).toBeGreaterThan(5);
    const newerVersion = projectorOf(books);
    await newerVersion.checkpoint();
    await retryParked(books.db, undefined);
    await newerVersion.retry();
    expect(await listParked(books.db, 100)).toEqual([]);
    // Postings that came late say so. What they add up to is the same at every moment (ledger-at.int.test.ts).
    const [{ postings, ...rest }, { postings: expected, ...others }] = [await rowsOf(books.url), live];
    expect(rest).toEqual(others);
    expect(withoutPlaces(postings)).toEqual(withoutPlaces(expected));
  });
});

describe('a long stream that is set aside', () => {
  const long = 1_200;
  const log = depositedLog(long);

  it('is read and projected in pages when it is tried again, in order, from where it stopped', async () => {
    const books = await emptyBooks();
    const seen: number[] = [];
    let broken = 1;
    const model: Projection = {
      name: 'fragile',
      tables: [],
      project({ revision }) {
        if (revision === broken) throw new Error('no row can be made of this');
        if (revision > 0) seen.push(revision);
        return undefined;
      },
    };
    const asked: (number | undefined)[] = [];
    const consumer = projectorOf(books, model, log, storeOf(log, asked));
    expect(await project(books, consumer, log)).toMatchObject([{ revision: 1 }]);
    const retry = async () => {
      asked.length = 0;
      await retryParked(books.db, undefined);
      await consumer.retry();
      return listParked(books.db, 100);
    };
    broken = 700;
    const { id: event_id, position } = log[700] ?? {};
    // The one that fails is named, however many are tried together.
    expect(await retry()).toMatchObject([{ revision: 700, event_id, position, attempts: 2 }]);
    expect(asked).toContain(501);
    expect(asked.length).toBeLessThan(40);
    broken = -1;
    seen.length = 0;
    expect(await retry()).toEqual([]);
    expect(seen).toEqual(Array.from({ length: long - 699 }, (_, n) => n + 700));
    expect(asked).not.toContain(undefined);
  });
});
/** Postings without what depends on when they were projected, in an order that does not either. */
const withoutPlaces = (rows: readonly string[] = []) =>
  rows
    .map((row) => {
      const { held: _held, recorded_high: _high, projected_after: _after, ...posting } = JSON.parse(row);
      return JSON.stringify(posting);
    })
    .toSorted();

describe('what is not about an event', () => {
  it('sets nothing aside: the log is followed anew', async () => {
    const books = await emptyBooks();
    const away: Projection['project'] = () => {
      throw Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
    };
    const { model, switched } = fragile(away);
    const consumer = projectorOf(books, model);
    await expect(project(books, consumer)).rejects.toThrow('connect refused');
    expect(await listParked(books.db, 100)).toEqual([]);
    switched.broken = false;
    await project(books, consumer);
    expect(await rowsOf(books.url)).toEqual(live);
  });
});
