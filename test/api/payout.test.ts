import { describe, expect, it } from 'vitest';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  expectStatus,
  fund,
  quoteBody,
  registerPayee,
  untilTransaction,
} from '../support/resources/flows.ts';

const service = serviceOfTests();

describe('a cross-currency payout', () => {
  it('goes from quote to COMPLETED and leaves the books balanced', async () => {
    const { client } = service;
    const customer = await createCustomer(client);
    const account = await accountOf(client, customer.id);
    await fund(client, account.id, 50_000);
    const payee = await registerPayee(client, { customerId: customer.id });
    const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expect(quote).toMatchObject({
      status: 'PENDING',
      totalSendingAmount: 10_000,
      totalReceivingAmount: 8479,
    });
    const executed = expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
    expect(executed.status).toBe('PROCESSING');
    const done = await untilTransaction(client, quote.transactionId, 'COMPLETED');
    expect(done.settledAt).toBeDefined();
    expect((await accountOf(client, customer.id)).balance.amount).toBe(40_000);
    const { data } = expectStatus(await client.get('/platform/trial-balance'), 200);
    expect(data.map(({ total }: { total: number }) => total)).toEqual([0, 0]);
  });
});
