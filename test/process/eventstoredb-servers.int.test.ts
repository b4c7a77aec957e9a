/** The same on the server in this process and, where EVENTSTORE_URL names one, on a real one. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AppendTooLarge } from '../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import {
  aNewEvent,
  idsOf,
  newEvents,
  record,
  eventually as untilSo,
} from '../infrastructure/event-store/recording.ts';
import type { Json } from '../support/http/client.ts';
import { createDatabase } from '../support/postgres/database.ts';
import {
  newCredentials,
  startTestService,
  type TestService,
  testMasterKey,
} from '../support/processes/service.ts';
import {
  createCustomer,
  eventually,
  expectStatus,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

type Opened = { readonly url: string; readonly close: () => Promise<void> };

const realUrl = process.env.EVENTSTORE_URL;
const servers: readonly (readonly [string, () => Promise<Opened>])[] = [
  ['in this process', startEventStoreDb],
  ...(realUrl ? [['at EVENTSTORE_URL', async () => ({ url: realUrl, close: async () => {} })] as const] : []),
];
const front = resolve(import.meta.dirname, '../../bin/daybook');

describe.each(servers)('EventStoreDB %s', (_where, open) => {
  let server: Opened;
  let streamPrefix: string;
  let warned: string[];

  beforeAll(async () => {
    server = await open();
  });
  afterAll(() => server.close());

  const freshPrefix = () => `t${randomUUID().replaceAll('-', '')}`;
  const openStore = () => {
    warned = [];
    streamPrefix = `${freshPrefix()}.`;
    const log = { warn: (_fields: object, message: string) => void warned.push(message) };
    const store = eventStoreDb({ url: server.url, streamPrefix, log });
    onTestFinished(() => store.close());
    return store;
  };

  it('gives the user of the address all rights, and nothing is written to ask for them', async () => {
    const store = openStore();
    expect(await store.missingRights(['append', 'read', 'subscribe'])).toEqual([]);
    expect(await store.read('rights')).toEqual([]);
  });

  it('has streams of its own, which nobody is given', async () => {
    const store = openStore();
    const { position } = await store.append('a', 'none', newEvents(1));
    expect(position).toBeGreaterThan(0n);
    expect(await store.last()).toBe(position);
    const recording = record(store, {});
    await recording.reached(1);
    expect(recording.events.map(({ stream }) => stream)).toEqual(['a']);
    await recording.stop();
  });

  it('refuses an append that is too large, of which nothing is written', async () => {
    const store = openStore();
    const events = Array.from({ length: 3 }, () => aNewEvent({ text: 'x'.repeat(500_000) }));
    await expect(store.append('a', 'none', events)).rejects.toBeInstanceOf(AppendTooLarge);
    expect(await store.read('a')).toEqual([]);
    for (const [n, event] of events.entries()) await store.append('a', n === 0 ? 'none' : n - 1, [event]);
    expect(idsOf(await store.read('a'))).toEqual(idsOf(events));
  });

  it('refuses a subscription from where no event is, which is tried with growing pauses', async () => {
    const store = openStore();
    const { position } = await store.append('a', 'none', newEvents(1));
    const recording = record(store, { after: position + 10n ** 12n });
    await untilSo(() => expect(warned.length).toBeGreaterThan(2));
    expect(recording.events).toEqual([]);
    await recording.stop();
  });

  describe('as the log of a service', () => {
    const credentials = newCredentials();
    let databaseUrl: string;
    let variables: Record<string, string>;

    beforeAll(async () => {
      databaseUrl = await createDatabase();
      variables = {
        EVENTSTORE_URL: server.url,
        DAYBOOK_STREAM_PREFIX: freshPrefix(),
        DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
        DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
      };
    });

    const pay = async ({ client }: TestService): Promise<void> => {
      const { account, payee } = await payoutParties(client, 50_000);
      const quote: Json = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
      expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
      await untilTransaction(client, quote.transactionId, 'COMPLETED');
      await createCustomer(client);
    };
    const booksOf = async ({ client }: TestService): Promise<Json> => [
      expectStatus(await client.get('/transactions'), 200).data,
      expectStatus(await client.get('/platform/trial-balance'), 200).data,
    ];
    const copyTo = (to: string) =>
      new Promise<string>((answer) => {
        const env = {
          PATH: process.env.PATH,
          DATABASE_URL: databaseUrl,
          DAYBOOK_MASTER_KEY: testMasterKey,
          ...variables,
        };
        execFile(front, ['log', 'copy', to], { env }, (_error, stdout, stderr) => answer(stdout + stderr));
      });

    it('carries payments, is followed, and moves to Postgres and back', async () => {
      const service = await startTestService({ databaseUrl, variables });
      await pay(service);
      const followers = async () =>
        ((await (await fetch(new URL('/readyz', service.url))).json()) as Json).followers;
      await eventually(followers, (rows) => rows.every(({ behind }: Json) => behind === '0'));
      const before = await booksOf(service);
      await service.stop();

      expect(await copyTo('postgres')).toMatch(
        /the same in both logs.*\n.*\nUnset EVENTSTORE_URL, and start\.\n$/,
      );
      const { EVENTSTORE_URL: _left, ...inPostgres } = variables;
      const moved = await startTestService({ databaseUrl, variables: inPostgres });
      expect(await booksOf(moved)).toEqual(before);
      await pay(moved);
      const after = await booksOf(moved);
      await moved.stop();

      expect(await copyTo('eventstoredb')).toMatch(/the same in both logs/);
      const back = await startTestService({ databaseUrl, variables });
      expect(await booksOf(back)).toEqual(after);
      await back.stop();
    });
  });
});
