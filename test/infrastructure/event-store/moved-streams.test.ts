import { describe, expect, it } from 'vitest';
import { type StoredEvent, WrongRevision } from '../../../src/infrastructure/event-store/event-store.ts';
import {
  type Moves,
  openMovedReader,
  openMovedStreams,
} from '../../../src/infrastructure/event-store/moved-streams.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';

const moves: Moves = {
  stream: 'moves',
  of: ({ type, data, position }) =>
    type === 'Moved'
      ? { ...(data as { owner: string; generation: number; streams: string[] }), position }
      : undefined,
};
let ids = 0;
const event = (owner: string, type = 'Said', data: object = {}) => ({
  id: `${ids++}`,
  type,
  data: { ...data },
  metadata: {
    platformId: owner,
    correlationId: 'c',
    causationId: 'c',
    actor: 'a',
    at: '2026-01-01T00:00:00.000Z',
  },
});
const moved = (owner: string, generation: number, streams: readonly string[]) =>
  event('installation', 'Moved', { owner, generation, streams });

async function opened() {
  const log = memoryEventStore();
  return { log, ...(await openMovedStreams(log, moves)) };
}
type Opened = Awaited<ReturnType<typeof opened>>;

const record = async (
  { store, log, move }: Opened,
  owner: string,
  generation: number,
  streams: readonly string[],
) => {
  const { length } = await log.read(moves.stream);
  await store.append(moves.stream, length === 0 ? 'none' : length - 1, [moved(owner, generation, streams)]);
  const told = moves.of(log.all.at(-1) as StoredEvent);
  if (told) move(told);
};

/** What a follower is handed over, batch by batch, up to the end of the log. */
async function followed(log: Opened['log'], store = log as Opened['store']): Promise<readonly string[][]> {
  const batches: string[][] = [];
  const end = log.all.at(-1)?.position;
  await new Promise<void>((resolve) => {
    store.subscribeToAll({
      after: undefined,
      consume: async (events) => {
        batches.push(events.map(({ stream, revision, type }) => `${stream} ${revision} ${type}`));
        if (events.at(-1)?.position === end) resolve();
      },
    });
  });
  return batches;
}

