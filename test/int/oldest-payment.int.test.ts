import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReadDb, type ReadDb } from '../../projections/database.ts';
import { oldestUnderWay } from '../../projections/models/open-payments.ts';
import { basePath } from '../../src/app/interface/address.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import type { Client, Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, eventually, expectStatus, quoteBody } from '../support/resources/flows.ts';
import {
  customerWith,
  executeQuote,
  quote,
  receive,
  registerEur,
  registerUsd,
  transferOut,
} from '../support/resources/payments.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { stillClock } from '../support/time/movable-clock.ts';

/** The sandbox's bank keeps a quote to such an account for six minutes, and a transfer out for 30 seconds. */
const [slowQuote, slowTransfer] = ['003', '005'];
const [minuteMs, hourMs] = [60_000, 3_600_000];

const clock = stillClock();
/** Looked for every 30 s where nothing else is said. */
const everyMs = (task: string, usualMs: number) => (task === 'oldest payment' ? 50 : usualMs);
const service = serviceOfTests({ clock, everyMs, variables: { DAYBOOK_SANDBOX_TIME_SCALE: '1' } });
const { client } = service;
/** Says that it will decide later. */
let receiver: Receiver;
let db: ReadDb;
beforeAll(async () => {
  db = createReadDb(createPool({ url: service.databaseUrl, max: 1, name: 'oldest' }));
  receiver = await startReceiver();
  receiver.answer(202);
});
afterAll(async () => {
  await receiver.close();
  await db.destroy();
});

const oldest = (except: readonly string[] = []) => oldestUnderWay(db, except);
const createdAt = async (by: Client, { id }: Json) =>
  new Date(expectStatus(await by.get(`/transactions/${id}`), 200).createdAt);
const ageShown = async () => {
  const text = await (await fetch(`${service.url.slice(0, -basePath.length)}/metrics`)).text();
  return Number(/^daybook_oldest_payment_seconds (\S+)$/m.exec(text)?.[1]);
};

async function openQuote(by: Client, suffix: string): Promise<Json> {
  const { customer, account } = await customerWith(by);
  const payee = await registerEur(by, customer.id, suffix);
  return quote(by, quoteBody(account.id, payee.id));
}

async function payOut(by: Client, suffix: string): Promise<Json> {
  const { customer, account } = await customerWith(by);
  const { id } = await registerUsd(by, customer.id, suffix);
  return expectStatus(await transferOut(by, account.id, id, 5_000), 201);
}

/** As of an hour later, by which all that the sandbox's bank has is over. */
async function untilAllIsOver(): Promise<void> {
  clock.advance(hourMs);
  await eventually(
    async () => {
      await service.timers.reconcile();
      return oldest();
    },
    (one) => one === undefined,
  );
}

describe('the payment that is under way the longest', () => {
  it('is none where nothing was paid for', async () => {
    expect(await oldest()).toBeUndefined();
    await openQuote(client, slowQuote);
    expect(await oldest()).toBeUndefined();
  });

  it('is none of those that wait for their platform', async () => {
    const asked = await service.newPlatform();
    await customerWith(asked);
    expectStatus(await asked.patch('/config', { webhookEndpoint: receiver.url }), 200);
    const { umaAddress } = await createCustomer(asked);
    const waiting = expectStatus(await receive(asked, { receiverUmaAddress: umaAddress }), 200);
    expect(waiting.status).toBe('PENDING');
    expect(await oldest()).toBeUndefined();
  });

  it('is the oldest of all platforms, but of those whose time is their own', async () => {
    const other = await service.newPlatform();
    const first = await openQuote(client, slowQuote);
    await executeQuote(client, first);
    const [row] = await query<{ platform_id: string }>(
      service.databaseUrl,
      'select platform_id from daybook.transactions where id = $1',
      [first.transactionId],
    );
    clock.advance(minuteMs);
    const second = await payOut(other, slowTransfer);
    expect(second.status).toBe('PENDING');
    expect(await oldest()).toEqual(await createdAt(client, { id: first.transactionId }));
    expect(await oldest([row?.platform_id ?? ''])).toEqual(await createdAt(other, second));
    await untilAllIsOver();
  });

  it('is told by the metrics with its age', async () => {
    await untilAllIsOver();
    await eventually(ageShown, (age) => age === 0);
    await executeQuote(client, await openQuote(client, slowQuote));
    clock.advance(20_000);
    await eventually(ageShown, (age) => age >= 20 && age < hourMs / 1_000);
    await untilAllIsOver();
    await eventually(ageShown, (age) => age === 0);
  });
});
