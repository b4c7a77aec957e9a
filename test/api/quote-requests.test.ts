import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, quoteBody } from '../support/resources/flows.ts';
import {
  customerWith,
  platformAccount,
  quote,
  quoteParties,
  registerEur,
  toAddress,
} from '../support/resources/payments.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const { client } = service;

describe('what is wrong with a quote', () => {
  const right = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 100 };
  const fromAccount = { sourceType: 'ACCOUNT', accountId: idOfNobody('InternalAccount') };
  const toBank = { accountId: idOfNobody('ExternalAccount') };

  it.each<[string, object, readonly string[]]>([
    [
      'a purpose, and what a payment address needs',
      { destination: { destinationType: 'UMA_ADDRESS' }, purposeOfPayment: 'X' },
      ['purposeOfPayment', 'destination.umaAddress', 'lookupId'],
    ],
    [
      'an amount, and an account',
      { destination: {}, lockedCurrencyAmount: 1.5 },
      ['lockedCurrencyAmount', 'destination.accountId'],
    ],
    [
      'a currency side, and the currency of the source',
      { source: { sourceType: 'REALTIME_FUNDING' }, immediatelyExecute: true, lockedCurrencySide: 'BOTH' },
      ['lockedCurrencySide', 'source.currency', 'immediatelyExecute'],
    ],
    [
      'a source that is none, and an account',
      { source: 7, destination: {} },
      ['source', 'destination.accountId'],
    ],
    ['a kind of source', { source: { sourceType: 'X' } }, ['source.sourceType']],
  ])('is told all at once: %s', async (_what, wrong, fields) => {
    const body = { source: fromAccount, destination: toBank, ...right, ...wrong };
    const problem = expectProblem(await client.post('/quotes', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem).toSorted()).toEqual(fields.toSorted());
  });
});

describe('the members of a quote', () => {
  const purposes = [
    'GIFT',
    'SELF',
    'GOODS_OR_SERVICES',
    'EDUCATION',
    'HEALTH_OR_MEDICAL',
    'REAL_ESTATE_PURCHASE',
    'TAX_PAYMENT',
    'LOAN_PAYMENT',
    'UTILITY_BILL',
    'DONATION',
    'TRAVEL',
    'OTHER',
    'FAMILY_SUPPORT',
    'SALARY_PAYMENT',
  ];
  let body: object;
  beforeAll(async () => {
    const { account, payee } = await quoteParties(client);
    body = quoteBody(account.id, payee.id);
  });

  it.each(purposes)('may have the purpose %s', async (purposeOfPayment) => {
    await quote(client, { ...body, purposeOfPayment });
  });

  it('are kept: the description', async () => {
    const { transactionId } = await quote(client, { ...body, description: 'Rent for May' });
    expect((await client.get(`/transactions/${transactionId}`)).body.description).toBe('Rent for May');
  });

  it.each([
    ['purposeOfPayment', 'BRIBE'],
    ['purposeOfPayment', 'gift'],
    ['description', ''],
    ['remittanceInformation', 'a'.repeat(81)],
    ['senderCustomerInfo', ['Ada']],
    ['senderCustomerInfo.FULL_NAME', 7],
    ['lookupId', 'Lookup:x'],
    ['immediatelyExecute', 'yes'],
    ['lockedCurrencySide', 'BOTH'],
    ['lockedCurrencySide', undefined],
    ['source', undefined],
    ['destination', undefined],
  ])('are refused by name: %s is not %j', async (path, value) => {
    const [field = '', inner] = path.split('.');
    const wrong = { [field]: inner ? { [inner]: value } : value };
    const answer = await client.post('/quotes', { ...body, ...wrong });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual([path]);
  });

  it.each([[0], [-1], [0.5], ['7'], [undefined], [9_000_000_000_000_001n]])(
    'are refused by their own code where the amount is %s',
    async (lockedCurrencyAmount) => {
      const answer = await client.post('/quotes', { ...body, lockedCurrencyAmount });
      expectProblem(answer, 400, 'INVALID_AMOUNT');
    },
  );
});

