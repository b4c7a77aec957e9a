import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { type Growing, growing } from '../../../src/infrastructure/log-tree/growing.ts';
import { reachedIn } from '../../../src/infrastructure/log-tree/tiles.ts';
import { createPool, type Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { countStatements } from '../../support/postgres/counted.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';
import { patienceMs } from '../../support/time/patience.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const event = (position: number): StoredEvent => ({
  id: uuidNumber(position),
  type: 'Happened',
  data: {},
  stream: 'thing-1',
  revision: position - 1,
  position: BigInt(position),
  metadata: {
    platformId: 'p',
    correlationId: 'c',
    causationId: 'c',
    actor: 'a',
    at: '2026-01-01T00:00:00.000Z',
    hash: position.toString(16).padStart(64, '0'),
  },
});
/** The events at positions `from` to `to`. */
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => event(from + n));

describe('a tree that grows', () => {
  /** An empty tree, and the errors that were told. */
  async function seed(): Promise<{
    tree: Growing;
    pool: Pool;
    error: ReturnType<typeof vi.fn>;
    asked: () => number;
  }> {
    const { url } = await emptyBooks();
    const pool = createPool({ url, max: 2, name: 'test-tree', schema: 'daybook' });
    onTestFinished(() => pool.end());
    const error = vi.fn();
    let statements = 0;
    countStatements(pool, () => {
      statements += 1;
    });
    return { tree: growing(pool, { error }), pool, error, asked: () => statements };
  }
  const size = async (pool: Pool) => (await reachedIn(pool)).size;

  it('lets those who follow the log go on, and writes all that came meanwhile at once', async () => {
    const { tree, pool } = await seed();
    for (let from = 1; from < 5_000; from += 500) await tree.add(events(from, from + 499));
    expect(await size(pool)).toBe(0);
    await vi.waitFor(async () => expect(await size(pool)).toBe(5_000), patienceMs);
  });

  it('writes so many rows of the tree by as few statements as one', async () => {
    const { tree, pool, asked } = await seed();
    const counts: number[] = [];
    for (const [from, to] of [
      [1, 256],
      [257, 1_024],
      [1_025, 4_096],
    ] as const) {
      const before = asked();
      await tree.add(events(from, to));
      await tree.write();
      counts.push(asked() - before);
    }
    expect(await size(pool)).toBe(4_096);
    // Where it is, twice at first; later the row of the level above; a transaction of two statements.
    expect(counts).toEqual([6, 5, 5]);
  });

  it('holds so many hashes at most: who brings more waits', async () => {
    const { tree, pool } = await seed();
    await tree.add(events(1, 10_000));
    expect(await size(pool)).toBe(10_000);
  });

  it('adds an event once that comes again before it is written, or after it', async () => {
    const { tree, pool } = await seed();
    await tree.add(events(1, 10));
    await tree.add(events(4, 12));
    await tree.write();
    await tree.add(events(9, 13));
    await tree.write();
    expect(await reachedIn(pool)).toEqual({ size: 13, position: 13n, unsealed: 0 });
  });

  it('tries again what could not be written, and tells of it', async () => {
    const { tree, pool, error } = await seed();
    await tree.add(events(1, 3));
    await pool.query('alter table log_tree rename to log_tree_away');
    await vi.waitFor(() => expect(error).toHaveBeenCalled(), patienceMs);
    await pool.query('alter table log_tree_away rename to log_tree');
    await vi.waitFor(async () => expect(await size(pool)).toBe(3), patienceMs);
  });

  it('leaves to another what that one has added', async () => {
    const { tree, pool } = await seed();
    await tree.add(events(1, 6));
    const other = growing(pool, { error: vi.fn() });
    await other.add(events(1, 4));
    await other.write();
    await tree.write();
    expect(await size(pool)).toBe(6);
  });

  it('has the log read anew where the tree is behind what was to follow', async () => {
    const { tree, pool } = await seed();
    await tree.add(events(1, 6));
    await tree.write();
    await pool.query('update log_tree set size = 2, position = 2, unsealed = 0');
    await tree.add(events(7, 8));
    await expect(tree.write()).rejects.toThrow();
    await expect(tree.write()).rejects.toThrow(/behind/);
    await expect(tree.add(events(9, 9))).rejects.toThrow(/anew/);
    await tree.add(events(3, 9));
    await tree.write();
    expect(await size(pool)).toBe(9);
  });
});
