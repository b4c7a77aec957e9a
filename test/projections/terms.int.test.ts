import { beforeAll, describe, expect, it } from 'vitest';
import { saveCheckpoint, startCheckpoint } from '../../projections/kept/checkpoints.ts';
import { projector } from '../../projections/projector/run.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { eventually } from '../support/flows.ts';
import { recordTraffic } from '../support/mixed-traffic.ts';
import { type Books, emptyBooks, rowsOf } from '../support/read-models.ts';

let events: readonly StoredEvent[];
beforeAll(async () => {
  ({ events } = await recordTraffic());
});

const store = { read: async (name: string) => events.filter(({ stream }) => stream === name) };
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
    await stopped.query('begin');
    await stopped.query("select from daybook.checkpoints where name = 'projections' for update");
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

describe('reactions whose term is over', () => {
  it('do not say how far they came', async () => {
    const { db } = await emptyBooks();
    await startCheckpoint(db, 'policies', 1n);
    await saveCheckpoint(db, 'policies', 7n, 1n);
    expect(await startCheckpoint(db, 'policies', 2n)).toBe(7n);
    await expect(saveCheckpoint(db, 'policies', 5n, 1n)).rejects.toThrow('later term than 1');
    expect(await startCheckpoint(db, 'policies', 2n)).toBe(7n);
  });
});
