/** External accounts that are being verified, reviewed or disabled: the way in and out, and what is refused meanwhile. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { untilEnded } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, expectStatus, quoteBody, registerPayee } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  quote,
  receive,
  registerEur,
  registerUsd,
  transferIn,
  transferOut,
  usdInfo,
} from '../support/resources/payments.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const { client } = service;

const setExternal = (id: string, body: object): Promise<Answer> =>
  client.post(`/sandbox/external-accounts/${id}/status`, body);

describe('an external account that is being verified', () => {
  it.each([
    ['120', 'PENDING'],
    ['121', 'UNDER_REVIEW'],
    ['122', 'INACTIVE'],
  ])('whose number ends in %s is %s at first, and cannot be paid', async (suffix, status) => {
    const { customer, account } = await customerWith(client);
    const bank = await registerUsd(client, customer.id, suffix);
    expect(bank).toMatchObject({ status, beneficiaryVerificationStatus: 'MATCHED' });
    expectProblem(await transferOut(client, account.id, bank.id, 100), 400, 'INVALID_BANK_ACCOUNT');
    expectProblem(await transferIn(client, bank.id, account.id, 100), 400, 'INVALID_BANK_ACCOUNT');
    expectProblem(await client.post('/quotes', quoteBody(account.id, bank.id)), 400, 'INVALID_BANK_ACCOUNT');
    const verified = expectStatus(await setExternal(bank.id, { status: 'ACTIVE' }), 200);
    expect(verified).toMatchObject({ ...bank, status: 'ACTIVE', updatedAt: expect.any(String) });
    expect(expectStatus(await client.get(`/customers/external-accounts/${bank.id}`), 200)).toEqual(verified);
    expectStatus(await transferOut(client, account.id, bank.id, 100), 201);
  });

  it.each(['UNDER_REVIEW', 'INACTIVE'])('goes from ACTIVE to %s and back', async (status) => {
    const { customer, account } = await customerWith(client);
    const bank = await registerEur(client, customer.id);
    const open = await quote(client, quoteBody(account.id, bank.id));
    expect(expectStatus(await setExternal(bank.id, { status }), 200).status).toBe(status);
    expectProblem(await client.post(`/quotes/${open.id}/execute`), 400, 'INVALID_BANK_ACCOUNT');
    expectStatus(await setExternal(bank.id, { status: 'ACTIVE' }), 200);
    expectStatus(await client.post(`/quotes/${open.id}/execute`), 200);
  });

  it('takes no incoming payments as the default, which go to the balance then', async () => {
    const customer = await createCustomer(client);
    const added = await registerPayee(client, {
      customerId: customer.id,
      currency: 'USD',
      accountInfo: usdInfo('789'),
      defaultUmaDepositAccount: true,
    });
    expectStatus(await setExternal(added.id, { status: 'INACTIVE' }), 200);
    const { id } = expectStatus(await receive(client, { customerId: customer.id }), 200);
    await untilEnded(client, id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(2_500);
  });

  it('stays what it is to the others when another one is the default', async () => {
    const customer = await createCustomer(client);
    const [first, second] = [await asDefault('811'), await asDefault('822')];
    const changed = expectStatus(await setExternal(first, { status: 'UNDER_REVIEW' }), 200);
    expect(changed.defaultUmaDepositAccount).toBe(false);
    const shown = async (id: string) =>
      expectStatus(await client.get(`/customers/external-accounts/${id}`), 200).defaultUmaDepositAccount;
    expect([await shown(first), await shown(second)]).toEqual([false, true]);

    async function asDefault(suffix: string): Promise<string> {
      const body = { customerId: customer.id, currency: 'USD', accountInfo: usdInfo(suffix) };
      return (await registerPayee(client, { ...body, defaultUmaDepositAccount: true })).id;
    }
  });
});

describe('an external account that the read models do not show yet', () => {
  // A process without a projector, on a database of its own.
  const behind = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api' } });

  it.each([true, false])('changes its status, as the default: %s', async (defaultUmaDepositAccount) => {
    const customer = await createCustomer(behind.client);
    const bank = await registerPayee(behind.client, {
      customerId: customer.id,
      currency: 'USD',
      accountInfo: usdInfo('789'),
      defaultUmaDepositAccount,
    });
    const path = `/sandbox/external-accounts/${bank.id}/status`;
    const changed = expectStatus(await behind.client.post(path, { status: 'INACTIVE' }), 200);
    expect(changed).toEqual({ ...bank, status: 'INACTIVE', updatedAt: changed.updatedAt });
  });
});
