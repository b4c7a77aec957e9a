import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppendTooLarge, type EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../../src/infrastructure/event-store/eventstoredb.ts';
import type { AppendFault, ReadFault } from '../../support/servers/eventstoredb-server/faults.ts';
import { type ServerLog, serverLog } from '../../support/servers/eventstoredb-server/log.ts';
import {
  type EventStoreDbServer,
  startEventStoreDb,
} from '../../support/servers/eventstoredb-server/server.ts';
import { patienceMs } from '../../support/time/patience.ts';
import { eventStoreContract, type Opened } from './contract.ts';
import { aNewEvent, idsOf, newEvents, record } from './recording.ts';

const log = { warn: () => undefined };

function openAt(url: string, closeServer: () => Promise<void>): Opened {
  const options = { url, log, deadlineMs: patienceMs };
  const store = eventStoreDb(options);
  const stores = [store];
  return {
    store,
    async reopen() {
      const again = eventStoreDb(options);
      stores.push(again);
      return again;
    },
    async close() {
      await Promise.all(stores.map((each) => each.close()));
      await closeServer();
    },
  };
}

eventStoreContract('EventStoreDB in this process', async () => {
  const server = await startEventStoreDb();
  return openAt(server.url, () => server.close());
});

const realUrl = process.env.EVENTSTORE_URL;
if (realUrl) {
  eventStoreContract('EventStoreDB at EVENTSTORE_URL', async () => openAt(realUrl, () => Promise.resolve()));
}

