import { describe, expect, it } from 'vitest';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { transactionCount } from '../support/log/books.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus, registerPayee } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  platformAccount,
  registerEur,
  registerUsd,
  transferIn,
  transferOut,
} from '../support/resources/payments.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { directions, idsOf, transfer, transferParties } from '../support/resources/transfers.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;

describe('a refused transfer', () => {
  it('creates nothing for want of balance', async () => {
    const { customer, account, external } = await transferParties(client, 10_000);
    const before = await transactionCount(client);
    const answer = await transferOut(client, account.id, external.id, 10_001);
    const problem = expectProblem(answer, 400, 'INSUFFICIENT_BALANCE');
    expect(problem.details).toMatchObject({ accountId: account.id, currency: 'USD' });
    expect(await transactionCount(client)).toBe(before);
    expect(await balanceOf(client, customer.id)).toBe(10_000);
  });

  it.each(directions)('is one %s between different owners', async (direction) => {
    const [one, two] = [await transferParties(client), await transferParties(client)];
    const problem = expectProblem(
      await transfer(client, direction, { internal: one.account.id, external: two.external.id }, 1),
      400,
      'INVALID_INPUT',
    );
    expect(namedFields(problem)).toEqual(['destination.accountId', 'source.accountId']);
    const own = await platformAccount(client);
    const mixed = { internal: own.id, external: one.external.id };
    expectProblem(await transfer(client, direction, mixed, 1), 400, 'INVALID_INPUT');
  });

  it.each(directions)('is one %s between currencies', async (direction) => {
    const { customer, external } = await transferParties(client);
    const euros = await accountOf(client, customer.id, 'EUR');
    const answer = await transfer(client, direction, { internal: euros.id, external: external.id }, 1);
    expectProblem(answer, 400, 'INVALID_CURRENCY');
  });

  it('is one in from an account that cannot be pulled from', async () => {
    const { customer } = await transferParties(client);
    const [euros, external] = [
      await accountOf(client, customer.id, 'EUR'),
      await registerEur(client, customer.id),
    ];
    expectProblem(await transferIn(client, external.id, euros.id, 1), 400, 'INVALID_BANK_ACCOUNT');
  });

  it('is one out of an embedded wallet', async () => {
    const customer = await createCustomer(client);
    const list = await client.get('/customers/internal-accounts', {
      customerId: customer.id,
      type: 'EMBEDDED_WALLET',
    });
    const [wallet] = expectStatus(list, 200).data;
    const accountInfo = accountInfoInput('SPARK_WALLET');
    const external = await registerPayee(client, { customerId: customer.id, currency: 'USDB', accountInfo });
    const answer = await transferOut(client, wallet.id, external.id, 1);
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['source.accountId']);
  });

  it.each([['SEPA'], ['PIGEON']])('is one out by the rail %s', async (paymentRail) => {
    const { account, external } = await transferParties(client);
    const destination = { accountId: external.id, paymentRail };
    const body = { source: { accountId: account.id }, destination, amount: 1 };
    const problem = expectProblem(await client.post('/transfer-out', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['destination.paymentRail']);
  });

  it.each([
    ['in', 'PENDING'],
    ['out', 'PENDING'],
    ['in', 'REJECTED'],
    ['out', 'UNVERIFIED'],
  ] as const)('is one %s for a customer who is %s', async (direction, kycStatus) => {
    const { customer, account } = await customerWith(client, 0, { kycStatus });
    const external = await registerUsd(client, customer.id);
    const answer = await transfer(client, direction, idsOf({ account, external }), 1);
    expectProblem(answer, 403, 'USER_NOT_READY');
  });

  it.each(directions)('is one %s with accounts that are not there', async (direction) => {
    const { account, external } = await transferParties(client);
    const ids = { internal: account.id, external: external.id };
    const wrong = [
      { ...ids, internal: idOfNobody('InternalAccount') },
      { ...ids, external: idOfNobody('ExternalAccount') },
    ];
    for (const one of wrong)
      expectProblem(await transfer(client, direction, one, 1), 404, 'REFERENCE_NOT_FOUND');
    await client.delete(`/customers/external-accounts/${external.id}`);
    expectProblem(await transfer(client, direction, ids, 1), 404, 'REFERENCE_NOT_FOUND');
  });

  it.each(directions)("is one %s with another platform's accounts", async (direction) => {
    const beside = await startBeside(service);
    const ids = idsOf(await transferParties(client));
    const answer = await transfer(beside.client, direction, ids, 1);
    await beside.stop();
    expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
  });

  it.each(directions)('is one %s with the accounts the wrong way round', async (direction) => {
    const { account, external } = await transferParties(client);
    const swapped = { internal: external.id, external: account.id };
    const problem = expectProblem(await transfer(client, direction, swapped, 1), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['destination.accountId', 'source.accountId']);
  });

  it.each(directions)('is one %s with a token that only reads', async (direction) => {
    const reader = await clientWith(service, ['VIEW', 'MANAGE']);
    const ids = idsOf(await transferParties(client));
    expectProblem(await transfer(reader, direction, ids, 1), 403, 'FORBIDDEN');
  });

  it.each([[0], [-1], [1.5], ['100'], [null], [undefined], [9_223_372_036_854_775_808n]])(
    'is one of the amount %s',
    async (amount) => {
      const ids = idsOf(await transferParties(client));
      for (const direction of ['in', 'out'] as const)
        expectProblem(await transfer(client, direction, ids, amount as number), 400, 'INVALID_AMOUNT');
    },
  );
});
