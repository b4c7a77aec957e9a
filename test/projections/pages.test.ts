import { expect, it } from 'vitest';
import { pagesOf } from '../../projections/projector/rebuild/pages.ts';
import { restored } from '../../src/app/parts/core/event-store.ts';
import type {
  EventStore,
  JsonObject,
  StoredEvent,
} from '../../src/infrastructure/event-store/event-store.ts';
import { movedName } from '../../src/infrastructure/event-store/moved-owners.ts';
import { openMovedStreams } from '../../src/infrastructure/event-store/moved-streams.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { uuidNumber } from '../support/values/ids.ts';

/** A log of so many events, of which those at some positions are not shown. */
async function logWithout(count: number, hidden: readonly bigint[]): Promise<EventStore> {
  const store = memoryEventStore();
  for (let n = 0; n < count; n++)
    await store.append(`stream-${n}`, 'none', [
      { id: uuidNumber(n), type: 'Any', data: {}, metadata: {} as never },
    ]);
  const isShown = ({ position }: StoredEvent) => !hidden.includes(position);
  return {
    ...store,
    subscribeToAll: (options) =>
      store.subscribeToAll({
        ...options,
        consume: async (events) => {
          const shown = events.filter(isShown);
          if (shown.length > 0) await options.consume(shown);
        },
      }),
  };
}

const positionsIn = async (store: EventStore, until: bigint): Promise<readonly (readonly bigint[])[]> => {
  const pages: bigint[][] = [];
  for await (const page of pagesOf(store, { after: 2n, until, pageMax: 2 }))
    pages.push(page.map(({ position }) => position));
  return pages;
};

it('a stretch of the log comes in pages', async () => {
  expect(await positionsIn(await logWithout(9, []), 7n)).toEqual([[3n, 4n], [5n, 6n], [7n]]);
});

it.each([
  [
    'the last event of it',
    [7n],
    [
      [3n, 4n],
      [5n, 6n],
    ],
  ],
  ['any of it', [3n, 4n, 5n, 6n, 7n], []],
])('it ends where its platform went back, and %s is not shown', async (_, hidden, pages) => {
  expect(await positionsIn(await logWithout(9, hidden), 7n)).toEqual(pages);
});

/** An empty log, and what puts events at its end. */
function logInMemory() {
  const log = memoryEventStore();
  let n = 0;
  const append = (stream: string, type = 'Any', data: JsonObject = {}) =>
    log.append(stream, 'none', [{ id: uuidNumber(++n), type, data, metadata: {} as never }]);
  const goBack = (streams: readonly string[]) =>
    append(restored.stream, 'PlatformStateRestored', {
      platformId: 'Platform:1',
      snapshotId: 'Snapshot:1',
      generation: 1,
      streams,
    });
  return { log, append, goBack };
}

it('a page ends with the way back of a platform: its streams begin anew after it', async () => {
  const { log, append, goBack } = logInMemory();
  const { store } = await openMovedStreams(log, restored);
  for (const stream of ['one-1', 'two-2']) await append(stream);
  await goBack(['one-1']);
  for (const stream of [movedName('one-1', 1), 'three-3']) await append(stream);
  const pages: string[][] = [];
  for await (const page of pagesOf(store, { after: undefined, until: 5n, pageMax: 100 }))
    pages.push(page.map(({ stream }) => stream));
  expect(pages).toEqual([
    ['one-1', 'two-2', restored.stream],
    ['one-1', 'three-3'],
  ]);
});

it.each([1, 2, 100])('a log whose last event nobody is shown has an end, in pages of %i', async (pageMax) => {
  const { log, append, goBack } = logInMemory();
  await append('two-2');
  await goBack(['one-1', 'four-4']);
  for (const stream of [movedName('one-1', 1), 'three-3', 'one-1', 'four-4']) await append(stream);
  const { store } = await openMovedStreams(log, restored, { tellsFormerMoves: false });
  const until = await store.last();
  const streams: string[] = [];
  for await (const page of pagesOf(store, { after: undefined, until, pageMax }))
    streams.push(...page.map(({ stream }) => stream));
  expect(streams).toEqual(['two-2', 'one-1', 'three-3']);
  for await (const _ of pagesOf(store, { after: until - 1n, until, pageMax })) expect.unreachable();
});

it('so has one that ends with a way back of which nobody is told', async () => {
  const { log, append, goBack } = logInMemory();
  await append('two-2');
  await goBack(['one-1']);
  const { store } = await openMovedStreams(log, restored, { tellsFormerMoves: false });
  const pages: string[][] = [];
  for await (const page of pagesOf(store, { after: undefined, until: 2n, pageMax: 100 }))
    pages.push(page.map(({ stream }) => stream));
  expect(pages).toEqual([['two-2']]);
});
