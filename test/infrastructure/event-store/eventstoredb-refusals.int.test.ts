/** What a real server says that a client does not like to hear, and a server that says nothing at all. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, streamNameFilter } from '@eventstore/db-client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../../../src/infrastructure/deadlines/within.ts';
import { type EventStoreDb, eventStoreDb } from '../../../src/infrastructure/event-store/eventstoredb.ts';
import { freePort } from '../../../src/infrastructure/postgres/embedded.ts';
import { serverLog } from '../../support/servers/eventstoredb-server/log.ts';
import {
  type EventStoreDbServer,
  startEventStoreDb,
} from '../../support/servers/eventstoredb-server/server.ts';
import { lineTo } from '../../support/servers/line.ts';
import { eventually, idsOf, newEvents, record } from './recording.ts';

let server: EventStoreDbServer;
let warned: string[];
const log = { warn: (_fields: object, message: string) => void warned.push(message) };
const rights = ['append', 'read', 'subscribe'] as const;

async function serverWith(data = serverLog()): Promise<EventStoreDbServer> {
  const started = await startEventStoreDb({ log: data });
  onTestFinished(() => started.close());
  return started;
}

function storeAt(url: string): EventStoreDb {
  const store = eventStoreDb({ url, log, deadlineMs: 1_500 });
  onTestFinished(() => store.close());
  return store;
}

beforeEach(async () => {
  warned = [];
  server = await serverWith();
});

describe('the rights of a user', () => {
  it('are all there where nothing is forbidden, and asking for them writes nothing', async () => {
    expect(await storeAt(server.url).missingRights(rights)).toEqual([]);
    expect(await storeAt(server.url).last()).toBe(0n);
  });

  it.each([
    ['append', ['append']],
    ['read', ['read']],
    ['$all', ['subscribe']],
    ['anything without a password', ['append', 'read', 'subscribe']],
  ] as const)('are missing where %s is forbidden', async (denied, missing) => {
    server.standing.denied.add(denied);
    expect(await storeAt(server.url).missingRights(rights)).toEqual(missing);
  });

  it('that are not asked for are not told', async () => {
    server.standing.denied.add('append');
    expect(await storeAt(server.url).missingRights(['read', 'subscribe'])).toEqual([]);
  });

  it('are not told of a server that does not answer', async () => {
    await server.close();
    await expect(storeAt(server.url).missingRights(rights)).rejects.toMatchObject({ name: 'StoreAway' });
  });
});

describe('a subscription that is refused', () => {
  it.each([1n, 10n ** 9n])('is not tried anew without pause: from %s, where no event is', async (after) => {
    const store = storeAt(server.url);
    await store.append('a', 'none', newEvents(1));
    const recording = record(store, { after });
    await eventually(() => expect(warned.length).toBeGreaterThan(3));
    // The first four pauses alone are a second and a half.
    const calls = server.calls.filter((name) => name === 'Read').length;
    expect(calls).toBeLessThan(10);
    expect(recording.events).toEqual([]);
    await recording.stop();
  });

  it('goes on when it is permitted again', async () => {
    const store = storeAt(server.url);
    server.standing.denied.add('$all');
    const events = newEvents(2);
    await store.append('a', 'none', events);
    const recording = record(store, {});
    await eventually(() => expect(warned.length).toBeGreaterThan(0));
    server.standing.denied.clear();
    await recording.reached(2);
    expect(idsOf(recording.events)).toEqual(idsOf(events));
    await recording.stop();
  });
});

/** A server that is a process of its own: what it has sent meanwhile comes in one piece to who is busy. */
async function serverApart(): Promise<string> {
  const port = String(await freePort());
  const env = { ...process.env, PORT: port };
  const child = spawn(process.execPath, ['bench/log-server.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  return `esdb://127.0.0.1:${port}?tls=false`;
}

const busyFor = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

describe('the end of the log', () => {
  it('is asked for without leaving a call open, also where the answer has come whole', async () => {
    const store = eventStoreDb({ url: await serverApart(), log });
    await store.append('a', 'none', newEvents(3));
    for (let n = 0; n < 20; n++) {
      const asked = store.last();
      await sleep(2);
      busyFor(30);
      await asked;
    }
    // The client waits for its calls.
    expect(await within(5_000, store.close())).toBeUndefined();
  });
});

/** Answers each call with these headers and nothing else; `calls` counts them. */
async function nodeThatAnswers(headers: Record<string, string>) {
  const node = { calls: 0, url: '' };
  const broken = createServer().on('stream', (stream) => {
    node.calls++;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers }, { endStream: true });
  });
  broken.listen(0, '127.0.0.1');
  await once(broken, 'listening');
  onTestFinished(() => void broken.close());
  node.url = `esdb://127.0.0.1:${(broken.address() as AddressInfo).port}?tls=false`;
  return node;
}

describe('an answer that ends without saying how the call went', () => {
  it('is none: the call is repeated, and then the store is away', async () => {
    const node = await nodeThatAnswers({});
    const store = storeAt(node.url);
    await expect(store.read('a')).rejects.toMatchObject({ name: 'StoreAway' });
    await expect(store.append('a', 'none', newEvents(1))).rejects.toMatchObject({ name: 'StoreAway' });
    expect(node.calls).toBeGreaterThan(2);
  });
});

