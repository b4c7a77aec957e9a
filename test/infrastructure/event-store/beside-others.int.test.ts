/** What a process asks of the log in Postgres, and hears of it, beside others that write to it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresEventStore } from '../../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { openListening } from '../../../src/infrastructure/postgres/listen.ts';
import { createDatabase } from '../../support/postgres/database.ts';
import { freshPrefix, idsOf, newEvents, record } from './recording.ts';

const log = createLog('silent');
/** Appends while a process does not follow the log. */
const unheard = 10;

/** A process with its log, and what it has been told by others. */
async function aProcess(url: string) {
  const listening = openListening(url, log);
  const heard: string[] = [];
  const on: typeof listening.on = (channel, wake) =>
    listening.on(channel, (text) => {
      if (text) heard.push(text);
      wake(text);
    });
  const store = await postgresEventStore(url, log, { listening: { ...listening, on } });
  onTestFinished(async () => {
    await store.close();
    await listening.stop();
  });
  return { store, heard };
}

describe('a process beside another one', () => {
  it('hears of what that has added as long as it follows the log, and at no other time', async () => {
    const url = await createDatabase();
    const [one, other, witness] = [await aProcess(url), await aProcess(url), await aProcess(url)];
    const prefix = freshPrefix();
    const add = (n: number) => other.store.append(`${prefix}${n}`, 'none', newEvents(1));
    await add(1);
    const following = record(one.store, { after: undefined, streamPrefixes: [prefix] });
    await following.reached(1);
    await add(2);
    await following.reached(2);
    await following.stop();
    const before = one.heard.length;
    const witnessing = record(witness.store, { after: undefined, streamPrefixes: [prefix] });
    for (let n = 3; n < 3 + unheard; n++) {
      const told = witness.heard.length;
      await add(n);
      // Several may be told of at once.
      await expect.poll(() => witness.heard.length).toBeGreaterThan(told);
    }
    await witnessing.stop();
    await one.store.append(`${prefix}own`, 'none', newEvents(1));
    const again = record(one.store, { after: undefined, streamPrefixes: [prefix] });
    await again.reached(3 + unheard);
    await again.stop();
    // What was said just before it stopped, or as it began again, may arrive late.
    expect(one.heard.length - before).toBeLessThan(unheard / 2);
  });

  it('gives all who follow it there the same events in the order of the log, whoever has written them', async () => {
    const url = await createDatabase();
    const [one, other] = [await aProcess(url), await aProcess(url)];
    const prefix = freshPrefix();
    const followers = [1, 2, 3].map(() => record(one.store, { after: undefined, streamPrefixes: [prefix] }));
    const all = Array.from({ length: 60 }, (_one, n) => n);
    await Promise.all(
      all.map((n) => (n % 2 === 0 ? one : other).store.append(`${prefix}${n}`, 'none', newEvents(2))),
    );
    const whole = record(other.store, { after: undefined, streamPrefixes: [prefix] });
    for (const { reached } of [...followers, whole]) await reached(120);
    const [expected, ...given] = [whole, ...followers].map(({ events }) => idsOf(events));
    expect(given).toEqual([expected, expected, expected]);
    for (const { stop } of [...followers, whole]) await stop();
  });
});
