import { beforeAll, describe, expect, it } from 'vitest';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import type { Answer, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { unbalanced, untilEnded } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { eventually, expectStatus, registerPayee } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  receive,
  registerUsd,
  transferIn,
  transferOut,
  usdInfo,
} from '../support/resources/payments.ts';

const most = 9_223_372_036_854_775_807n;

const service = serviceOfTests();
const { client } = service;
let customer: Json;
let refused: Answer[];
beforeAll(async () => {
  const party = await customerWith(client, 0);
  ({ customer } = party);
  const external = await registerUsd(client, customer.id);
  const full = expectStatus(await transferIn(client, external.id, party.account.id, most), 201);
  await untilEnded(client, full.id, 'COMPLETED');
  refused = [
    await transferIn(client, external.id, party.account.id, 1),
    await receive(client, { customerId: customer.id }),
    await client.post(`/sandbox/internal-accounts/${party.account.id}/fund`, { amount: 1 }),
  ];
  await new Promise((resolve) => setTimeout(resolve, 1_000));
});

describe('an account that was to hold more than the interface can carry', () => {
  it('takes no more by transfer, payment or funding', () => {
    for (const answer of refused) expectProblem(answer, 400, 'AMOUNT_OUT_OF_RANGE');
  });

  it('takes nothing of a payment that goes on to an external account', async () => {
    const external = await registerPayee(client, {
      customerId: customer.id,
      currency: 'USD',
      accountInfo: usdInfo('790'),
      defaultUmaDepositAccount: true,
    });
    const received = expectStatus(await receive(client, { customerId: customer.id }), 200);
    expect(received.destination.accountId).toBe(external.id);
    await untilEnded(client, received.id, 'COMPLETED');
  });

  it('holds up nobody else', async () => {
    const next = await customerWith(client, 700);
    expect(await balanceOf(client, next.customer.id)).toBe(700);
    expect(await unbalanced(client)).toEqual([]);
  });

  it('shows an amount that the interface can carry', async () => {
    const list = await client.get('/customers/internal-accounts', {
      customerId: customer.id,
      currency: 'USD',
    });
    const [{ balance }] = expectStatus(list, 200).data;
    expect(BigInt(balance.amount) <= most).toBe(true);
  });
});

describe('transfers that arrive together and do not fit together', () => {
  let account: Json;
  let external: Json;
  let transfers: Json[];
  const statuses = async () => {
    const read = transfers.map(({ id }) => client.get(`/transactions/${id}`));
    return (await Promise.all(read)).map((answer) => expectStatus(answer, 200).status).toSorted();
  };
  beforeAll(async () => {
    expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    const party = await customerWith(client, 0);
    ({ account } = party);
    external = await registerUsd(client, party.customer.id);
    const asked = [1, 2, 3].map(() => transferIn(client, external.id, account.id, most));
    transfers = (await Promise.all(asked)).map((answer) => expectStatus(answer, 201));
  });
  const shown = async (): Promise<Json> =>
    expectStatus(
      await client.get('/customers/internal-accounts', { customerId: account.customerId, currency: 'USD' }),
      200,
    ).data[0];
  const balance = async (): Promise<bigint> => BigInt((await shown()).balance.amount);

  it('fill the account with one, and the others wait', async () => {
    await eventually(statuses, (now) => now.join() === 'COMPLETED,PROCESSING,PROCESSING');
    expect(await balance()).toBe(most);
    expect((await shown()).totalBalance.amount).toBe(most);
    expect(await unbalanced(client)).toEqual([]);
  });

  it('are told once, while those that wait change nothing of what is shown', async () => {
    const asked = { objectId: account.id, type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', waitSeconds: '0' };
    const { data } = expectStatus(await client.get('/sandbox/webhooks', asked), 200);
    expect(data.map((webhook: Json) => webhook.data.totalBalance.amount)).toEqual([most]);
  });

  it('arrive one after the other as room is made', async () => {
    for (const waiting of [['PROCESSING'], []]) {
      const out = expectStatus(await transferOut(client, account.id, external.id, most), 201);
      await untilEnded(client, out.id, 'COMPLETED');
      expect(await statuses()).toEqual([...Array(3 - waiting.length).fill('COMPLETED'), ...waiting]);
      expect(await balance()).toBe(most);
    }
    expect(await unbalanced(client)).toEqual([]);
  });
});

describe('a transfer', () => {
  it.each([transferIn, transferOut])('is held to the limits of the configuration', async (transfer) => {
    const { account, customer: owner } = await customerWith(client, 10_000);
    const external = await registerUsd(client, owner.id);
    const ends = [external.id, account.id];
    const [from, to] = transfer === transferIn ? ends : ends.toReversed();
    const { supportedCurrencies: before } = expectStatus(await client.get('/config'), 200);
    const limited = before.map((one: Json) => ({ ...one, minAmount: 100, maxAmount: 500 }));
    expectStatus(await client.patch('/config', { supportedCurrencies: limited }), 200);
    for (const amount of [99, 501])
      expectProblem(await transfer(client, from, to, amount), 400, 'AMOUNT_OUT_OF_RANGE');
    for (const amount of [100, 500]) expectStatus(await transfer(client, from, to, amount), 201);
    expectStatus(await client.patch('/config', { supportedCurrencies: before }), 200);
  });
});
