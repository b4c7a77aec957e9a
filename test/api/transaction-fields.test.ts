/** What a transaction shows of how it is paid, and by what. */
import { describe, expect, it } from 'vitest';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { transactionOf, untilEnded } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import {
  customerWith,
  quote,
  registerEur,
  registerUsd,
  transferIn,
  transferOut,
} from '../support/resources/payments.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;

describe('the payment instructions of a transaction', () => {
  const realtime = async () => {
    const customer = await createCustomer(client);
    const payee = await registerEur(client, customer.id);
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id };
    return quote(client, quoteBody('', payee.id, { source }));
  };

  it('are those of its quote while it waits for its payer', async () => {
    const { transactionId, paymentInstructions } = await realtime();
    expect((await transactionOf(client, transactionId)).paymentInstructions).toEqual(paymentInstructions);
  });

  it('are gone once it is paid', async () => {
    const { id: quoteId, transactionId } = await realtime();
    const paid = await client.post('/sandbox/send', { quoteId, currencyCode: 'USD' });
    expect(expectStatus(paid, 200)).not.toHaveProperty('paymentInstructions');
    expect(await transactionOf(client, transactionId)).not.toHaveProperty('paymentInstructions');
  });

  it('are not there where an account here pays', async () => {
    const { customer, account } = await customerWith(client);
    const payee = await registerEur(client, customer.id);
    const { transactionId } = await quote(client, quoteBody(account.id, payee.id));
    expect(await transactionOf(client, transactionId)).not.toHaveProperty('paymentInstructions');
  });
});

describe('the payment rail of a transaction', () => {
  it('is the one that was asked for, or the first of the account', async () => {
    const { customer, account } = await customerWith(client);
    const payee = await registerEur(client, customer.id);
    const asked = { destinationType: 'ACCOUNT', accountId: payee.id, paymentRail: 'SEPA_INSTANT' };
    const chosen = await quote(client, quoteBody(account.id, payee.id, { destination: asked }));
    const silent = await quote(client, quoteBody(account.id, payee.id));
    expect((await transactionOf(client, chosen.transactionId)).paymentRail).toBe('SEPA_INSTANT');
    expect((await transactionOf(client, silent.transactionId)).paymentRail).toBe('SEPA');
  });

  it('is told of transfers, out and in', async () => {
    const { customer, account } = await customerWith(client);
    const bank = await registerUsd(client, customer.id);
    const wire = { accountId: bank.id, paymentRail: 'WIRE' };
    const body = { source: { accountId: account.id }, destination: wire, amount: 100 };
    expect(expectStatus(await client.post('/transfer-out', body), 201).paymentRail).toBe('WIRE');
    for (const moved of [
      await transferOut(client, account.id, bank.id, 100),
      await transferIn(client, bank.id, account.id, 100),
    ])
      expect(expectStatus(moved, 201).paymentRail).toBe('ACH');
  });

  it('is not there of a payment between accounts here', async () => {
    const { customer, account } = await customerWith(client);
    const { data } = expectStatus(
      await client.get('/customers/internal-accounts', { customerId: customer.id, currency: 'EUR' }),
      200,
    );
    const { transactionId } = await quote(client, quoteBody(account.id, data[0].id));
    expect(await transactionOf(client, transactionId)).not.toHaveProperty('paymentRail');
  });
});

describe('the receipt of a payment', () => {
  it('is confirmed once, by when it was delivered', async () => {
    const { customer, account } = await customerWith(client);
    const bank = await registerUsd(client, customer.id);
    const { id } = expectStatus(await transferOut(client, account.id, bank.id, 100), 201);
    const confirm = (body?: object) => client.post(`/transactions/${id}/confirm`, body);
    expectProblem(
      await client.post(`/transactions/${idOfNobody('Transaction')}/confirm`),
      404,
      'TRANSACTION_NOT_FOUND',
    );
    const { settledAt } = await untilEnded(client, id, 'COMPLETED');
    const late = await confirm({ receiptDeliveryConfirmedAt: '2999-01-01T00:00:00Z' });
    expect(namedFields(expectProblem(late, 400, 'INVALID_INPUT'))).toEqual(['receiptDeliveryConfirmedAt']);
    for (const no of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']) {
      const problem = expectProblem(await confirm({ receiptDeliveryConfirmedAt: no }), 400, 'INVALID_INPUT');
      expect(namedFields(problem)).toEqual(['receiptDeliveryConfirmedAt']);
    }
    const confirmed = expectStatus(await confirm({ receiptDeliveryConfirmedAt: settledAt }), 200);
    expect(confirmed.receiptDeliveryConfirmedAt).toBe(settledAt);
    expect(expectStatus(await confirm(), 200)).toEqual(confirmed);
    expect(await transactionOf(client, id)).toEqual(confirmed);
  });

  it('is not there of a payment that has not arrived', async () => {
    const { customer, account } = await customerWith(client);
    const bank = await registerEur(client, customer.id);
    const { transactionId } = await quote(client, quoteBody(account.id, bank.id));
    expectProblem(await client.post(`/transactions/${transactionId}/confirm`), 409, 'CONFLICT');
  });
});
