import { describe, expect, it } from 'vitest';
import { listParked, retryParked } from '../../projections/kept/parked.ts';
import { createReact, reactionConsumer } from '../../src/infrastructure/commands/reaction-consumer.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { Rejected } from '../../src/kernel/rejected.ts';
import { createParked } from '../../src/workers/parked.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';

const metadata = { platformId: 'p', correlationId: 'c', causationId: 'c', actor: 'test', at: '2026-01-01' };
const eventOf = (n: number, stream: string): StoredEvent => ({
  id: `event-${n}`,
  type: 'Happened',
  stream,
  revision: 0,
  position: BigInt(n),
  data: {},
  metadata,
});

const broke = () => new TypeError('the rail is out of order');

/** Three events, and two reactions to each: the first fails for the second event while it is broken. */
async function reacting(failure: () => Error = broke) {
  const books = await emptyBooks();
  let count = 0;
  const db = books.db.withPlugin({
    transformQuery: ({ node }) => {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const events = [1, 2, 3].map((n) => eventOf(n, `stream-${n}`));
  const broken = { is: true };
  const seen = { first: [] as string[], second: [] as string[], refused: 0 };
  const counts: ReadonlyMap<string, number>[] = [];
  const react = createReact<StoredEvent>({
    decode: (stored) => stored,
    reactions: [
      async ({ id }) => {
        if (broken.is && id === 'event-2') throw failure();
        seen.first.push(id);
      },
      async ({ id }) => void seen.second.push(id),
    ],
    refused: () => {
      seen.refused += 1;
    },
    log: createLog('silent'),
  });
  const store = {
    // Of what has come to the stream since, nothing is needed.
    async read(stream: string, _from?: number, most?: number) {
      expect(most).toBe(1);
      return events.filter((event) => event.stream === stream);
    },
  };
  const parked = createParked({ readDb: db, store, react, parked: (count) => void counts.push(count) });
  const saved: bigint[] = [];
  const consumer = reactionConsumer({
    react,
    park: parked.park,
    load: async () => undefined,
    save: async (position) => void saved.push(position),
    passed: () => undefined,
    isMine: () => true,
    log: createLog('silent'),
  });
  return { db, events, broken, seen, parked, consumer, counts, saved, statements: () => count };
}

describe('an event whose reaction fails', () => {
  it('is kept, and holds up neither other events nor other reactions', async () => {
    const { db, events, seen, consumer, saved } = await reacting();
    await consumer.consume(events);
    await consumer.close?.();
    expect(await listParked(db, 10)).toMatchObject([
      {
        consumer: 'reactions',
        event_id: 'event-2',
        error: 'TypeError: the rail is out of order',
        attempts: 1,
      },
    ]);
    expect(seen.first.toSorted()).toEqual(['event-1', 'event-3']);
    expect(seen.second.toSorted()).toEqual(['event-1', 'event-2', 'event-3']);
    expect(saved.at(-1)).toBe(3n);
  });

  it('is tried again when it is due, until it succeeds', async () => {
    const { db, events, broken, seen, consumer, parked, counts } = await reacting();
    await consumer.consume(events);
    await retryParked(db, undefined);
    await parked.retry();
    const [again] = await listParked(db, 10);
    expect(again?.attempts).toBe(2);
    expect(again?.next_try_at.getTime()).toBeGreaterThan(again?.parked_at.getTime() ?? 0);
    expect(counts.at(-1)).toEqual(new Map([['reactions', 1]]));
    broken.is = false;
    await retryParked(db, 'event-2');
    await parked.retry();
    expect(await listParked(db, 10)).toEqual([]);
    expect(seen.first.filter((id) => id === 'event-2')).toHaveLength(1);
    expect(counts.at(-1)).toEqual(new Map());
  });

  it('is tried again too where a command was refused that may be taken later, and hides no other reaction', async () => {
    const notYet = () => new Rejected('REFERENCE_NOT_FOUND', 'There is no such account yet.');
    const { db, events, broken, seen, consumer, parked } = await reacting(notYet);
    await consumer.consume(events);
    expect(await listParked(db, 10)).toMatchObject([{ event_id: 'event-2' }]);
    expect([seen.refused, seen.second.includes('event-2')]).toEqual([1, true]);
    broken.is = false;
    await retryParked(db, 'event-2');
    await parked.retry();
    expect(await listParked(db, 10)).toEqual([]);
    expect(seen.first).toContain('event-2');
  });

  it('does not wait for a time that it was given before the clock of the server was put back', async () => {
    const { db, events, seen, broken, consumer, parked } = await reacting();
    await consumer.consume(events);
    broken.is = false;
    const inAnHour = new Date(Date.now() + 3_600_000);
    await db.updateTable('parked_work').set({ next_try_at: inAnHour }).execute();
    await parked.retry();
    expect(await listParked(db, 10)).toEqual([]);
    expect(seen.first).toContain('event-2');
  });

  it('costs one statement to look for where nothing is parked', async () => {
    const { parked, statements, counts } = await reacting();
    const before = statements();
    await parked.retry();
    expect(statements() - before).toBe(1);
    expect(counts).toEqual([new Map()]);
  });

  it('is not kept by who has lost the lease meanwhile: the next holder sees to it', async () => {
    let isMine = true;
    const kept: string[] = [];
    const consumer = reactionConsumer({
      react: async () => {
        isMine = false;
        return { error: broke() };
      },
      park: async ({ id }) => void kept.push(id),
      load: async () => undefined,
      save: async (position) => void kept.push(String(position)),
      passed: (position) => void kept.push(String(position)),
      isMine: () => isMine,
      log: createLog('silent'),
    });
    await expect(consumer.consume([eventOf(1, 'stream-1')])).rejects.toThrow(
      'the lease of the reactions is lost',
    );
    await consumer.close?.();
    expect(kept).toEqual([]);
  });

  it('is not kept, and the log followed anew, where nothing can be kept', async () => {
    const { db, events, consumer, saved } = await reacting();
    await db.destroy();
    await expect(consumer.consume(events)).rejects.toThrow();
    expect(saved).toEqual([]);
  });
});