describe('streams that go on elsewhere', () => {
  it('have one name for the code, and begin anew in the log', async () => {
    const all = await opened();
    const { store, log, placeOf } = all;
    await store.append('one', 'none', [event('A')]);
    await store.append('other', 'none', [event('B')]);
    await record(all, 'A', 1, ['one']);
    expect(await store.read('one')).toEqual([]);
    await store.append('one', 'none', [event('A', 'Anew')]);
    expect(placeOf('one')).toBe('one.1');
    expect((await store.read('one')).map(({ stream, type }) => [stream, type])).toEqual([['one', 'Anew']]);
    expect(await log.read('one.1')).toHaveLength(1);
    expect(await log.read('one')).toHaveLength(1);
    expect(await store.read('other')).toHaveLength(1);
    await record(all, 'A', 2, ['two']);
    expect([placeOf('one'), placeOf('two'), placeOf('three')]).toEqual(['one.2', 'two.2', 'three']);
  });

  it('have left what they had before, and nothing that comes after', async () => {
    const all = await opened();
    const { store, log, isLeft } = all;
    await store.append('one', 'none', [event('A')]);
    await store.append('other', 'none', [event('B')]);
    const [before, beside] = log.all;
    if (!before || !beside) throw new Error('nothing is there');
    expect(isLeft(before)).toBe(false);
    await record(all, 'A', 1, ['one']);
    const { position } = await store.append('one', 'none', [event('A', 'Anew')]);
    const anew = { stream: 'one', position };
    expect([before, beside, anew].map(isLeft)).toEqual([true, false, false]);
    await record(all, 'A', 2, []);
    expect([before, beside, anew].map(isLeft)).toEqual([true, false, true]);
  });

  it('are known to whoever opens the log later', async () => {
    const all = await opened();
    await record(all, 'A', 1, ['one']);
    await record(all, 'B', 1, ['two']);
    await record(all, 'A', 2, []);
    const later = await openMovedStreams(all.log, moves);
    expect([later.placeOf('one'), later.placeOf('two')]).toEqual(['one.2', 'two.1']);
    expect(later.standingOf('A')).toMatchObject({ generation: 2, streams: new Set(['one']) });
    expect(later.standingOf('C')).toBeUndefined();
  });

  it('are followed from where they begin anew, and a move ends a batch', async () => {
    const all = await opened();
    const { store, log } = all;
    await store.append('one', 'none', [event('A')]);
    await store.append('other', 'none', [event('B')]);
    await record(all, 'A', 1, ['one']);
    await store.append('one', 'none', [event('A', 'Anew')]);
    const { store: fresh } = await openMovedStreams(log, moves);
    expect(await followed(log, fresh)).toEqual([['other 0 Said', 'moves 0 Moved'], ['one 0 Anew']]);
    // Whoever begins with nothing has nothing to forget.
    const { store: reader } = await openMovedReader(log, moves);
    expect((await followed(log, reader)).flat()).toEqual(['other 0 Said', 'one 0 Anew']);
    await expect(reader.append('one', 'none', [])).rejects.toThrow('nothing is written here');
  });

  it('are moved for a follower by the log itself', async () => {
    const { store, log } = await opened();
    const { store: follower, placeOf } = await openMovedStreams(log, moves);
    await store.append('one', 'none', [event('A')]);
    await log.append('moves', 'none', [moved('A', 1, ['one'])]);
    await log.append('one.1', 'none', [event('A', 'Anew')]);
    expect(await followed(log, follower)).toEqual([['one 0 Said', 'moves 0 Moved'], ['one 0 Anew']]);
    expect(placeOf('one')).toBe('one.1');
  });

  it('are written and read by nobody while their owner is held', async () => {
    const all = await opened();
    const { store, hold } = all;
    await store.append('one', 'none', [event('A')]);
    const release = await hold('A');
    const waiting = store.append('one', 0, [event('A')]);
    const created = store.append('new', 'none', [event('A')]);
    await store.append('other', 'none', [event('B')]);
    await record(all, 'A', 1, ['one']);
    let isRead = false;
    const reading = store.read('one').then((events) => {
      isRead = true;
      return events;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isRead).toBe(false);
    release();
    // It was decided on what is no more.
    await expect(waiting).rejects.toThrow(WrongRevision);
    expect(await reading).toEqual([]);
    expect(await created).toMatchObject({ revision: 0 });
  });

  it('take nothing that was decided before they were moved, though they have come as far since', async () => {
    const all = await opened();
    const { store, log, hold } = all;
    await store.append('one', 'none', [event('A')]);
    const release = await hold('A');
    const waiting = store.append('one', 0, [event('A', 'Decided')]);
    await record(all, 'A', 1, ['one']);
    await log.append('one.1', 'none', [event('A', 'Copied')]);
    release();
    await expect(waiting).rejects.toThrow(WrongRevision);
    expect((await log.read('one.1')).map(({ type }) => type)).toEqual(['Copied']);
  });

  it('are held when what is written beside them has ended, and nothing more is until they are not', async () => {
    const { hold, beside } = await opened();
    const done: string[] = [];
    const write = (name: string, until?: Promise<void>) => async () => {
      await until;
      done.push(name);
    };
    const first = Promise.withResolvers<void>();
    const writing = beside('A', write('first', first.promise));
    const holding = hold('A').then((release) => {
      done.push('held');
      return release;
    });
    const waiting = beside('A', write('second'));
    await beside('B', write('other'));
    first.resolve();
    await writing;
    const release = await holding;
    expect(done).toEqual(['other', 'first', 'held']);
    release();
    await waiting;
    expect(done.at(-1)).toBe('second');
  });

  it('were held where they are, or have been meanwhile, and not where that was before', async () => {
    const { hold, holding } = await opened();
    (await hold('A'))();
    const never = holding();
    expect(never()).toBe(false);
    const meanwhile = holding();
    const release = await hold('A');
    const already = holding();
    release();
    expect([never(), meanwhile(), already(), holding()()]).toEqual([true, true, true, false]);
  });

  it('tell their names when they are moved', async () => {
    const all = await opened();
    const told: string[][] = [];
    all.onMove((streams) => told.push([...streams]));
    await record(all, 'A', 1, ['one']);
    await record(all, 'A', 2, ['two']);
    all.move({ owner: 'A', generation: 2, position: 9n, streams: ['three'] });
    expect(told).toEqual([['one'], ['one', 'two']]);
  });
});
