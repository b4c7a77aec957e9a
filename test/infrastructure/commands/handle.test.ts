import { describe, expect, it } from 'vitest';
import { RequestLate } from '../../../src/infrastructure/away.ts';
import type { EventToName, Hide } from '../../../src/infrastructure/commands/deciding.ts';
import { commandHandler } from '../../../src/infrastructure/commands/handle.ts';
import { rememberSnapshots } from '../../../src/infrastructure/commands/states.ts';
import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  WrongRevision,
} from '../../../src/infrastructure/event-store/event-store.ts';
import { sized } from '../../../src/infrastructure/remembered/states.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { watchedEventStore } from '../../support/log/watched-event-store.ts';
import { testStart } from '../../support/time/clock.ts';
import { leave, type SeatCommand, table, take } from '../../support/traffic/seats.ts';
import { sequentialIds } from '../../support/values/ids.ts';

const metadata = { platformId: 'p', correlationId: 'c', causationId: 'c', actor: 'test', at: testStart };

/** One process: it has its own memory of what the streams hold. */
function startProcess(store: EventStore, idsFrom = 1, seats?: number) {
  const { handle, load, recall } = commandHandler(
    { store, newEventId: sequentialIds(idsFrom).uuid, snapshots: rememberSnapshots() },
    table(seats),
  );
  return { run: (command: SeatCommand, uuid = '1') => handle(uuid, command, metadata), handle, load, recall };
}

/** A store between a process and a rival that gets in before each of the first `times` appends. */
function contested(rivalCommands: readonly SeatCommand[]) {
  const memory = memoryEventStore();
  const rival = startProcess(memory, 1_000);
  const queue = [...rivalCommands];
  const beforeAppend = async () => {
    const command = queue.shift();
    if (command) await rival.run(command);
  };
  return { memory, rival, store: watchedEventStore(memory, { beforeAppend }) };
}

/** A guest `r` who sits down and gets up again, so many moves in all. */
const comingAndGoing = (moves: number): SeatCommand[] =>
  Array.from({ length: moves }, (_, n) => (n % 2 ? leave('r') : take('r')));

const guests = (events: readonly { readonly data: { readonly [key: string]: unknown } }[]) =>
  events.map(({ data }) => data.guest);

