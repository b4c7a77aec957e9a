import { expect, it } from 'vitest';
import { pagesOf } from '../../projections/projector/rebuild/pages.ts';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
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
