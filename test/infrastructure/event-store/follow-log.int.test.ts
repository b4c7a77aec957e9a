import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EventStore, StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { followLog, ReadAgain } from '../../../src/infrastructure/event-store/follow-log.ts';
import { postgresEventStore } from '../../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { backends, terminate } from '../../support/log/raw-log.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';
import { eventually } from '../../support/resources/flows.ts';
import { here, idsOf, newEvents } from './recording.ts';

const log = createLog('silent');
let url: string;
let store: EventStore;
beforeAll(async () => {
  url = await createDatabase();
  store = await postgresEventStore(url, log);
});
afterAll(() => store.close());

type Handle = (events: readonly StoredEvent[]) => Promise<void> | void;

/** Follows the log from `after`; what `handle` lets through counts as consumed and moves the checkpoint. */
function follow(after: bigint, handle: Handle, loading: () => Promise<void> = async () => undefined) {
  const consumed: StoredEvent[] = [];
  const starts: bigint[] = [];
  const checkpoint = async () => {
    await loading();
    const at = consumed.at(-1)?.position ?? after;
    starts.push(at);
    return at;
  };
  const consume = async (events: readonly StoredEvent[]) => {
    await handle(events);
    consumed.push(...events);
  };
  const ending = new AbortController();
  const term = { signal: ending.signal, isHeld: () => true };
  const done = followLog(store, { name: 'test', checkpoint, consume }, log, term);
  const stop = () => {
    ending.abort();
    return done;
  };
  onTestFinished(stop);
  return { consumed, starts, stop };
}

const untilConsumed = ({ consumed }: ReturnType<typeof follow>, count: number) =>
  eventually(
    async () => consumed.length,
    (length) => length >= count,
  );

const appendEach = async (events: ReturnType<typeof newEvents>) => {
  for (const event of events) {
    const append = () =>
      store.append(`one-${event.id}`, 'none', [event]).then(
        () => true,
        () => false,
      );
    await eventually(append, (isAppended) => isAppended);
  }
};

const failing = (times: number) => () => {
  if (times-- > 0) throw new Error('not yet');
};

describe('following the log', () => {
  it('loses nothing when the consumer throws', async () => {
    const after = await here(store);
    const followed = follow(after, failing(3));
    const events = newEvents(5);
    await appendEach(events);
    await untilConsumed(followed, 5);
    expect(idsOf(followed.consumed)).toEqual(idsOf(events));
    expect(followed.starts).toEqual([after, after, after, after]);
  });

  it('reads again at once what the consumer wants to read again', async () => {
    const after = await here(store);
    let times = 20;
    const followed = follow(after, () => {
      if (times-- > 0) throw new ReadAgain();
    });
    await appendEach(newEvents(1));
    await untilConsumed(followed, 1);
    // With the pauses after failures it would have taken minutes.
    expect(followed.starts).toHaveLength(21);
  });

  it('goes on after the last success when a later list fails', async () => {
    const after = await here(store);
    let isBroken = false;
    const followed = follow(after, () => (isBroken ? failing(1)() : undefined));
    await appendEach(newEvents(2));
    await untilConsumed(followed, 2);
    isBroken = true;
    await appendEach(newEvents(1));
    await eventually(
      async () => followed.starts,
      ({ length }) => length === 2,
    );
    isBroken = false;
    await untilConsumed(followed, 3);
    expect(followed.starts[1]).toBe(followed.consumed[1]?.position);
  });

  it('waits longer after each failure', async () => {
    const times: number[] = [];
    const fail = failing(4);
    const followed = follow(await here(store), () => {
      times.push(performance.now());
      fail();
    });
    await appendEach(newEvents(1));
    await untilConsumed(followed, 1);
    const waits = times.slice(1).map((time, n) => time - (times[n] ?? 0));
    const leastMs = [100, 200, 400, 800].map((ms) => ms - 1);
    expect(waits.map((ms, n) => ms >= (leastMs[n] ?? 0))).toEqual([true, true, true, true]);
  });

  it('tries again when the checkpoint cannot be read', async () => {
    const fail = failing(2);
    const followed = follow(
      await here(store),
      () => undefined,
      async () => fail(),
    );
    await appendEach(newEvents(1));
    await untilConsumed(followed, 1);
  });

  it('sees every event once while all connections of the log are killed again and again', async () => {
    const followed = follow(await here(store), () => undefined);
    const events = newEvents(60);
    let isDone = false;
    const killing = (async () => {
      for (; !isDone; await query(url, 'select pg_sleep(0.05)'))
        await terminate(url, [
          ...(await backends(url, 'daybook-log')),
          ...(await backends(url, 'daybook-listen')),
        ]);
    })();
    for (const event of events) await appendEach([event]).then(() => query(url, 'select pg_sleep(0.01)'));
    isDone = true;
    await killing;
    await untilConsumed(followed, 60);
    expect(idsOf(followed.consumed)).toEqual(idsOf(events));
  });

  it('ends when told to, even between two attempts', async () => {
    const followed = follow(await here(store), failing(100));
    await appendEach(newEvents(1));
    await eventually(
      async () => followed.starts.length,
      (count) => count > 2,
    );
    await followed.stop();
    const { length } = followed.starts;
    await appendEach(newEvents(1));
    expect(followed.starts).toHaveLength(length);
  });
});