describe('EventStoreDB when things go wrong', () => {
  let serverData: ServerLog;
  let server: EventStoreDbServer;
  let store: EventStore;

  beforeEach(async () => {
    serverData = serverLog();
    server = await startEventStoreDb({ log: serverData });
    store = eventStoreDb({ url: server.url, log, deadlineMs: 1_500 });
  });
  afterEach(async () => {
    await store.close();
    await server.close();
  });

  const restart = async () => {
    await server.close();
    server = await startEventStoreDb({ log: serverData, port: server.port });
  };

  describe('an append', () => {
    const faults: AppendFault[] = [
      'unavailable',
      'silence',
      'written, then silence',
      'written, then the connection is lost',
      'written, position unknown',
      'repeat taken for a conflict',
    ];

    it.each(faults)('happens once: %s', async (fault) => {
      server.faults.appends.push(fault);
      const events = newEvents(2);
      const { revision, position } = await store.append('a', 'none', events);
      expect(idsOf(await store.read('a'))).toEqual(idsOf(events));
      expect((await store.read('a', revision))[0]?.position).toBe(position);
    });

    it('happens once when its repeats fail as well', async () => {
      server.faults.appends.push('written, then silence', 'unavailable', 'repeat taken for a conflict');
      expect(await store.append('a', 'none', newEvents(2))).toMatchObject({ revision: 1 });
      expect(serverData.all).toHaveLength(2);
    });

    it('goes to the leader', async () => {
      const leader = await startEventStoreDb({ log: serverData });
      server.faults.appends.push({ leaderPort: leader.port });
      await store.append('a', 'none', newEvents(1));
      expect(leader.calls).toContain('Append');
      await store.close();
      await leader.close();
    });

    it('gives up in the end', async () => {
      // To connect takes some of the time of a call.
      await store.last();
      const before = server.calls.length;
      server.faults.appends.push(...Array.from({ length: 5 }, () => 'unavailable' as const));
      await expect(store.append('a', 'none', newEvents(1))).rejects.toMatchObject({
        name: 'StoreAway',
        cause: { type: 'unavailable' },
      });
      expect(server.calls.slice(before)).toEqual(Array(5).fill('Append'));
    });

    it('survives the loss of a connection with many others on it', async () => {
      server.faults.appends.push('unavailable', 'written, then the connection is lost', 'unavailable');
      const events = newEvents(50);
      await Promise.all(events.map((event, i) => store.append(`${i}`, 'none', [event])));
      expect(idsOf(serverData.all).sort()).toEqual(idsOf(events).sort());
    });

    it('is refused for what is not JSON', async () => {
      await expect(store.append('a', 'none', [aNewEvent({ amount: 1n })])).rejects.toThrow(TypeError);
      expect(server.calls).toEqual([]);
    });

    it('is refused where it is larger than a server takes, and goes in parts', async () => {
      const large = () => aNewEvent({ text: 'x'.repeat(600_000) });
      const events = [large(), large()];
      await expect(store.append('a', 'none', events)).rejects.toBeInstanceOf(AppendTooLarge);
      expect(serverData.all).toEqual([]);
      for (const [n, event] of events.entries()) await store.append('a', n === 0 ? 'none' : n - 1, [event]);
      expect(idsOf(await store.read('a'))).toEqual(idsOf(events));
    });

    it('is a call of its own although the server takes batches', async () => {
      await store.append('a', 'none', newEvents(1));
      expect(new Set(server.calls)).toEqual(new Set(['Append']));
    });
  });

  describe('a read', () => {
    const faults: ReadFault[] = ['unavailable', 'silence', { dropAfterEvents: 0 }, { dropAfterEvents: 2 }];

    it.each(faults)('is whole: %j', async (fault) => {
      const events = newEvents(4);
      await store.append('a', 'none', events);
      server.faults.reads.push(fault);
      expect(idsOf(await store.read('a'))).toEqual(idsOf(events));
    });

    it('goes to the leader', async () => {
      const leader = await startEventStoreDb({ log: serverData });
      server.faults.reads.push({ leaderPort: leader.port });
      expect(await store.read('a')).toEqual([]);
      expect(leader.calls).toContain('Read');
      await store.close();
      await leader.close();
    });

    it('gives up in the end', async () => {
      server.faults.reads.push(...Array.from({ length: 5 }, () => 'unavailable' as const));
      await expect(store.read('a')).rejects.toMatchObject({ name: 'StoreAway' });
    });
  });

  describe('a subscription', () => {
    const faults: ReadFault[] = ['unavailable', 'silence', { dropAfterEvents: 0 }, { dropAfterEvents: 3 }];

    it.each(faults)('gives every event once: %j', async (fault) => {
      server.faults.subscriptions.push(fault, fault);
      const events = newEvents(10);
      await store.append('a', 'none', events);
      const recording = record(store, { batchMax: 2 });
      await recording.reached(10);
      expect(idsOf(recording.events)).toEqual(idsOf(events));
    });

    it('gets ahead with connections that last for one event', async () => {
      server.faults.subscriptions.push(...Array.from({ length: 20 }, () => ({ dropAfterEvents: 1 })));
      const events = newEvents(5);
      await store.append('a', 'none', events);
      const recording = record(store, {});
      await recording.reached(5);
      expect(idsOf(recording.events)).toEqual(idsOf(events));
      expect(server.faults.subscriptions.length).toBeGreaterThan(10);
    });

    it('goes on after its connection was lost while it waited', async () => {
      const recording = record(store, {});
      const events = newEvents(3);
      for (const [i, event] of events.entries()) {
        await store.append(`${i}`, 'none', [event]);
        await recording.reached(i + 1);
        server.dropConnections();
      }
      expect(idsOf(recording.events)).toEqual(idsOf(events));
    });

    it('goes on after the server was restarted', async () => {
      const recording = record(store, {});
      const events = newEvents(2);
      await store.append('a', 'none', events.slice(0, 1));
      await recording.reached(1);
      await restart();
      await store.append('a', 0, events.slice(1));
      await recording.reached(2);
      expect(idsOf(recording.events)).toEqual(idsOf(events));
    });

    it('does not go on after its consumer failed', async () => {
      await store.append('a', 'none', newEvents(1));
      const recording = record(store, { whenGiven: () => Promise.reject(new Error('broken')) });
      await expect(recording.done).rejects.toThrow('broken');
      expect(server.calls.filter((name) => name === 'Read')).toHaveLength(1);
    });

    it('stops while there is no server', async () => {
      const recording = record(store, {});
      await server.close();
      await recording.stop();
      await expect(recording.done).resolves.toBeUndefined();
    });

    it('sees the streams of its store only', async () => {
      const other = eventStoreDb({ url: server.url, log, streamPrefix: 'other.' });
      await other.append('a', 'none', newEvents(1));
      await store.append('a', 'none', newEvents(1));
      const recording = record(other, {});
      await recording.reached(1);
      expect(recording.events).toEqual(await other.read('a'));
      await other.close();
    });
  });
});

describe('the EventStoreDB in this process', () => {
  it('answers the batches of a plain client, conflicts included', async () => {
    const server = await startEventStoreDb();
    const client = EventStoreDBClient.connectionString(server.url);
    const append = () =>
      client.appendToStream('a', jsonEvent({ type: 'Noted', data: {} }), { expectedRevision: NO_STREAM });
    expect(await append()).toMatchObject({ success: true, nextExpectedRevision: 0n });
    await expect(append()).rejects.toMatchObject({ type: 'wrong-expected-version', actualVersion: 0n });
    expect(server.calls).toEqual(['GetSupportedMethods', 'BatchAppend']);
    await client.dispose();
    await server.close();
  });
});
