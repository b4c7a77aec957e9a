import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  createCustomer,
  expectStatus,
  fund,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { customerWith, paidAcross, quote, registerUsd } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

const lifeOf = async (id: string, of = client): Promise<readonly Json[]> =>
  expectStatus(await of.get(`/console/transactions/${id}/life`), 200).data;
const typesOf = (events: readonly Json[]) => events.map(({ type }) => type);

async function paid(description: string) {
  const { customer, account } = await customerWith(client, 100_000);
  const payee = await registerUsd(client, customer.id);
  const said = { lockedCurrencyAmount: 30_000, immediatelyExecute: true, description };
  const { transactionId } = await quote(client, quoteBody(account.id, payee.id, said));
  await untilTransaction(client, transactionId, 'COMPLETED');
  return { customer, account, transactionId };
}

describe("a payment's life", () => {
  it('has its events and the entries on accounts, with what led to each', async () => {
    const { account, transactionId } = await paid('the rent');
    const life = await lifeOf(transactionId);
    expect(typesOf(life)).toEqual([
      // It pays at once: the entry opens the payment.
      'AccountDebited',
      'QuoteCreated',
      'TransactionProcessing',
      'PaymentSubmitted',
      'TransactionCompleted',
    ]);
    const positions = life.map(({ position }) => Number(position));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const [debited, created, processing] = life;
    expect(created?.data).toMatchObject({ transactionId, description: 'the rent' });
    expect(debited).toMatchObject({ stream: `account-${account.id.slice('InternalAccount:'.length)}` });
    expect(debited?.data).toMatchObject({ accountId: account.id, transactionId });
    expect(processing?.causedBy).toBe(debited?.eventId);
    const { data: history } = expectStatus(
      await client.get(`/audit/transactions/${transactionId}/history`),
      200,
    );
    const own = life.filter(({ stream }) => stream.startsWith('transaction-'));
    expect(own).toMatchObject(history);
  });

  it('finds entries among those of other payments', async () => {
    const { account, transactionId } = await paid('the first of many');
    for (let n = 1; n <= 20; n++) await fund(client, account.id, n);
    expect(typesOf(await lifeOf(transactionId))).toContain('AccountDebited');
    const { data } = expectStatus(
      await client.get('/transactions', { customerId: account.customerId, limit: '100' }),
      200,
    );
    const deposits = data.filter(({ type }: Json) => type === 'INCOMING');
    for (const { id } of [deposits[0], deposits.at(-1)])
      expect(typesOf(await lifeOf(id))).toContain('AccountCredited');
  });

  it('shows each platform its own side of a payment between two', async () => {
    const { sent, received, ofPayer, ofPayee } = await paidAcross(client, beside.client);
    const [paid, got] = [await lifeOf(sent), await lifeOf(received, beside.client)];
    expect(typesOf(paid)).toContain('AccountDebited');
    expect(typesOf(got)).toContain('AccountCredited');
    for (const id of ofPayee) expect(JSON.stringify(paid)).not.toContain(id);
    for (const id of ofPayer) expect(JSON.stringify(got)).not.toContain(id);
  });

  it('has the same entries for both sides of a payment between two accounts here', async () => {
    const [payer, payee] = [await customerWith(client, 100_000), await customerWith(client, 0)];
    const said = { lockedCurrencyAmount: 5_000, immediatelyExecute: true };
    const { transactionId } = await quote(client, quoteBody(payer.account.id, payee.account.id, said));
    await untilTransaction(client, transactionId, 'COMPLETED');
    const { data } = expectStatus(
      await client.get('/transactions', { customerId: payee.customer.id, type: 'INCOMING' }),
      200,
    );
    expect(data).toHaveLength(1);
    const paid = await lifeOf(transactionId);
    expect(typesOf(paid)).toEqual(expect.arrayContaining(['AccountDebited', 'AccountCredited']));
    expect(await lifeOf(data[0].id)).toEqual(paid);
  });

  it('is nobody else’s', async () => {
    const { transactionId } = await paid('mine');
    const path = `/console/transactions/${transactionId}/life`;
    expectProblem(await beside.client.get(path), 404, 'TRANSACTION_NOT_FOUND');
    const { id } = await createCustomer(client);
    expectProblem(
      await client.get(path.replace(transactionId, id.replace('Customer', 'Transaction'))),
      404,
      'TRANSACTION_NOT_FOUND',
    );
  });
});
