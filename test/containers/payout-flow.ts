import { expect } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import {
  accountOf,
  expectStatus,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';

/** Pays 100 USD of 500 as EUR for a new customer, until it is COMPLETED and the books balance. */
export async function payOut(client: Client): Promise<void> {
  const { customer, account, payee } = await payoutParties(client, 50_000);
  const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
  const executed = expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
  // A worker in another process may have completed it before the answer was made.
  expect(['PROCESSING', 'COMPLETED']).toContain(executed.status);
  await untilTransaction(client, quote.transactionId, 'COMPLETED');
  expect((await accountOf(client, customer.id)).balance.amount).toBe(40_000);
  await expectBalanced(client);
}

async function expectBalanced(client: Client): Promise<void> {
  const { data } = expectStatus(await client.get('/platform/trial-balance'), 200);
  expect(data.map(({ total }: Json) => total)).toEqual([0, 0]);
}
