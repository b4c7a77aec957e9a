import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { commandHandler } from '../../../src/infrastructure/commands/handle.ts';
import { rememberSnapshots } from '../../../src/infrastructure/commands/states.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { contentHashOf, hashOf, sealed } from '../../../src/infrastructure/event-store/seal.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { watchedEventStore } from '../../support/log/watched-event-store.ts';
import { testStart } from '../../support/time/clock.ts';
import { leave, type SeatCommand, table, take } from '../../support/traffic/seats.ts';
import { sequentialIds } from '../../support/values/ids.ts';

const metadata = { platformId: 'p', correlationId: 'c', causationId: 'c', actor: 'test', at: testStart };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function startProcess(store: EventStore, idsFrom = 1) {
  const deps = { store, newEventId: sequentialIds(idsFrom).uuid, snapshots: rememberSnapshots() };
  const { handle } = commandHandler(deps, table());
  return (command: SeatCommand) => handle('1', command, metadata);
}

/** Each event has the hash of what is stored of it, and of the one before it. */
function expectChained({ all }: ReturnType<typeof memoryEventStore>) {
  let previousHash = sha256('daybook stream table-1');
  for (const event of all) {
    expect(event.metadata).toMatchObject({ previousHash, hash: contentHashOf(event) });
    previousHash = event.metadata.hash ?? '';
  }
}

describe('the chain of a stream', () => {
  it('is of the canonical content of each event', () => {
    const event = { id: 'i', type: 'T', data: { b: 2, a: 'é' }, metadata: { ...metadata, at: 'now' } };
    const [first, second] = sealed('s-1', { revision: -1, hash: undefined }, [event, event]);
    const content = (revision: number, previousHash: string) =>
      `{"data":{"a":"é","b":2},"id":"i","metadata":{"actor":"test","at":"now","causationId":"c","correlationId":"c",` +
      `"platformId":"p","previousHash":"${previousHash}"},"revision":${revision},"stream":"s-1","type":"T"}`;
    const firstHash = sha256(content(0, sha256('daybook stream s-1')));
    expect(first?.metadata.hash).toBe(firstHash);
    expect(second?.metadata).toMatchObject({ previousHash: firstHash, hash: sha256(content(1, firstHash)) });
  });

  it('goes on through many commands at once, refusals among them', async () => {
    const store = memoryEventStore();
    const run = startProcess(store);
    await run(take('ada'));
    await Promise.allSettled(
      ['bob', 'bob', 'eve'].flatMap((guest) => [take(guest), leave(guest), leave('x')]).map(run),
    );
    expect(store.all.length).toBeGreaterThan(4);
    expectChained(store);
  });

  it('goes on after a process that starts anew', async () => {
    const store = memoryEventStore();
    await startProcess(store)(take('ada'));
    await startProcess(store, 100)(take('bob'));
    expect(store.all).toHaveLength(2);
    expectChained(store);
  });

  it('is made again where another process came first', async () => {
    const memory = memoryEventStore();
    const rival = startProcess(memory, 1_000);
    const moves = [take('r'), leave('r'), take('r')];
    const beforeAppend = async () => {
      const move = moves.shift();
      if (move) await rival(move);
    };
    const run = startProcess(watchedEventStore(memory, { beforeAppend }));
    await Promise.all([run(take('ada')), run(take('bob'))]);
    expect(moves).toEqual([]);
    expect(memory.all).toHaveLength(5);
    expectChained(memory);
  });

  it('goes on from an event that has no hash yet', async () => {
    const store = memoryEventStore();
    const event = {
      id: 'i',
      type: 'SeatTaken',
      data: { guest: 'old' },
      metadata: { ...metadata, at: 'then' },
    };
    await store.append('table-1', 'none', [event]);
    await startProcess(store)(take('ada'));
    const [old, next] = store.all;
    expect(old?.metadata).not.toHaveProperty('hash');
    expect(next?.metadata.previousHash).toBe(old && hashOf(old));
  });
});
