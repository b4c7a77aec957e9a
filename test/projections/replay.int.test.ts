import { beforeAll, describe, expect, it } from 'vitest';
import { project } from '../../projections/projector/batch.ts';
import type { Projection } from '../../projections/projector/projection.ts';
import { projections } from '../../projections/projector/projections.ts';
import { projector } from '../../projections/projector/projector.ts';
import { createStates } from '../../projections/projector/states.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { inParts } from '../../src/kernel/parts.ts';
import { backends, connect, terminate, untilSome } from '../support/log/raw-log.ts';
import { type Books, emptyBooks, modelTables, rowsOf } from '../support/postgres/read-models.ts';
import { eventually } from '../support/resources/flows.ts';
import { recordTraffic } from '../support/traffic/mixed-traffic.ts';

let events: readonly StoredEvent[];
let live: Awaited<ReturnType<typeof rowsOf>>;
const unused = () => undefined;

beforeAll(async () => {
  ({ events, live } = await recordTraffic());
});

/** What the log has of a stream. */
const store = {
  read: async (name: string) => events.filter(({ stream }) => stream === name),
  last: async () => events.at(-1)?.position ?? 0n,
};
const followed = (some: readonly StoredEvent[]) => createStates(store).follow(some);

const startOver = (books: Books) => projector({ db: books.db, store, passed: unused });
const checkpointOf = (books: Books) => startOver(books).checkpoint();

describe('the traffic that these tests replay', () => {
  it('has filled every read model', () => {
    expect(modelTables.filter((table) => live[table]?.length === 0)).toEqual([]);
  });

  it.each([
    ['beginning', ['QuoteCreated', 'TransferCreated', 'IncomingPaymentCreated', 'DepositReceived']],
    [
      'middle',
      ['TransactionProcessing', 'FundsReceived', 'PaymentApproved', 'PaymentSubmitted', 'CreditDue'],
    ],
    [
      'end',
      [
        'TransactionCompleted',
        'TransactionFailed',
        'TransactionRejected',
        'TransactionCancelled',
        'PaymentReturned',
        'RefundCompleted',
        'RefundFailed',
      ],
    ],
  ])('has every kind of %s', (_what, expected) => {
    const types = new Set(events.map(({ type }) => type));
    expect(expected.filter((type) => !types.has(type))).toEqual([]);
  });
});

describe('replaying the log from zero', () => {
  it.each([1, 7, 500])('in batches of %i gives the same rows', async (size) => {
    const books = await emptyBooks();
    for (const batch of inParts(events, size)) await startOver(books).consume(batch);
    expect(await rowsOf(books.url)).toEqual(live);
    expect(await checkpointOf(books)).toBe(events.at(-1)?.position);
  });

  it('without a checkpoint gives the same rows', async () => {
    const { url, db } = await emptyBooks();
    await db
      .transaction()
      .execute(async (transaction) => project(projections, await followed(events), transaction));
    expect(await rowsOf(url)).toEqual(live);
  });

  it('one read model at a time gives the same rows', async () => {
    const { url, db } = await emptyBooks();
    for (const model of projections)
      await db
        .transaction()
        .execute(async (transaction) => project([model], await followed(events), transaction));
    expect(await rowsOf(url)).toEqual(live);
  });

  it('leaves alone the tables that a read model does not name as its own', async () => {
    const all = await followed(events);
    for (const model of projections) {
      const { tables } = model;
      const { url, db } = await emptyBooks();
      await db.transaction().execute((transaction) => project([model], all, transaction));
      const filled = Object.entries(await rowsOf(url)).flatMap(([name, rows]) => (rows.length ? [name] : []));
      expect(tables).toEqual(expect.arrayContaining(filled));
    }
  });
});

/** A projector that goes on from its checkpoint after every failure, as the subscription makes it do. */
async function follow(books: Books, size: number): Promise<void> {
  const { checkpoint, consume } = startOver(books);
  for (;;) {
    const after = (await checkpoint().catch(() => undefined)) ?? 0n;
    const rest = events.filter(({ position }) => position > after);
    if (rest.length === 0) return;
    const all = inParts(rest, size).reduce(
      (done, batch) => done.then(() => consume(batch)),
      Promise.resolve(),
    );
    await all.catch(unused);
  }
}

describe('a projector', () => {
  it('applies nothing twice next to others that believe they hold the lease', async () => {
    const books = await emptyBooks();
    await Promise.all([3, 5, 8].map((size) => follow(books, size)));
    expect(await rowsOf(books.url)).toEqual(live);
  });

  it('passes over what was applied before', async () => {
    const books = await emptyBooks();
    await startOver(books).consume(events);
    await startOver(books).consume(events.slice(0, 10));
    await startOver(books).consume(events);
    expect(await rowsOf(books.url)).toEqual(live);
    expect(await checkpointOf(books)).toBe(events.at(-1)?.position);
  });

  it('goes on where the last one ended between two batches', async () => {
    const books = await emptyBooks();
    await startOver(books).consume(events.slice(0, 20));
    expect(await checkpointOf(books)).toBe(events[19]?.position);
    await follow(books, 500);
    expect(await rowsOf(books.url)).toEqual(live);
  });

  it('commits neither rows nor checkpoint of a batch that fails at its end', async () => {
    const books = await emptyBooks();
    await startOver(books).consume(events.slice(0, 20));
    const before = await rowsOf(books.url);
    const away = Object.assign(new Error('the database is away'), { code: '57P01' });
    const last: Projection = {
      name: 'last',
      tables: [],
      project({ id }) {
        if (id === events[29]?.id) throw away;
      },
    };
    const { consume } = projector({ db: books.db, store, passed: unused, extra: [last] });
    await expect(consume(events.slice(20, 30))).rejects.toThrow(away);
    expect(await rowsOf(books.url)).toEqual(before);
    expect(await checkpointOf(books)).toBe(events[19]?.position);
  });

  it('commits neither when its connection is lost just before the checkpoint', async () => {
    const books = await emptyBooks();
    await startOver(books).consume(events.slice(0, 20));
    const before = await rowsOf(books.url);
    const holder = await connect(books.url);
    await holder.query('begin; update daybook.checkpoints set position = position');
    const lost = expect(startOver(books).consume(events.slice(20))).rejects.toThrow();
    await terminate(books.url, await untilSome(() => backends(books.url, 'daybook-test-books', true)));
    await lost;
    await holder.query('rollback');
    expect(await rowsOf(books.url)).toEqual(before);
    await follow(books, 500);
    expect(await rowsOf(books.url)).toEqual(live);
  });

  it('says how far it came only after the commit', async () => {
    const books = await emptyBooks();
    const seen: Promise<bigint | undefined>[] = [];
    const consumer = projector({ db: books.db, store, passed: () => void seen.push(checkpointOf(books)) });
    await consumer.consume(events);
    expect(
      await eventually(
        () => Promise.all(seen),
        ({ length }) => length > 0,
      ),
    ).toEqual([events.at(-1)?.position]);
  });
});
