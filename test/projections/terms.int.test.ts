import { beforeAll, describe, expect, it } from 'vitest';
import { countErasure, saveCheckpoint, startCheckpoint } from '../../projections/kept/checkpoints.ts';
import { projector } from '../../projections/projector/projector.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { ReadAgain } from '../../src/infrastructure/event-store/follow-log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { type Books, emptyBooks, rowsOf } from '../support/postgres/read-models.ts';
import { eventually } from '../support/resources/flows.ts';
import { recordTraffic } from '../support/traffic/mixed-traffic.ts';

let events: readonly StoredEvent[];
beforeAll(async () => {
  ({ events } = await recordTraffic());
});

const store = {
  read: async (name: string) => events.filter(({ stream }) => stream === name),
  last: async () => events.at(-1)?.position ?? 0n,
};
const inTerm = (books: Books, token: bigint) =>
  projector({ db: books.db, store, token, passed: () => undefined });
const earlier = () => events.slice(0, 20);
const later = () => events.slice(20);

describe('a projector whose term is over', () => {
  it('writes nothing of what it was about to write', async () => {
    const books = await emptyBooks();
    const former = inTerm(books, 1n);
    await former.checkpoint();
    await former.consume(earlier());
    const next = inTerm(books, 2n);
    expect(await next.checkpoint()).toBe(events[19]?.position);
    const before = await rowsOf(books.url);
    await expect(former.consume(later())).rejects.toThrow('in this term');
    expect(await rowsOf(books.url)).toEqual(before);
    await next.consume(later());
    expect(await next.checkpoint()).toBe(events.at(-1)?.position);
  });

  it('cannot begin anew', async () => {
    const books = await emptyBooks();
    await inTerm(books, 2n).checkpoint();
    await expect(inTerm(books, 1n).checkpoint()).rejects.toThrow('later term than 1');
  });

  it('holds up the next one for seconds at the most when it was stopped inside a transaction', async () => {
    const books = await emptyBooks();
    await inTerm(books, 1n).checkpoint();
    const pool = createPool({ url: books.url, max: 1, name: 'stopped', statementMaxMs: 1_000 });
    const stopped = await pool.connect();
    // In one: it is given a second between two statements.
    await stopped.query("begin; select from daybook.checkpoints where name = 'projections' for update");
    const next = inTerm(books, 2n);
    const at = await eventually(
      () => Promise.resolve(next.checkpoint()).catch(() => 'held'),
      (answer) => answer !== 'held',
    );
    expect(at).toBe(undefined);
    await expect(stopped.query('commit')).rejects.toThrow();
    stopped.release(true);
    await pool.end();
  });
});

describe('a projector that has read of somebody who was erased since', () => {
  it('writes nothing of what it was about to write, and reads the log again', async () => {
    const books = await emptyBooks();
    let forgotten = 0;
    const forget = () => void forgotten++;
    const own = projector({ db: books.db, store, forget, passed: () => undefined });
    await own.checkpoint();
    await own.consume(earlier());
    forgotten = 0;
    await countErasure(books.db);
    const before = await rowsOf(books.url);
    await expect(own.consume(later())).rejects.toThrow(ReadAgain);
    expect(await rowsOf(books.url)).toEqual(before);
    expect(forgotten).toBe(0);
    expect(await own.checkpoint()).toBe(events[19]?.position);
    expect(forgotten).toBe(1);
    await own.consume(later());
    expect(await own.checkpoint()).toBe(events.at(-1)?.position);
  });

  it('makes rows of what the log says, whatever this process knows', async () => {
    const [books, others] = [await emptyBooks(), await emptyBooks()];
    await inTerm(others, 0n).consume(events);
    const known = { data: { said: 'before' }, state: { status: 'none' } };
    await inTerm(books, 0n).consume(events.map((event) => ({ ...event, known })));
    expect(await rowsOf(books.url)).toEqual(await rowsOf(others.url));
  });

  it('takes no events that were read before, when it has heard of it by itself', async () => {
    const books = await emptyBooks();
    const own = inTerm(books, 0n);
    await own.checkpoint();
    await expect(
      own.consume([{ ...events[0], type: 'NeverHeardOf' } as StoredEvent]),
    ).resolves.toBeUndefined();
    await countErasure(books.db);
    const retried = () => own.retry().then(() => 'nothing is due', String);
    await eventually(retried, (answer) => answer.includes('in this term'));
    await expect(own.consume(later())).rejects.toThrow(ReadAgain);
  });
});

describe('reactions whose term is over', () => {
  it('do not say how far they came', async () => {
    const { db } = await emptyBooks();
    await startCheckpoint(db, 'policies', 1n);
    await saveCheckpoint(db, 'policies', 7n, 1n);
    expect(await startCheckpoint(db, 'policies', 2n)).toMatchObject({ position: 7n });
    await expect(saveCheckpoint(db, 'policies', 5n, 1n)).rejects.toThrow('later term than 1');
    expect(await startCheckpoint(db, 'policies', 2n)).toMatchObject({ position: 7n });
  });
});
