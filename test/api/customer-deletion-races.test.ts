/** A customer is deleted while money comes: one of both is too late, and no account that is closed has anything in it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Answer, Json } from '../support/http/client.ts';
import { atMost, countByStatus, together } from '../support/http/concurrency.ts';
import { unbalanced } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { deleteCustomer, readCustomer } from '../support/resources/customers.ts';
import { accountOf, eventually, expectStatus, fund, quoteBody } from '../support/resources/flows.ts';
import { balanceOf, customerWith, quote, receive } from '../support/resources/payments.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const { client } = service;

type Credit = {
  readonly pay: () => Promise<Answer>;
  /** What the payer here has; always the same where the payment does not arrive. */
  readonly left?: () => Promise<number>;
};
const amount = 2_500;
const rounds = 24;
/** A deletion takes a few of them. */
const stepMs = 12;
/** In the last round of either order who comes second comes after all is over. */
const longMs = 1_500;
const locked = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: amount };

const credits: Readonly<Record<string, (customer: Json, account: Json) => Promise<Credit>>> = {
  'a deposit': async (_customer, { id }) => ({
    pay: () => client.post(`/sandbox/internal-accounts/${id}/fund`, { amount }),
  }),
  "the execution of another customer's quote": async (_customer, { id }) => {
    const payer = await customerWith(client, 10_000);
    const quoted = await quote(client, quoteBody(payer.account.id, id, locked));
    return {
      pay: () => client.post(`/quotes/${quoted.id}/execute`),
      left: () => balanceOf(client, payer.customer.id),
    };
  },
  'a payment to its address': async ({ id: customerId }) => ({
    pay: () => receive(client, { customerId, receivingCurrencyAmount: amount }),
  }),
  'the payment of instructions': async (_customer, { id }) => {
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' };
    const quoted = await quote(client, { ...quoteBody('', id, locked), source });
    return { pay: () => client.post('/sandbox/send', { quoteId: quoted.id, currencyCode: 'USD' }) };
  },
};

const idOf = ({ body }: Answer): string =>
  String(body.id ?? '').startsWith('Quote:') ? body.transactionId : body.id;
const isOver = ({ status, refund }: Json) =>
  !['PENDING', 'PROCESSING'].includes(status) && refund?.status !== 'PENDING';

/** How the payment that was answered with 200 has ended; a deposit is there with its answer. */
async function endOf(answer: Answer): Promise<string> {
  if (answer.status !== 200) return 'refused';
  if (String(answer.body.id).startsWith('InternalAccount:')) return 'COMPLETED';
  const path = `/transactions/${idOf(answer)}`;
  const { body } = await eventually(
    () => client.get(path),
    (one) => one.status === 200 && isOver(one.body),
  );
  return body.status;
}

/** Both at once, the one a moment before the other. */
async function race(credit: keyof typeof credits, n: number): Promise<string> {
  const { customer, account } = await customerWith(client, 0);
  const { pay, left } = (await credits[credit]?.(customer, account)) ?? {};
  if (!pay) throw new Error(`no credit ${credit}`);
  const before = await left?.();
  const lateMs = n < rounds - 2 ? (n >> 1) * stepMs : longMs;
  const late = (isLate: boolean) => sleep(isLate ? lateMs : 0);
  const [deleted, paid] = await Promise.all([
    late(n % 2 === 0).then(() => deleteCustomer(client, customer)),
    late(n % 2 === 1).then(pay),
  ]);
  const end = await endOf(paid);
  const { status, balance } = await accountOf(client, customer.id);
  const has = { isDeleted: (await readCustomer(client, customer)).isDeleted, status, amount: balance.amount };
  const arrives = deleted.status === 409;
  expect(['COMPLETED', 'FAILED', 'REJECTED', 'refused'], `${deleted.status}, ${end}`).toContain(end);
  expect(end === 'COMPLETED', `${deleted.status}, ${JSON.stringify(paid.body)}`).toBe(arrives);
  expect(has).toEqual(
    arrives
      ? { isDeleted: false, status: 'ACTIVE', amount }
      : { isDeleted: true, status: 'CLOSED', amount: 0 },
  );
  if (!arrives) expect([deleted.status, await left?.()]).toEqual([200, before]);
  return arrives ? 'paid' : 'deleted';
}

it.each(Object.keys(credits))('of a deletion and %s at the same moment one is too late', async (credit) => {
  const numbers = Array.from({ length: rounds }, (_, n) => n);
  const ends = await atMost(4, numbers, (n) => race(credit, n));
  expect(new Set(ends)).toEqual(new Set(['paid', 'deleted']));
  expect(await unbalanced(client)).toEqual([]);
});

it('of many deletions and a deposit at once all answer alike, and what is there can be paid out', async () => {
  for (let n = 0; n < 8; n++) {
    const { customer, account } = await customerWith(client, 0);
    const [paid, ...deletions] = await Promise.all([
      sleep(n * stepMs).then(() => client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount })),
      ...(await together(5, async () => () => deleteCustomer(client, customer))).map((ask) => ask()),
    ]);
    const counted = countByStatus(deletions);
    expect([{ 200: 1, 410: 4 }, { 409: 5 }]).toContainEqual(counted);
    expect(paid.status === 200).toBe(counted[409] === 5);
    const { status } = await accountOf(client, customer.id);
    expect(status).toBe(paid.status === 200 ? 'ACTIVE' : 'CLOSED');
    if (paid.status === 200) await fund(client, account.id, amount);
  }
});

it('leaves who was not deleted as before', async () => {
  const { customer, account } = await customerWith(client, 0);
  await fund(client, account.id, amount);
  expect(await together(3, () => deleteCustomer(client, customer))).toMatchObject(
    Array.from({ length: 3 }, () => ({ status: 409 })),
  );
  expectStatus(await client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount }), 200);
  expect(await balanceOf(client, customer.id)).toBe(2 * amount);
});
