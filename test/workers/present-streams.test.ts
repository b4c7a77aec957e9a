import { describe, expect, it } from 'vitest';
import type { PlatformId } from '../../src/kernel/ids.ts';
import { presentStreams } from '../../src/workers/platform-snapshots/present-streams.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';

const own = 'Platform:01a1f879-0000-7000-8000-000000000001' as PlatformId;
const other = 'Platform:01a1f879-0000-7000-8000-000000000002' as PlatformId;

/** What the platform has in a log where its last event says this, after a snapshot. */
async function presentWith(data: object) {
  const store = memoryEventStore();
  const metadata = { platformId: own, correlationId: 'one', causationId: 'one', actor: 'test', at: '' };
  const append = (n: number, stream: string, of: object) =>
    store.append(stream, 'none', [
      { id: `01a1f879-0000-7000-8000-00000000001${n}`, type: 'Any', data: of as never, metadata },
    ]);
  await append(1, 'platform-01a1f879-0000-7000-8000-000000000001', {});
  const since = await store.last();
  await append(2, 'transaction-01a1f879-0000-7000-8000-000000000003', data);
  const moved = { store, standingOf: () => undefined };
  return presentStreams(moved, { platformId: own, since }, await store.last());
}

describe('a payment since the snapshot is shared, before the other platform has written anything,', () => {
  it.each([
    ['where it comes from there', { origin: { transactionId: 'Transaction:1', platformId: other } }],
    ['where it goes there', { route: { kind: 'CUSTOMER', platformId: other } }],
  ])('%s', async (_, data) => {
    expect([...(await presentWith(data)).sharedWith]).toEqual([other]);
  });

  it.each([
    ['is between its own customers', { origin: { platformId: own } }],
    ['goes outside', { route: { kind: 'OUTSIDE' } }],
  ])('and is not where it %s', async (_, data) => {
    expect((await presentWith(data)).sharedWith.size).toBe(0);
  });
});

it('a payment that was with another platform before the snapshot is shared by what becomes of it since', async () => {
  const store = memoryEventStore();
  const id = '01a1f879-0000-7000-8000-000000000003';
  const append = (n: number, revision: number | 'none', more: object, data: object = {}) =>
    store.append(`transaction-${id}`, revision, [
      {
        id: `01a1f879-0000-7000-8000-00000000002${n}`,
        type: 'Any',
        data: data as never,
        metadata: {
          platformId: own,
          correlationId: `${n}`,
          causationId: 'one',
          actor: 'test',
          at: '',
          ...more,
        },
      },
    ]);
  const copy = { copyOf: '01a1f879-0000-7000-8000-000000000009' };
  await append(1, 'none', copy, { route: { kind: 'CUSTOMER', platformId: other } });
  const present = async () => {
    const standingOf = () => ({ generation: 1, since: 0n, streams: new Set<string>() });
    const { sharedWith } = await presentStreams(
      { store, standingOf },
      { platformId: own, since: 0n },
      await store.last(),
    );
    return [...sharedWith];
  };
  expect(await present()).toEqual([]);
  await append(2, 0, {});
  expect(await present()).toEqual([other]);
});
