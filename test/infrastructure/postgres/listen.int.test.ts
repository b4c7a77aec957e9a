import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { openListening } from '../../../src/infrastructure/postgres/listen.ts';
import { administratorOf, createDatabase, query } from '../../support/postgres/database.ts';
import { eventually } from '../../support/resources/flows.ts';

it('a connection that listens sends one statement at a time, however many ask for channels at once', async () => {
  const warnings: string[] = [];
  const warn = ({ message }: Error) => void warnings.push(message);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const url = await createDatabase();
  const listening = openListening(url, createLog('silent'));
  onTestFinished(() => listening.stop());
  const heard = new Set<string>();
  const channels = Array.from({ length: 20 }, (_, n) => `channel_${n}`);
  const hear = (channel: string) =>
    listening.on(channel, (payload) => {
      if (payload === 'hello') heard.add(channel);
    });
  for (const channel of channels.slice(0, 5)) hear(channel);
  // It is connected by then.
  await sleep(1_000);
  for (const channel of channels.slice(5)) hear(channel);
  await eventually(
    async () => {
      for (const channel of channels) await query(url, `select pg_notify('${channel}', 'hello')`);
      return heard.size;
    },
    (count) => count === channels.length,
  );
  expect(warnings.filter((message) => message.includes('already executing'))).toEqual([]);
});

it('a stop ends once those who were woken have read, and wakes nobody after them', async () => {
  const url = await createDatabase();
  const listening = openListening(url, createLog('silent'));
  const reading = Promise.withResolvers<void>();
  const told: (string | undefined)[] = [];
  listening.on('channel', (payload) => {
    told.push(payload);
    return reading.promise;
  });
  await eventually(
    async () => told.length,
    (count) => count > 0,
  );
  let isOver = false;
  const stopping = listening.stop().then(() => {
    isOver = true;
  });
  await query(url, `select pg_notify('channel', 'too late')`);
  await sleep(200);
  expect(isOver).toBe(false);
  reading.resolve();
  await stopping;
  expect(told).not.toContain('too late');
  await listening.stop();
});

it('a connection whose question fails is not left behind', async () => {
  const url = await createDatabase();
  const administrator = administratorOf(url);
  const listening = openListening(url, createLog('silent'));
  onTestFinished(() => listening.stop());
  const heard: string[] = [];
  listening.on('channel', (payload) => {
    if (payload !== undefined) heard.push(payload);
  });
  const listeners = () =>
    query(
      url,
      `select pid from pg_stat_activity where application_name = 'daybook-listen' and datname = current_database()`,
    );
  const before = await eventually(listeners, (rows) => rows.length === 1);
  await query(administrator, 'revoke execute on function pg_notify from public');
  await eventually(listeners, (rows) => rows.every(({ pid }) => pid !== before[0]?.pid));
  await query(administrator, 'grant execute on function pg_notify to public');
  await eventually(
    async () => {
      await query(administrator, `select pg_notify('channel', 'hello')`);
      return heard.length;
    },
    (count) => count > 0,
  );
  await eventually(listeners, (rows) => rows.length === 1);
});

it('who stops is not heard any more, however late an answer to its first word comes', async () => {
  const url = await createDatabase();
  const listening = openListening(url, createLog('silent'));
  onTestFinished(() => listening.stop());
  const said: (string | undefined)[] = [];
  listening.on('channel', (payload) => void said.push(payload));
  await listening.begun();
  for (let n = 0; n < 30; n++) {
    const other = openListening(url, createLog('silent'));
    await other.begun();
    if (n % 2 === 0) other.on('another', () => undefined)();
    await other.stop();
  }
  // What was said before is heard before.
  await query(url, `select pg_notify('channel', 'last')`);
  await eventually(
    async () => said,
    (all) => all.includes('last'),
  );
  expect(listening.heardOf()).toBe(0);
});
