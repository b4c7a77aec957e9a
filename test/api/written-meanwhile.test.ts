/** What is read while payments are made is of one moment: whoever adds up a page has what the page says beside it. */
import { expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { customerWith, registerUsd, transferIn } from '../support/resources/payments.ts';

const { client } = serviceOfTests();
const limit = '100';
const get = async (path: string, query: Record<string, string> = {}): Promise<Json> =>
  expectStatus(await client.get(path, { limit, ...query }), 200);

/** Calls `read` all the time until `write` has been done so many times, four at once. */
async function whileWriting(times: number, write: () => Promise<unknown>, read: () => Promise<void>) {
  let left = times;
  const writer = async () => {
    while (left-- > 0) await write();
  };
  const writing = Promise.all([writer(), writer(), writer(), writer()]).finally(() => (left = 0));
  while (left > 0) await read();
  await writing;
}

/** Somebody who can be paid into. */
async function payee() {
  const { customer, account } = await customerWith(client, 0);
  const pulled = await registerUsd(client, customer.id);
  const pay = async () => expectStatus(await transferIn(client, pulled.id, account.id, 100), 201);
  return { customer, account, pay };
}

it('a list of payments says how many it has while they are made', async () => {
  const { customer, pay } = await payee();
  const lists = [
    { customerId: customer.id, type: 'INCOMING' },
    { customerId: customer.id },
    { startDate: new Date().toISOString() },
  ];
  await whileWriting(80, pay, async () => {
    for (const { data, totalCount } of await Promise.all(lists.map((query) => get('/transactions', query))))
      expect(data).toHaveLength(totalCount);
  });
});

it('a list of payments by status shows all that it counts while they go on', async () => {
  const { customer, pay } = await payee();
  const statuses = ['PENDING', 'PROCESSING'];
  await whileWriting(80, pay, async () => {
    for (const status of statuses) {
      const { data, totalCount } = await get('/transactions', { customerId: customer.id, status });
      expect(data).toHaveLength(totalCount);
      expect(data.map((one: Json) => one.status)).toEqual(data.map(() => status));
    }
  });
});

it('a statement adds up while payments are made', async () => {
  const { account, pay } = await payee();
  await whileWriting(80, pay, async () => {
    const { opening, closing, data, totalCount } = await get(
      `/audit/internal-accounts/${account.id}/statement`,
    );
    expect(data).toHaveLength(totalCount);
    const sum = data.reduce((total: number, { amount }: Json) => total + amount.amount, opening.amount);
    expect(sum).toBe(closing.amount);
  });
});

it('a list of customers says how many it has while they are created', async () => {
  const query = { createdAfter: new Date().toISOString() };
  await whileWriting(
    80,
    () => createCustomer(client),
    async () => {
      const { data, totalCount } = await get('/customers', query);
      expect(data).toHaveLength(totalCount);
    },
  );
});

it('the page after the last one says how many there are', async () => {
  const first = await get('/customers', { limit: '1' });
  const rest = await get('/customers', { limit, cursor: first.nextCursor });
  expect([rest.data.length, rest.totalCount]).toEqual([
    Math.min(first.totalCount - 1, 100),
    first.totalCount,
  ]);
});
