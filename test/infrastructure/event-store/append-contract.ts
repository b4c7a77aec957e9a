import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WrongRevision } from '../../../src/infrastructure/event-store/event-store.ts';
import type { Subject } from './contract.ts';
import { aNewEvent, here, idsOf, newEvents, record } from './recording.ts';

const deepData = {
  text: 'Zürich — 東京 — שלום — 🪙👩‍🚀 — "quoted" \\ \n',
  numbers: [0, -1, 1.5, 9_007_199_254_740_991, 1e-7],
  nested: { list: [{ empty: {} }, [], [[null, true, false]]], 'key with space': { ключ: 'значение' } },
};

export function appendContract(subject: () => Subject): void {
  describe('appending', () => {
    it('counts revisions from zero', async () => {
      const { store, prefix } = subject();
      const first = await store.append(`${prefix}a`, 'none', newEvents(2));
      const second = await store.append(`${prefix}a`, 1, newEvents(1));
      expect([first.revision, second.revision]).toEqual([1, 2]);
      expect((await store.read(`${prefix}a`)).map(({ revision }) => revision)).toEqual([0, 1, 2]);
    });

    it('does not append what is not to be sent any more, but what comes with it', async () => {
      const { store, prefix } = subject();
      const over = new Error('too late');
      const requireStill = () => {
        throw over;
      };
      const [late, inTime] = await Promise.allSettled([
        store.append(`${prefix}a`, 'none', newEvents(1), { requireStill, latest: undefined }),
        store.append(`${prefix}b`, 'none', newEvents(1), {
          requireStill: () => undefined,
          latest: undefined,
        }),
      ]);
      expect(late).toEqual({ status: 'rejected', reason: over });
      expect(inTime.status).toBe('fulfilled');
      expect(await store.read(`${prefix}a`)).toEqual([]);
    });

    it('says where the log ends', async () => {
      const { store, prefix } = subject();
      const { position } = await store.append(`${prefix}a`, 'none', newEvents(3));
      expect(await store.last()).toBeGreaterThanOrEqual(position);
      expect(await here(store)).toBe(await store.last());
    });

    it('gives positions that grow, within an append and from one to the next', async () => {
      const { store, prefix } = subject();
      const first = await store.append(`${prefix}a`, 'none', newEvents(3));
      const second = await store.append(`${prefix}b`, 'none', newEvents(1));
      const positions = (await store.read(`${prefix}a`)).map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => (a < b ? -1 : 1)));
      expect(positions.at(-1)).toBe(first.position);
      expect(second.position).toBeGreaterThan(first.position);
    });

    it('gives back what was appended', async () => {
      const { store, prefix } = subject();
      const event = aNewEvent(deepData, 'DeeplyNoted');
      const { position } = await store.append(`${prefix}a`, 'none', [event]);
      expect(await store.read(`${prefix}a`)).toEqual([
        { ...event, stream: `${prefix}a`, revision: 0, position },
      ]);
    });

    it('keeps the order within an append of 400 events of 2 KiB', async () => {
      const { store, prefix } = subject();
      const events = newEvents(400, { text: 'x'.repeat(2_048) });
      const { revision } = await store.append(`${prefix}a`, 'none', events);
      expect(revision).toBe(399);
      expect(idsOf(await store.read(`${prefix}a`))).toEqual(idsOf(events));
    });
  });

  describe('reading', () => {
    it('finds nothing in a stream that does not exist', async () => {
      const { store, prefix } = subject();
      expect(await store.read(`${prefix}a`)).toEqual([]);
      expect(await store.read(`${prefix}a`, 3)).toEqual([]);
    });

    it.each([0, 1, 3, 4])('starts at revision %i', async (from) => {
      const { store, prefix } = subject();
      const events = newEvents(4);
      await store.append(`${prefix}a`, 'none', events);
      expect(idsOf(await store.read(`${prefix}a`, from))).toEqual(idsOf(events.slice(from)));
    });

    it.each([
      [0, 1],
      [2, 3],
      [6, 10],
    ])('reads from revision %i at most %i events', async (from, most) => {
      const { store, prefix } = subject();
      const events = newEvents(8);
      await store.append(`${prefix}a`, 'none', events);
      expect(idsOf(await store.read(`${prefix}a`, from, most))).toEqual(
        idsOf(events.slice(from, from + most)),
      );
    });

    it('does not see streams whose name goes on', async () => {
      const { store, prefix } = subject();
      await store.append(`${prefix}ab`, 'none', newEvents(1));
      expect(await store.read(`${prefix}a`)).toEqual([]);
    });
  });

  describe('a conflict', () => {
    it.each([
      { there: 0, expected: 0, actual: 'none' },
      { there: 0, expected: 7, actual: 'none' },
      { there: 2, expected: 'none', actual: 1 },
      { there: 2, expected: 0, actual: 1 },
      { there: 2, expected: 5, actual: 1 },
    ] as const)(
      'is told for $expected with a stream of $there events',
      async ({ there, expected, actual }) => {
        const { store, prefix } = subject();
        if (there > 0) await store.append(`${prefix}a`, 'none', newEvents(there));
        const refused = store.append(`${prefix}a`, expected, newEvents(1));
        await expect(refused).rejects.toThrow(WrongRevision);
        await expect(refused).rejects.toMatchObject({ stream: `${prefix}a`, expected, actual });
        expect(await store.read(`${prefix}a`)).toHaveLength(there);
      },
    );

    it('writes none of several events', async () => {
      const { store, prefix } = subject();
      const after = await here(store);
      await store.append(`${prefix}a`, 'none', newEvents(1));
      await expect(store.append(`${prefix}a`, 'none', newEvents(3))).rejects.toThrow(WrongRevision);
      await store.append(`${prefix}a`, 0, newEvents(1));
      const recording = record(store, { after, streamPrefixes: [prefix] });
      await recording.reached(2);
      expect(recording.events.map(({ revision }) => revision)).toEqual([0, 1]);
      await recording.stop();
    });
  });

  describe('a repeated append', () => {
    it.each([1, 3])('succeeds with %i events as it did the first time', async (count) => {
      const { store, prefix } = subject();
      const events = newEvents(count);
      const first = await store.append(`${prefix}a`, 'none', events);
      expect(await store.append(`${prefix}a`, 'none', events)).toEqual(first);
      expect(await store.read(`${prefix}a`)).toHaveLength(count);
    });

    it('succeeds when others have appended since', async () => {
      const { store, prefix } = subject();
      await store.append(`${prefix}a`, 'none', newEvents(1));
      const events = newEvents(2);
      const first = await store.append(`${prefix}a`, 0, events);
      await store.append(`${prefix}a`, 2, newEvents(2));
      expect(await store.append(`${prefix}a`, 0, events)).toEqual(first);
      expect(await store.read(`${prefix}a`)).toHaveLength(5);
    });

    it('is a conflict with another id in any place', async () => {
      const { store, prefix } = subject();
      const [first, second] = [aNewEvent(), aNewEvent()];
      await store.append(`${prefix}a`, 'none', [first, second]);
      const other = { ...second, id: randomUUID() };
      await expect(store.append(`${prefix}a`, 'none', [first, other])).rejects.toThrow(WrongRevision);
      await expect(store.append(`${prefix}a`, 'none', [other, second])).rejects.toThrow(WrongRevision);
    });

    it('is a conflict when it is longer than what was written', async () => {
      const { store, prefix } = subject();
      const event = aNewEvent();
      await store.append(`${prefix}a`, 'none', [event]);
      await expect(store.append(`${prefix}a`, 'none', [event, aNewEvent()])).rejects.toThrow(WrongRevision);
    });
  });

  describe('many writers', () => {
    it('win each revision of one stream once', async () => {
      const { store, prefix } = subject();
      for (const expected of ['none', 0, 1] as const) {
        const attempts = newEvents(50).map((event) => store.append(`${prefix}a`, expected, [event]));
        const outcomes = await Promise.allSettled(attempts);
        const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(refusals.filter(({ reason }) => reason instanceof WrongRevision)).toHaveLength(49);
      }
      expect(await store.read(`${prefix}a`)).toHaveLength(3);
    });

    it('show a subscriber every event once, in order', async () => {
      const { store, prefix } = subject();
      const recording = record(store, { after: await here(store), streamPrefixes: [prefix] });
      const writers = Array.from({ length: 20 }, async (_, writer) => {
        for (const expected of ['none', 1, 3] as const)
          await store.append(`${prefix}${writer}`, expected, newEvents(2));
      });
      await Promise.all(writers);
      await recording.reached(120);
      const positions = recording.events.map(({ position }) => position);
      expect(positions.every((position, i) => i === 0 || position > (positions[i - 1] ?? position))).toBe(
        true,
      );
      expect(new Set(idsOf(recording.events)).size).toBe(120);
      await recording.stop();
    });
  });
}