describe('a read that yields nothing of a stream, and is not told that there is none,', () => {
  it('is repeated, and then the store is away: what is there is not called missing', async () => {
    const node = await nodeThatAnswers({ 'grpc-status': '0' });
    await expect(storeAt(node.url).read('a')).rejects.toMatchObject({ name: 'StoreAway' });
    expect(node.calls).toBeGreaterThan(1);
  });
});

describe('the streams of the server itself', () => {
  it('lie before ours, and nobody is given them', async () => {
    const store = storeAt(server.url);
    const { position } = await store.append('a', 'none', newEvents(1));
    expect(position).toBeGreaterThan(0n);
    expect(await store.last()).toBe(position);
    const recording = record(store, {});
    await recording.reached(1);
    expect(recording.events.map(({ stream }) => stream)).toEqual(['a']);
    const client = EventStoreDBClient.connectionString(server.url);
    const seen: string[] = [];
    for await (const { event } of client.readAll()) if (event) seen.push(event.streamId);
    expect(seen).toEqual(['$users', '$users', 'daybook.a']);
    await client.dispose();
  });
});

describe('a leader that changes', () => {
  it('is followed by appends, reads and subscriptions, and the former one may go', async () => {
    const data = serverLog();
    const [former, next] = [await serverWith(data), await serverWith(data)];
    const store = storeAt(former.url);
    const events = newEvents(3);
    await store.append('a', 'none', events.slice(0, 1));
    const recording = record(store, {});
    await recording.reached(1);
    former.standing.leader = { leaderPort: next.port };
    await store.append('a', 0, events.slice(1, 2));
    expect(idsOf(await store.read('a'))).toEqual(idsOf(events.slice(0, 2)));
    await former.close();
    await store.append('a', 1, events.slice(2));
    await recording.reached(3);
    expect(idsOf(recording.events)).toEqual(idsOf(events));
    expect(idsOf(data.all)).toEqual(idsOf(events));
    expect(next.calls).toContain('Append');
  });
});

describe('a server that is frozen', () => {
  it('keeps nobody waiting, and what it was given is there once when it goes on', async () => {
    const line = await lineTo(server.url);
    const store = storeAt(line.url);
    const events = newEvents(2);
    await store.append('a', 'none', events.slice(0, 1));
    const recording = record(store, {});
    await recording.reached(1);
    line.freeze();
    const asked = [store.append('a', 0, events.slice(1)), store.read('a'), store.last()];
    for (const answer of await Promise.allSettled(asked))
      expect(answer).toMatchObject({ status: 'rejected', reason: { name: 'StoreAway' } });
    line.thaw();
    await store.append('a', 0, events.slice(1));
    await recording.reached(2);
    expect(idsOf(await store.read('a'))).toEqual(idsOf(events));
    expect(idsOf(recording.events)).toEqual(idsOf(events));
    await recording.stop();
  });

  it('keeps nobody waiting who has no connection to it yet', async () => {
    const line = await lineTo(server.url);
    line.freeze();
    const store = storeAt(line.url);
    await expect(store.append('a', 'none', newEvents(1))).rejects.toMatchObject({ name: 'StoreAway' });
    line.thaw();
    expect(await store.read('a')).toEqual([]);
  });
});

describe('a cluster of which no node answers', () => {
  it('is away', async () => {
    await server.close();
    const hosts = `127.0.0.1:${server.port},127.0.0.1:${server.port}`;
    const store = storeAt(`esdb://${hosts}?tls=false&maxDiscoverAttempts=1`);
    await expect(store.read('a')).rejects.toMatchObject({ name: 'StoreAway' });
    await expect(store.append('a', 'none', newEvents(1))).rejects.toMatchObject({ name: 'StoreAway' });
  });
});

describe('a cluster whose nodes are looked for', () => {
  const clusterUrl = () =>
    `esdb://127.0.0.1:${server.port},127.0.0.1:${server.port}?tls=false&gossipTimeout=1`;

  it('is given what is appended once one is found', async () => {
    const events = newEvents(1);
    server.faults.gossips.push('silence');
    await storeAt(clusterUrl()).append('a', 'none', events);
    expect(idsOf(server.log.all)).toEqual(idsOf(events));
  });

  it('is not given what was given up meanwhile', async () => {
    server.faults.gossips.push(...Array<'silence'>(60).fill('silence'));
    const store = storeAt(clusterUrl());
    await expect(store.append('a', 'none', newEvents(1))).rejects.toMatchObject({ name: 'StoreAway' });
    expect(server.calls).not.toContain('Append');
    server.faults.gossips.length = 0;
    const later = newEvents(1);
    await store.append('b', 'none', later);
    expect(await store.read('a')).toEqual([]);
    expect(idsOf(server.log.all)).toEqual(idsOf(later));
    expect(server.calls.filter((name) => name === 'Append')).toHaveLength(1);
  });
});

describe('the server in this process', () => {
  it('refuses a place in the log where no event is', async () => {
    const client = EventStoreDBClient.connectionString(server.url);
    const from = { commit: 5n, prepare: 5n };
    const live = client.subscribeToAll({ fromPosition: from, filter: streamNameFilter({ prefixes: ['a'] }) });
    const refused = new Promise((resolve) => live.once('error', resolve));
    await expect(refused).resolves.toMatchObject({ message: expect.stringContaining('INVALID_ARGUMENT') });
    await client.dispose();
  });
});
