import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  AppendTooLarge,
  type EventStore,
  type StoredEvent,
} from '../../src/infrastructure/event-store/event-store.ts';
import { genesisOf } from '../../src/infrastructure/event-store/seal.ts';
import { copyStreams } from '../../src/workers/platform-snapshots/copies.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { uuidNumber } from '../support/values/ids.ts';

const id = uuidNumber(1);
const metadata = {
  platformId: `Platform:${id}`,
  at: '2026-11-02T09:00:00.000Z',
  correlationId: id,
  causationId: id,
  actor: 'policy',
};

it('what a wallet says is copied after the account that it is of, however long that one takes', async () => {
  const log = memoryEventStore();
  const add = (stream: string, n: number) =>
    log.append(stream, 'none', [{ id: uuidNumber(n), type: 'Happened', data: {}, metadata } as never]);
  await add(`account-${id}`, 2);
  await add(`wallet-${id}`, 3);
  const slow: EventStore = {
    ...log,
    async append(stream, expected, events) {
      if (stream.startsWith('account-')) await sleep(50);
      return log.append(stream, expected, events);
    },
  };
  const kept = ['wallet', 'account'].map((kind) => {
    const stream = `${kind}-${id}`;
    return { stream, place: stream, revision: 0 };
  });
  expect(await copyStreams(slow, kept, 1)).toBe(2);
  const [[account], [wallet]] = await Promise.all([log.read(`account-${id}.1`), log.read(`wallet-${id}.1`)]);
  expect(Number(account?.position)).toBeLessThan(Number(wallet?.position));
});

it('what a customer, its wallet and its accounts say of each other is copied in its order', async () => {
  const log = memoryEventStore();
  const customerId = `Customer:${id}`;
  const streams = [`customer-${id}`, `wallet-${id}`, `externalaccount-${id}`, `account-${id}`];
  const [customer = '', wallet = '', outside = '', account = ''] = streams;
  const told = [customer, account, wallet, outside, wallet, customer, wallet, wallet, outside, customer];
  for (const [n, stream] of told.entries()) {
    const revision = (await log.read(stream)).length - 1;
    const event = { id: uuidNumber(n + 2), type: 'Happened', data: { customerId }, metadata };
    await log.append(stream, revision < 0 ? 'none' : revision, [event as never]);
  }
  const kept = await Promise.all(
    streams.map(async (stream) => ({
      stream,
      place: stream,
      revision: (await log.read(stream)).length - 1,
    })),
  );
  const length = log.all.length;
  expect(await copyStreams(log, kept, 1)).toBe(length);
  expect(await copyStreams(log, kept, 1)).toBe(length);
  const order = (all: readonly StoredEvent[]) =>
    all.filter(({ stream }) => !stream.startsWith('account-')).map(({ stream }) => stream.replace('.1', ''));
  expect(order(log.all.slice(length))).toEqual(order(log.all.slice(0, length)));
});

it('copies of which the log takes few at once are appended in parts, one after the other', async () => {
  const log = memoryEventStore();
  const streams = [`account-${id}`, `customer-${id}`];
  const data = { customerId: `Customer:${id}` };
  for (const [of, stream] of streams.entries()) {
    const events = Array.from({ length: 111 }, (_, n) => ({
      id: uuidNumber(200 * of + n),
      type: 'Happened',
      data,
      metadata,
    }));
    await log.append(stream, 'none', events as never);
  }
  const small: EventStore = {
    ...log,
    async append(stream, expected, events) {
      if (events.length > 3) throw new AppendTooLarge(stream, events.length);
      return log.append(stream, expected, events);
    },
  };
  const kept = streams.map((stream) => ({ stream, place: stream, revision: 110 }));
  for (let times = 0; times < 2; times++) expect(await copyStreams(small, kept, 1)).toBe(222);
  for (const stream of streams) {
    const [originals, copies] = await Promise.all([log.read(stream), log.read(`${stream}.1`)]);
    expect(copies.map((copy) => copy.metadata.copyOf)).toEqual(originals.map((event) => event.id));
    const hashes = copies.map((copy) => copy.metadata.hash);
    expect(copies.map((copy) => copy.metadata.previousHash)).toEqual([
      genesisOf(`${stream}.1`),
      ...hashes.slice(0, -1),
    ]);
  }
});
