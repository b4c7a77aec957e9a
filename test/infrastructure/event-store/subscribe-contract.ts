import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Subject } from './contract.ts';
import { aNewEvent, eventually, here, idsOf, newEvents, type Recording, record } from './recording.ts';

/** Appends one more event and waits for it: what the subscription was to give before has been given by then. */
async function settled({ store, prefix }: Subject, recording: Recording): Promise<readonly string[]> {
  const last = aNewEvent();
  await store.append(`${prefix}last`, 'none', [last]);
  await eventually(() => expect(idsOf(recording.events)).toContain(last.id));
  await recording.stop();
  return idsOf(recording.events).filter((id) => id !== last.id);
}

export function subscribeContract(subject: () => Subject): void {
  describe('a subscription', () => {
    it('gives old events, then new ones, in the order of the log, once each', async () => {
      const { store, prefix } = subject();
      const [old, older, young] = [newEvents(2), newEvents(1), newEvents(3)];
      await store.append(`${prefix}a`, 'none', old);
      await store.append(`${prefix}b`, 'none', older);
      const recording = record(store, { streamPrefixes: [prefix] });
      await recording.reached(3);
      await store.append(`${prefix}a`, 1, young);
      expect(await settled(subject(), recording)).toEqual(idsOf([...old, ...older, ...young]));
    });

    it('gives events as reading gives them', async () => {
      const { store, prefix } = subject();
      const recording = record(store, { after: await here(store), streamPrefixes: [prefix] });
      await store.append(`${prefix}a`, 'none', newEvents(2, { text: 'same either way' }));
      await recording.reached(2);
      expect(recording.events).toEqual(await store.read(`${prefix}a`));
      await recording.stop();
    });

    it.each([0, 1, 2])('resumes after event %i of one append', async (place) => {
      const { store, prefix } = subject();
      const events = newEvents(3);
      await store.append(`${prefix}a`, 'none', events);
      const after = (await store.read(`${prefix}a`))[place]?.position;
      const recording = record(store, { after, streamPrefixes: [prefix] });
      expect(await settled(subject(), recording)).toEqual(idsOf(events.slice(place + 1)));
    });

    it('resumes in a restarted process where it ended', async () => {
      const { store, prefix, reopen } = subject();
      await store.append(`${prefix}a`, 'none', newEvents(1));
      const before = record(store, { streamPrefixes: [prefix] });
      await before.reached(1);
      await before.stop();
      const missed = newEvents(2);
      await store.append(`${prefix}a`, 0, missed);
      const again = record(await reopen(), {
        after: before.events.at(-1)?.position,
        streamPrefixes: [prefix],
      });
      expect(await settled(subject(), again)).toEqual(idsOf(missed));
    });

    it('gives the streams that start with one of its prefixes', async () => {
      const { store, prefix } = subject();
      const [a, ab, c] = [newEvents(1), newEvents(1), newEvents(1)];
      const streamPrefixes = [`${prefix}a`, `${prefix}c`, `${prefix}last`];
      const recording = record(store, { after: await here(store), streamPrefixes });
      await store.append(`${prefix}a`, 'none', a);
      await store.append(`${prefix}b-a`, 'none', newEvents(1));
      await store.append(`${prefix}ab`, 'none', ab);
      await store.append(`${prefix}c`, 'none', c);
      expect(await settled(subject(), recording)).toEqual(idsOf([...a, ...ab, ...c]));
    });

    it('gives all streams without prefixes', async () => {
      const { store, prefix } = subject();
      const recording = record(store, { after: await here(store) });
      const events = newEvents(2);
      await store.append(`${prefix}a`, 'none', events);
      await store.append(`zz-${prefix}a`, 'none', newEvents(1));
      await eventually(() => expect(recording.events.map(({ stream }) => stream)).toContain(`zz-${prefix}a`));
      expect(idsOf(recording.events)).toEqual(expect.arrayContaining(idsOf(events)));
      await recording.stop();
    });

    it('finds its events among many others', async () => {
      const { store, prefix } = subject();
      const after = await here(store);
      await store.append(`zz-${prefix}a`, 'none', newEvents(300));
      const events = newEvents(2);
      await store.append(`${prefix}a`, 'none', events);
      const recording = record(store, { after, streamPrefixes: [prefix] });
      expect(await settled(subject(), recording)).toEqual(idsOf(events));
    });
  });

  describe('a slow consumer', () => {
    const slowly = () => setImmediate();

    it('gets at most batchMax events at once, one list at a time, and loses none', async () => {
      const { store, prefix } = subject();
      const options = { after: await here(store), streamPrefixes: [prefix], batchMax: 7, whenGiven: slowly };
      const recording = record(store, options);
      const events = newEvents(200);
      await store.append(`${prefix}a`, 'none', events.slice(0, 100));
      await store.append(`${prefix}a`, 99, events.slice(100));
      expect(await settled(subject(), recording)).toEqual(idsOf(events));
      expect(Math.max(...recording.batchSizes)).toBeLessThanOrEqual(7);
      expect(recording.concurrentMax).toBe(1);
    });

    it('does not hold up writers, and catches up later', async () => {
      const { store, prefix } = subject();
      const gate = Promise.withResolvers<void>();
      const options = { after: await here(store), streamPrefixes: [prefix], whenGiven: () => gate.promise };
      const recording = record(store, options);
      const events = newEvents(60, { text: 'x'.repeat(20_000) });
      for (const [i, event] of events.entries()) await store.append(`${prefix}${i}`, 'none', [event]);
      gate.resolve();
      expect(await settled(subject(), recording)).toEqual(idsOf(events));
    });
  });

  describe('the end of a subscription', () => {
    it('comes with the error of its consumer', async () => {
      const { store, prefix } = subject();
      const broken = new Error('the consumer broke');
      const whenGiven = () => Promise.reject(broken);
      const recording = record(store, { after: await here(store), streamPrefixes: [prefix], whenGiven });
      const ended = expect(recording.done).rejects.toBe(broken);
      await store.append(`${prefix}a`, 'none', newEvents(1));
      await ended;
    });

    it('leaves other subscriptions alone', async () => {
      const { store, prefix } = subject();
      const after = await here(store);
      const ended = record(store, {
        after,
        streamPrefixes: [prefix],
        whenGiven: () => Promise.reject(new Error('no')),
      });
      const recording = record(store, { after, streamPrefixes: [prefix] });
      const refused = expect(ended.done).rejects.toThrow('no');
      await store.append(`${prefix}a`, 'none', newEvents(1));
      await refused;
      expect(await settled(subject(), recording)).toHaveLength(1);
    });

    it('waits for the list being consumed when it is stopped', async () => {
      const { store, prefix } = subject();
      const [given, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const whenGiven = () => {
        given.resolve();
        return gate.promise;
      };
      const recording = record(store, { after: await here(store), streamPrefixes: [prefix], whenGiven });
      await store.append(`${prefix}a`, 'none', newEvents(1));
      await given.promise;
      const stopped = recording.stop().then(() => recording.events.length);
      gate.resolve();
      expect(await stopped).toBe(1);
      await expect(recording.done).resolves.toBeUndefined();
    });

    it('comes at once when it is stopped while it waits', async () => {
      const { store, prefix } = subject();
      const recording = record(store, { after: await here(store), streamPrefixes: [prefix] });
      await recording.stop();
      await recording.stop();
      await expect(recording.done).resolves.toBeUndefined();
    });

    it('comes with the end of the store', async () => {
      const { prefix, reopen } = subject();
      const store = await reopen();
      const recording = record(store, { after: await here(store), streamPrefixes: [prefix] });
      await store.close();
      await expect(recording.done).resolves.toBeUndefined();
    });
  });
}
