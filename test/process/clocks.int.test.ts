import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { unbalanced, untilEnded } from '../support/log/books.ts';
import { type SkewedProcesses, skewedProcesses } from '../support/processes/skewed-processes.ts';
import { newAddress, tryCustomer } from '../support/resources/customers.ts';
import { eventually, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { balanceOf, quote, quoteParties, transferOut } from '../support/resources/payments.ts';
import { hasTakenTooLong, type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { addEmail, createWallet } from '../support/wallets/wallets.ts';

const slackMs = 120_000;

let receiver: Receiver;
let processes: SkewedProcesses;
const client = (n: number): Client => processes.client(n);
const swapClocks = () => processes.swapClocks();

beforeAll(async () => {
  receiver = await startReceiver();
  processes = await skewedProcesses({});
  expectStatus(await client(0).patch('/config', { webhookEndpoint: receiver.url }), 200);
});
afterAll(async () => {
  await processes.close();
  await receiver.close();
});

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
    for (const { n, transactionId } of quotes) await untilEnded(client(n), transactionId, 'COMPLETED');
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

  it('count what is limited in the same minute', async () => {
    const { id } = await addEmail(client(0), await createWallet(client(0)));
    const waits: (string | null)[] = [];
    for (let n = 0; n < 9; n++) {
      const { headers } = await client(n).post(`/auth/credentials/${id}/challenge`);
      waits.push(headers.get('retry-after'));
    }
    expect(waits.slice(0, 5)).toEqual([null, null, null, null, null]);
    for (const wait of waits.slice(5)) expect([1 <= Number(wait), Number(wait) <= 60]).toEqual([true, true]);
  });

  it('end every payment once, and tell of it once', async () => {
    const { customer, account, pulled } = await quoteParties(client(0), 100_000);
    const sent: string[] = [];
    for (let n = 0; n < 12; n++) {
      const answer = await transferOut(client(n), account.id, pulled.id, 1_000);
      sent.push(expectStatus(answer, 201).id);
      if (n % 4 === 3) await swapClocks();
    }
    for (const [n, id] of sent.entries()) await untilEnded(client(n), id, 'COMPLETED');
    expect(await balanceOf(client(1), customer.id)).toBe(100_000 - 12 * 1_000);
    const told = () =>
      receiver.received
        .map(({ body }) => body)
        .filter(({ type, data }) => type === 'OUTGOING_PAYMENT.COMPLETED' && sent.includes(data.id));
    await eventually(
      async () => new Set(told().map(({ data }) => data.id)).size,
      (many) => many === sent.length,
    );
    const payments = new Map(told().map(({ id, data }) => [id, data.id]));
    expect([...payments.values()].toSorted()).toEqual(sent.toSorted());
    for (const id of payments.keys())
      if (told().filter((one) => one.id === id).length > 1)
        expect(await hasTakenTooLong(client(0), id)).toBe(true);
    expect(await unbalanced(client(0))).toEqual([]);
  });
});
