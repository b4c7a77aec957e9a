import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unbalanced, untilEnded } from '../support/books.ts';
import { type Client, clientOf, type Json } from '../support/client.ts';
import { newAddress, tryCustomer } from '../support/customers.ts';
import { createDatabase } from '../support/database.ts';
import { eventually, expectStatus, quoteBody } from '../support/flows.ts';
import { balanceOf, quote, quoteParties, transferOut } from '../support/payments.ts';
import { type Daybook, removeDirectory, spawnDaybook } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { newCredentials } from '../support/service.ts';
import { type WrongClock, wrongClock } from '../support/wrong-clock.ts';

const hourMs = 3_600_000;
const slackMs = 120_000;
/** Until a process has certainly seen what its clock shows now. */
const seenMs = 500;

const credentials = newCredentials();
let cwd: string;
let receiver: Receiver;
const clocks: WrongClock[] = [];
const processes: Daybook[] = [];
const clients: Client[] = [];

/** Two processes with all roles on one database: one is an hour ahead, the other an hour behind. */
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'daybook-clocks-'));
  receiver = await startReceiver();
  const DATABASE_URL = await createDatabase();
  for (const ms of [hourMs, -hourMs]) {
    const clock = await wrongClock(join(cwd, String(ms)), ms);
    const daybook = spawnDaybook({
      cwd,
      variables: {
        DATABASE_URL,
        NODE_OPTIONS: clock.NODE_OPTIONS,
        DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
        DAYBOOK_SANDBOX_TIME_SCALE: '0.02',
        DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
        DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
      },
    });
    clocks.push(clock);
    processes.push(daybook);
    clients.push(clientOf(await daybook.ready, credentials));
  }
  expectStatus(await client(0).patch('/config', { webhookEndpoint: receiver.url }), 200);
});
afterAll(async () => {
  for (const one of processes) one.kill('SIGTERM');
  await Promise.all(processes.map(({ exited }) => exited));
  await receiver.close();
  await removeDirectory(cwd);
});

function client(n: number): Client {
  const found = clients[n % clients.length];
  if (!found) throw new Error('no process runs');
  return found;
}

/** Each process has the time that the other had. */
async function swapClocks(): Promise<void> {
  await Promise.all([clocks[0]?.set(-hourMs), clocks[1]?.set(hourMs)]);
  await sleep(seenMs);
  clocks.reverse();
}

const isNow = (text: string) => Math.abs(Date.parse(text) - Date.now()) < slackMs;

describe('processes whose clocks are two hours apart, and jump', () => {
  it('record the same time', async () => {
    for (const n of [0, 1]) {
      const created = expectStatus(await tryCustomer(client(n), {}), 201);
      expect(isNow(created.createdAt)).toBe(true);
    }
  });

  it('expire no quote of the other early', async () => {
    const quotes: Json[] = [];
    for (const n of [0, 1]) {
      const { customer, account, payee } = await quoteParties(client(n));
      quotes.push({ n, customer, ...(await quote(client(n), quoteBody(account.id, payee.id))) });
    }
    await swapClocks();
    for (const { n, id } of quotes) expectStatus(await client(n + 1).post(`/quotes/${id}/execute`), 200);
    for (const { n, transactionId } of quotes)
      await untilEnded(client(n), transactionId, 'COMPLETED', 90_000);
    expect(await unbalanced(client(0))).toEqual([]);
  });

  it('give a name to one of those who want it at once', async () => {
    for (let round = 0; round < 5; round++) {
      const umaAddress = newAddress();
      const wanted = Array.from({ length: 6 }, (_, n) =>
        tryCustomer(client(n), { umaAddress, fullName: `Ada ${n}` }),
      );
      if (round % 2 === 1) await swapClocks();
      const statuses = (await Promise.all(wanted)).map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    }
  });

  it('end every payment once, and tell of it once', async () => {
    const { customer, account, pulled } = await quoteParties(client(0), 100_000);
    const sent: string[] = [];
    for (let n = 0; n < 12; n++) {
      const answer = await transferOut(client(n), account.id, pulled.id, 1_000);
      sent.push(expectStatus(answer, 201).id);
      if (n % 4 === 3) await swapClocks();
    }
    for (const [n, id] of sent.entries()) await untilEnded(client(n), id, 'COMPLETED', 90_000);
    expect(await balanceOf(client(1), customer.id)).toBe(100_000 - 12 * 1_000);
    const told = () =>
      receiver.received
        .map(({ body }) => body)
        .filter(({ type, data }) => type === 'OUTGOING_PAYMENT.COMPLETED' && sent.includes(data.id))
        .map(({ data }) => data.id);
    await eventually(
      async () => new Set(told()).size,
      (many) => many === sent.length,
      90_000,
    );
    expect(told().toSorted()).toEqual(sent.toSorted());
    expect(await unbalanced(client(0))).toEqual([]);
  });
});