describe('handling a command', () => {
  it('records what was decided and answers with it', async () => {
    const store = memoryEventStore();
    const handled = await startProcess(store).run(take('ada'));
    expect(handled).toMatchObject({ state: ['ada'], position: 1n });
    expect(handled.events).toMatchObject([
      { type: 'SeatTaken', data: { guest: 'ada' }, stream: 'table-1', position: 1n },
    ]);
    expect(handled.events[0]?.metadata).toEqual({ ...metadata, at: testStart.toISOString() });
    expect(store.all).toMatchObject([{ id: handled.events[0]?.id, metadata: handled.events[0]?.metadata }]);
  });

  it('answers a repeat with the state and no events', async () => {
    const store = watchedEventStore(memoryEventStore());
    const { run } = startProcess(store);
    await run(take('ada'));
    expect(await run(take('ada'))).toEqual({ state: ['ada'], events: [], position: 1n });
    expect(store.counts.appends).toBe(1);
  });

  it('records nothing of a refusal', async () => {
    const store = memoryEventStore();
    const { run } = startProcess(store, 1, 0);
    await expect(run(take('ada'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(store.all).toEqual([]);
  });

  it('knows no more of an event than is stored, where it has lost what nobody may read', async () => {
    const memory = memoryEventStore();
    const appended: NewEvent[] = [];
    const append: EventStore['append'] = (stream, expected, events) => {
      appended.push(...events);
      return memory.append(stream, expected, events);
    };
    const store = { ...memory, append };
    const hide: Hide = (event) =>
      event.data.guest === 'ada' ? { ...event, known: { state: [], data: { guest: 'erased' } } } : event;
    const deps = { store, newEventId: sequentialIds(1).uuid, snapshots: rememberSnapshots(), hide };
    const { handle, recall } = commandHandler(deps, table());
    const guests = ['bob', 'ada', 'eve'];
    const [, one, other] = await Promise.all(guests.map((guest) => handle('1', take(guest), metadata)));
    expect(one).toMatchObject({ state: ['bob', 'erased'], events: [{ data: { guest: 'erased' } }] });
    expect(other).toMatchObject({ state: ['bob', 'erased', 'eve'], events: [{ data: { guest: 'eve' } }] });
    expect(appended.at(-1)?.known?.state).toEqual(['bob', 'erased', 'eve']);
    expect(recall('1')).toEqual(['bob', 'erased', 'eve']);
  });

  it('keeps streams apart', async () => {
    const { run, load } = startProcess(memoryEventStore());
    await Promise.all([run(take('ada'), '1'), run(take('bob'), '2')]);
    expect([await load('1'), await load('2'), await load('3')]).toEqual([['ada'], ['bob'], []]);
  });

  it('does not wait for another stream', async () => {
    const beforeRead = (stream: string) =>
      stream === 'table-slow' ? new Promise(() => undefined) : undefined;
    const { run } = startProcess(watchedEventStore(memoryEventStore(), { beforeRead }));
    void run(take('ada'), 'slow');
    expect((await run(take('bob'), 'quick')).state).toEqual(['bob']);
  });

  it('goes on where the log is after a start', async () => {
    const store = memoryEventStore();
    await startProcess(store).run(take('ada'));
    const restarted = startProcess(store, 100);
    expect((await restarted.run(take('bob'))).state).toEqual(['ada', 'bob']);
  });
});

describe('memory that is out of date', () => {
  it('is not a reason to refuse', async () => {
    const store = memoryEventStore();
    const [here, there] = [startProcess(store, 1, 1), startProcess(store, 100, 1)];
    await here.run(take('ada'));
    await there.run(leave('ada'));
    expect((await here.run(take('bob'))).state).toEqual(['bob']);
  });

  it('is not a reason to find nothing to do', async () => {
    const store = memoryEventStore();
    const [here, there] = [startProcess(store), startProcess(store, 100)];
    await here.run(take('ada'));
    await there.run(leave('ada'));
    expect((await here.run(take('ada'))).events).toHaveLength(1);
  });

  it('does not show when the state is loaded', async () => {
    const store = memoryEventStore();
    const [here, there] = [startProcess(store), startProcess(store, 100)];
    await here.run(take('ada'));
    await there.run(take('bob'));
    expect(await here.load('1')).toEqual(['ada', 'bob']);
  });

  it('saves reading the stream, which is new to it or known', async () => {
    const store = watchedEventStore(memoryEventStore());
    const { run } = startProcess(store, 1, 100);
    for (let n = 0; n < 20; n++) await run(take(`guest-${n}`));
    expect(store.counts).toMatchObject({ appends: 20, reads: 0 });
  });
});

describe('reading a stream', () => {
  /** A store whose reads wait, each until it is let go on: with what it has found by then, or before. */
  function slowReads() {
    const store = memoryEventStore();
    const waiting: PromiseWithResolvers<void>[] = [];
    const watched = watchedEventStore({
      ...store,
      async read(stream, from) {
        const found = await store.read(stream, from);
        const gate = Promise.withResolvers<void>();
        waiting.push(gate);
        await gate.promise;
        return found;
      },
    });
    const letGo = async () => {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.resolve();
    };
    return { store, watched, letGo };
  }

  it('never puts back what is remembered', async () => {
    const { watched, letGo } = slowReads();
    const { run, load, recall } = startProcess(watched);
    await run(take('ada'));
    const late = load('1');
    await run(take('bob'));
    await letGo();
    await late;
    expect(recall('1')).toEqual(['ada', 'bob']);
  });

  it('is done once at a time, and never serves what began before it was asked for', async () => {
    const { store, watched, letGo } = slowReads();
    const { load } = startProcess(watched);
    const first = load('1');
    await expect.poll(() => watched.counts.reads).toBe(1);
    await startProcess(store, 100).run(take('ada'));
    const others = Array.from({ length: 20 }, () => load('1'));
    await letGo();
    await letGo();
    expect(await first).toEqual([]);
    for (const state of await Promise.all(others)) expect(state).toEqual(['ada']);
    expect(watched.counts.reads).toBe(2);
  });

  it('begins again after one that failed', async () => {
    const store = memoryEventStore();
    let failures = 1;
    const failing = watchedEventStore(store, {
      beforeRead: () => {
        if (failures-- > 0) throw new Error('away');
      },
    });
    const { load } = startProcess(failing);
    const [first, second] = [load('1'), load('1')];
    await expect(first).rejects.toThrow('away');
    expect(await second).toEqual([]);
    expect(await load('1')).toEqual([]);
  });
});

describe('losing a race', () => {
  it('reads what is new and decides again', async () => {
    const { memory, store } = contested([take('rival')]);
    const handled = await startProcess(store).run(take('ada'));
    expect(handled.state).toEqual(['rival', 'ada']);
    expect(guests(memory.all)).toEqual(['rival', 'ada']);
    expect(store.counts.appends).toBe(2);
  });

  it('may end in a refusal', async () => {
    const { memory, store } = contested([take('rival')]);
    await expect(startProcess(store, 1, 1).run(take('ada'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(guests(memory.all)).toEqual(['rival']);
  });

  it('may leave nothing to do', async () => {
    const { store } = contested([take('ada')]);
    expect(await startProcess(store).run(take('ada'))).toMatchObject({ state: ['ada'], events: [] });
  });

  it('is taken up nineteen times', async () => {
    const { store } = contested(comingAndGoing(19));
    expect((await startProcess(store).run(take('ada'))).state).toEqual(['r', 'ada']);
    expect(store.counts.appends).toBe(20);
  });

  it('surfaces after the twentieth time, without effect on the next command', async () => {
    const { store } = contested(comingAndGoing(20));
    const { run } = startProcess(store);
    await expect(run(take('ada'))).rejects.toBeInstanceOf(WrongRevision);
    expect(store.counts.appends).toBe(20);
    expect((await run(take('ada'))).state).toEqual(['ada']);
  });

  it('is not what reading the stream again for want of a fresh state counts as', async () => {
    const { rival, store } = contested([leave('x'), ...comingAndGoing(19)]);
    const { run } = startProcess(store);
    await run(take('ada'));
    await rival.run(leave('ada'));
    expect((await run(take('ada'))).state).toEqual(['r', 'ada']);
    expect(store.counts.appends).toBe(21);
  });

  it('costs each command of a batch nothing but time', async () => {
    const { memory, store } = contested([take('rival')]);
    const { run } = startProcess(store, 1, 100);
    const all = await Promise.all(['a', 'b', 'c'].map((guest) => run(take(guest))));
    expect(all.map(({ state }) => state.length)).toEqual([2, 3, 4]);
    expect(guests(memory.all)).toEqual(['rival', 'a', 'b', 'c']);
  });
});

describe('commands for one stream at the same time', () => {
  it('are decided one after the other and recorded with few appends', async () => {
    const store = watchedEventStore(memoryEventStore());
    const { run } = startProcess(store, 1, 1_000);
    const all = await Promise.all(Array.from({ length: 200 }, (_, n) => run(take(`guest-${n}`))));
    expect(all.map(({ state }) => state.length)).toEqual(all.map((_, n) => n + 1));
    expect(all.map(({ events }) => events.length)).toEqual(all.map(() => 1));
    expect(store.counts.appends).toBeLessThanOrEqual(5);
  });

  it('leave exactly as many events as there is room for', async () => {
    const store = memoryEventStore();
    const { run } = startProcess(store, 1, 50);
    const all = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => run(take(`guest-${n}`))));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(store.all).toHaveLength(50);
  });

  it('are done once when they are the same', async () => {
    const store = memoryEventStore();
    const { run } = startProcess(store);
    const all = await Promise.all(Array.from({ length: 50 }, () => run(take('ada'))));
    expect(all.filter(({ events }) => events.length > 0)).toHaveLength(1);
    expect(store.all).toHaveLength(1);
  });

  it('from several processes leave one order that everybody decided on', async () => {
    const store = memoryEventStore();
    const processes = [1, 1_000, 2_000, 3_000].map((from) => startProcess(store, from, 6));
    const all = processes.flatMap(({ run }) => ['a', 'b', 'c', 'd'].map((g) => run(take(g))));
    await Promise.all(all);
    expect(guests(store.all)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a failing command', () => {
  it.each([
    ['is refused', take('one too many'), { code: 'CONFLICT' }],
    ['is a bug', { type: 'Stumble' }, { name: 'TypeError' }],
    ['decides an event that does not fit its schema', { type: 'Mumble' }, { name: 'ZodError' }],
    [
      'decides an event that does not balance',
      { type: 'Tip', given: 2n, received: 1n },
      { name: 'InvariantViolation' },
    ],
  ] as const)('fails alone when it %s', async (_why, command, error) => {
    const store = memoryEventStore();
    const { run } = startProcess(store, 1, 3);
    const before = [run(take('a')), run(take('b')), run(take('c'))];
    const failing = run(command);
    const behind = [run(leave('b')), run(take('d'))];
    await expect(failing).rejects.toMatchObject(error);
    expect((await Promise.all([...before, ...behind])).at(-1)?.state).toEqual(['a', 'c', 'd']);
    expect(store.all).toHaveLength(5);
  });

  it('never gets an unbalanced event into the log', async () => {
    const store = memoryEventStore();
    const { run } = startProcess(store);
    await expect(run({ type: 'Tip', given: 2n, received: 1n })).rejects.toBeInstanceOf(InvariantViolation);
    await run({ type: 'Tip', given: 2n, received: 2n });
    expect(store.all).toHaveLength(1);
  });
});

describe('a failing store', () => {
  const down = new Error('the store is down');
  const failingOnce = (when: 'beforeAppend' | 'afterAppend' | 'beforeRead') => {
    let fails = true;
    const memory = memoryEventStore();
    const fail = () => {
      if (!fails) return;
      fails = false;
      throw down;
    };
    return { memory, store: watchedEventStore(memory, { [when]: fail }) };
  };

  it('fails a refusal that cannot be looked at afresh', async () => {
    const { run } = startProcess(failingOnce('beforeRead').store);
    await expect(run(leave('nobody'))).rejects.toBe(down);
    expect((await run(take('b'))).state.at(-1)).toBe('b');
  });

  it.each(['beforeAppend', 'afterAppend'] as const)(
    'fails all that were waiting together (%s)',
    async (when) => {
      const { run } = startProcess(failingOnce(when).store);
      await expect(run(take('a'))).rejects.toBe(down);
      expect((await run(take('b'))).state.at(-1)).toBe('b');
    },
  );

  it('leaves nothing behind when it lost the append', async () => {
    const { memory, store } = failingOnce('beforeAppend');
    const { run } = startProcess(store);
    await expect(run(take('a'))).rejects.toBe(down);
    expect((await run(take('a'))).events).toHaveLength(1);
    expect(guests(memory.all)).toEqual(['a']);
  });

  it('makes the next command a repeat when it appended without saying so', async () => {
    const { memory, store } = failingOnce('afterAppend');
    const { run } = startProcess(store);
    await expect(run(take('a'))).rejects.toBe(down);
    expect(await run(take('a'))).toMatchObject({ state: ['a'], events: [] });
    expect(guests(memory.all)).toEqual(['a']);
  });

  it('chains what follows to what was stored, also where ids follow from the place', async () => {
    const { memory, store } = failingOnce('afterAppend');
    const newEventId = ({ stream, revision }: EventToName) => `${stream} ${revision}`;
    const { handle } = commandHandler({ store, newEventId, snapshots: rememberSnapshots() }, table());
    const at = (ms: number) => ({ ...metadata, at: new Date(testStart.getTime() + ms) });
    await expect(handle('1', take('a'), at(0))).rejects.toBe(down);
    await handle('1', take('a'), at(1));
    await handle('1', take('b'), at(2));
    const [first, second] = memory.all.filter(({ data }) => ['a', 'b'].includes(String(data.guest)));
    expect(second?.metadata.previousHash).toBe(first?.metadata.hash);
  });

  it('rejects the whole batch, and not the batch after it', async () => {
    let appends = 0;
    const beforeAppend = () => {
      if (++appends === 2) throw down;
    };
    const { run } = startProcess(watchedEventStore(memoryEventStore(), { beforeAppend }), 1, 1_000);
    const all = await Promise.allSettled(Array.from({ length: 150 }, (_, n) => run(take(`guest-${n}`))));
    expect(all.map(({ status }) => status === 'rejected')).toEqual(all.map((_, n) => n >= 1 && n <= 100));
  });
});

describe('a log that takes little at once', () => {
  /** Takes so many events. */
  function narrow(most: number) {
    const memory = memoryEventStore();
    const store: EventStore = {
      ...memory,
      append: async (stream, expected, events) => {
        if (events.length > most) throw new AppendTooLarge(stream, events.length);
        return memory.append(stream, expected, events);
      },
    };
    return { memory, run: startProcess(store, 1, 1_000).run };
  }
  const names = Array.from({ length: 100 }, (_, n) => `guest-${n}`);

  it('gets all commands that came together, in their order and in parts', async () => {
    const { memory, run } = narrow(30);
    await Promise.all(names.map((name) => run(take(name))));
    expect(guests(memory.all)).toEqual(names);
  });

  it('fails only the command that it cannot take by itself', async () => {
    const { memory, run } = narrow(0);
    const all = await Promise.allSettled(names.map((name) => run(take(name))));
    expect(all.map(({ status }) => status)).toEqual(names.map(() => 'rejected'));
    expect(memory.all).toEqual([]);
  });
});

describe('a command whose request is late', () => {
  it.each([
    new RequestLate('took long'),
    new Rejected('SERVICE_UNAVAILABLE', 'What it rests on is no more.'),
  ])('is not recorded, and those that are decided together with it are: %s', async (late) => {
    const memory = memoryEventStore();
    const { handle } = startProcess(memory, 1, 1_000);
    const names = Array.from({ length: 10 }, (_, n) => `guest-${n}`);
    const all = await Promise.allSettled(
      names.map((name, n) =>
        handle('1', take(name), metadata, {
          requireStill() {
            if (n === 7) throw late;
          },
          latest: undefined,
        }),
      ),
    );
    const failed = all.flatMap((one, n) => (one.status === 'rejected' ? [[n, one.reason]] : []));
    expect(failed).toEqual([[7, late]]);
    expect(guests(memory.all)).toEqual(names.filter((_, n) => n !== 7));
  });

  it('is not recorded where that comes out just before it is sent', async () => {
    const memory = memoryEventStore();
    let isLate = false;
    const beforeAppend = () => {
      isLate = true;
    };
    const { handle } = startProcess(watchedEventStore(memory, { beforeAppend }));
    const recorded = handle('1', take('ada'), metadata, {
      requireStill() {
        if (isLate) throw new RequestLate('took long');
      },
      latest: undefined,
    });
    await expect(recorded).rejects.toBeInstanceOf(RequestLate);
    expect(memory.all).toEqual([]);
  });
});

describe('what is remembered of streams', () => {
  it('is not less for streams that are long', () => {
    const snapshots = rememberSnapshots();
    const long = {
      state: {},
      revision: 1_000_000,
      eventId: undefined,
      position: 1n,
      hash: undefined,
      closed: undefined,
      fresh: false,
    };
    const names = Array.from({ length: 1_000 }, (_one, n) => `account-${n}`);
    for (const name of names) snapshots.set(name, long, sized(undefined, long.state));
    expect(names.filter((name) => !snapshots.has(name))).toEqual([]);
  });
});