describe('the ends of a quote', () => {
  it('must differ', async () => {
    const payer = await quoteParties(client);
    const { account, pulled } = payer;
    for (const { id } of [account, pulled])
      expectProblem(await client.post('/quotes', quoteBody(id, id)), 400, 'SELF_PAYMENT');
    const own = await toAddress(client, payer, payer.customer.umaAddress.toUpperCase());
    expectProblem(await client.post('/quotes', own), 400, 'SELF_PAYMENT');
  });

  it.each([
    [{ source: { sourceType: 'ACCOUNT' } }, ['source.accountId']],
    [{ source: { sourceType: 'REALTIME_FUNDING' } }, ['source.currency']],
    [{ source: { sourceType: 'CASH' } }, ['source.sourceType']],
    [{ destination: { destinationType: 'ACCOUNT' } }, ['destination.accountId']],
    [{ destination: { destinationType: 'UMA_ADDRESS' } }, ['destination.umaAddress', 'lookupId']],
    [{ destination: { destinationType: 'CASH' } }, ['destination.destinationType']],
    [{ source: { accountId: 'nonsense' } }, ['source.accountId']],
    [{ source: { accountId: idOfNobody('Customer') } }, ['source.accountId']],
  ])('must be complete: %o', async (ends, fields) => {
    const { account, payee } = await quoteParties(client);
    const problem = expectProblem(
      await client.post('/quotes', { ...quoteBody(account.id, payee.id), ...ends }),
      400,
      'INVALID_INPUT',
    );
    expect(namedFields(problem)).toEqual(fields);
  });

  it.each([[idOfNobody('InternalAccount')], [idOfNobody('ExternalAccount')]])(
    'must be known: %s',
    async (id) => {
      const { account } = await quoteParties(client);
      for (const body of [quoteBody(id, account.id), quoteBody(account.id, id)])
        expectProblem(await client.post('/quotes', body), 404, 'REFERENCE_NOT_FOUND');
    },
  );

  it('must be able to pay', async () => {
    const { customer, payee } = await quoteParties(client);
    const other = await registerEur(client, customer.id, '222');
    const unpullable = await client.post('/quotes', quoteBody(payee.id, other.id));
    expectProblem(unpullable, 400, 'INVALID_BANK_ACCOUNT');
  });

  it('must belong to customers who are approved', async () => {
    const { account, payee } = await quoteParties(client);
    const pending = await customerWith(client, 0, { kycStatus: 'PENDING' });
    for (const [from, to] of [
      [pending.account, payee],
      [account, pending.account],
    ])
      expectProblem(await client.post('/quotes', quoteBody(from.id, to.id)), 403, 'USER_NOT_READY');
  });

  it('must not reach a customer who is not approved by address either', async () => {
    const payer = await quoteParties(client);
    const pending = await createCustomer(client, { kycStatus: 'PENDING' });
    const body = await toAddress(client, payer, pending.umaAddress);
    expect((await client.post('/quotes', body)).status).toBe(403);
  });

  it('are reached by one of their rails', async () => {
    const { account, payee } = await quoteParties(client);
    const to = (paymentRail?: string) => ({
      destination: { destinationType: 'ACCOUNT', accountId: payee.id, ...(paymentRail && { paymentRail }) },
    });
    const quoted = await quote(client, { ...quoteBody(account.id, payee.id), ...to() });
    expect(quoted.destination.paymentRail).toBe('SEPA');
    await quote(client, { ...quoteBody(account.id, payee.id), ...to('SEPA_INSTANT') });
    const wrong = await client.post('/quotes', { ...quoteBody(account.id, payee.id), ...to('ACH') });
    expect(namedFields(expectProblem(wrong, 400, 'INVALID_INPUT'))).toEqual(['destination.paymentRail']);
  });

  it("may be the platform's own account, for one of its customers", async () => {
    const { customer, payee } = await quoteParties(client);
    const pool = await platformAccount(client);
    const source = { sourceType: 'ACCOUNT', accountId: pool.id, customerId: customer.id };
    const quoted = await quote(client, { ...quoteBody('', payee.id), source });
    expect(quoted.source).toEqual(source);
    const transaction = await client.get(`/transactions/${quoted.transactionId}`);
    expect(transaction.body.customerId).toBe(customer.id);
  });
});
