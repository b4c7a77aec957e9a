import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/client.ts';
import { countByStatus, together } from '../support/concurrency.ts';
import {
  accountOf,
  createBusiness,
  createCustomer,
  expectStatus,
  fund,
  individual,
  quoteBody,
  registerPayee,
} from '../support/flows.ts';
import { idsIn } from '../support/lists.ts';
import { customerWith, registerUsd, transferOut } from '../support/payments.ts';
import { expectProblem, namedFields } from '../support/problems.ts';
import { clientWith, startTestService, type TestService } from '../support/service.ts';

const newAddress = () => `$ada-${randomUUID().slice(0, 13)}@daybook.test`;
const newName = () => `user-${randomUUID()}`;

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService();
  ({ client } = service);
});
afterAll(() => service.stop());

const patch = ({ id }: Json, changes: object) => client.patch(`/customers/${id}`, changes);
const patched = async (customer: Json, changes: object): Promise<Json> =>
  expectStatus(await patch(customer, changes), 200);
const remove = ({ id }: Json) => client.delete(`/customers/${id}`);
const create = (overrides: object) => client.post('/customers', individual(overrides));
const read = async ({ id }: Json): Promise<Json> => expectStatus(await client.get(`/customers/${id}`), 200);

describe('changing a customer', () => {
  it('changes what is given, and reads back the same', async () => {
    const customer = await createCustomer(client, { email: 'ada@example.com', nationality: 'GB' });
    const changes = {
      fullName: 'Ada King',
      birthDate: '1990-12-10',
      phoneNumber: '+15550100',
      idType: 'SSN',
    };
    const changed = await patched(customer, { ...changes, identifier: '078-05-1120', unknown: 'ignored' });
    expect(changed).toEqual({ ...customer, ...changes, updatedAt: changed.updatedAt });
    expect(await read(customer)).toEqual(changed);
  });

  it('changes nothing where nothing is new', async () => {
    const customer = await createCustomer(client, { email: 'ada@example.com' });
    const same = { email: 'ada@example.com', region: 'US', customerType: 'INDIVIDUAL', currencies: ['USD'] };
    expect(await patched(customer, same)).toEqual(customer);
    expect(await patched(customer, { umaAddress: customer.umaAddress.toUpperCase() })).toEqual(customer);
  });

  it('merges the address and the businessInfo', async () => {
    const address = { line1: '1 Main St', postalCode: 'EC1', country: 'GB' };
    const customer = await createBusiness(client, { address });
    const changes = { address: { city: 'London' }, businessInfo: { taxId: '98', entityType: 'LLC' } };
    const { businessInfo } = customer;
    expect(await patched(customer, { ...changes, fullName: 'No Person' })).toMatchObject({
      address: { ...address, city: 'London' },
      businessInfo: { ...businessInfo, taxId: '98', entityType: 'LLC' },
    });
    expect(await read(customer)).not.toHaveProperty('fullName');
  });

  it('opens an account for a currency that is new, and keeps that of one given up', async () => {
    const customer = await createCustomer(client);
    expect((await patched(customer, { currencies: ['EUR', 'EUR'] })).currencies).toEqual(['EUR']);
    expect(await accountOf(client, customer.id, 'EUR')).toMatchObject({ status: 'ACTIVE' });
    expect(await accountOf(client, customer.id, 'USD')).toMatchObject({ status: 'ACTIVE' });
    expect(await idsIn(client, '/customers', { currency: 'USD' })).not.toContain(customer.id);
  });

  it.each<[string, object, string, string[]]>([
    ['another region', { region: 'DE' }, 'INVALID_INPUT', ['region']],
    ['another customerType', { customerType: 'BUSINESS' }, 'INVALID_INPUT', ['customerType']],
    [
      'half an address',
      { address: { city: 'Rome' } },
      'INVALID_INPUT',
      ['address.country', 'address.line1', 'address.postalCode'],
    ],
    ['a birth date to come', { birthDate: '2999-01-01' }, 'INVALID_INPUT', ['birthDate']],
    ['no currency', { currencies: [] }, 'INVALID_INPUT', ['currencies']],
    [
      'email and phone number at once',
      { email: 'a@b.example', phoneNumber: '+15550100' },
      'INVALID_INPUT',
      ['phoneNumber'],
    ],
    ['an unknown currency', { currencies: ['XXX'] }, 'INVALID_CURRENCY', []],
    ['an address elsewhere', { umaAddress: '$ada@example.com' }, 'INVALID_UMA_ADDRESS', []],
    ['null', { fullName: null }, 'INVALID_INPUT', ['fullName']],
  ])('refuses %s', async (_what, changes, code, fields) => {
    const customer = await createCustomer(client);
    expect(namedFields(expectProblem(await patch(customer, changes), 400, code))).toEqual(fields);
    expect(await read(customer)).toEqual(customer);
  });

  it('finds nobody under an unknown id', async () => {
    const nobody = { id: 'Customer:019a0000-0000-7000-8000-000000000000' };
    expectProblem(await patch(nobody, {}), 404, 'USER_NOT_FOUND');
    expectProblem(await remove(nobody), 404, 'USER_NOT_FOUND');
  });

  it('needs the permission MANAGE', async () => {
    const customer = await createCustomer(client);
    const limited = await clientWith(service, ['VIEW', 'TRANSACT']);
    expectProblem(await limited.patch(`/customers/${customer.id}`, {}), 403, 'FORBIDDEN');
    expectProblem(await limited.delete(`/customers/${customer.id}`), 403, 'FORBIDDEN');
  });
});

describe('a new name of a customer', () => {
  it.each([['umaAddress', newAddress, 'UMA_ADDRESS_EXISTS']] as const)(
    'is its own, and the old one is free: %s',
    async (field, next, code) => {
      const customer = await createCustomer(client, { [field]: next() });
      const name = next();
      expect((await patched(customer, { [field]: name }))[field]).toBe(name);
      expectProblem(await create({ [field]: name }), 409, code);
      expectStatus(await create({ [field]: customer[field] }), 201);
      expectProblem(await patch(customer, { [field]: customer[field] }), 409, code);
      expect((await read(customer))[field]).toBe(name);
    },
  );

  it('can be taken back', async () => {
    const customer = await createCustomer(client);
    await patched(customer, { umaAddress: newAddress() });
    await patched(customer, { umaAddress: customer.umaAddress });
    expectProblem(await create({ umaAddress: customer.umaAddress }), 409, 'UMA_ADDRESS_EXISTS');
  });

  it('is no other platformCustomerId: that is given once', async () => {
    const customer = await createCustomer(client);
    const body = { platformCustomerId: newName(), fullName: 'Ada King' };
    const { platformCustomerId, fullName } = await patched(customer, body);
    expect([platformCustomerId, fullName]).toEqual([customer.platformCustomerId, 'Ada King']);
  });

  it('is where payments go, and no longer to the old one', async () => {
    const customer = await createCustomer(client);
    const { umaAddress } = await patched(customer, { umaAddress: newAddress() });
    const body = { senderUmaAddress: '$success.usd@sandbox.daybook.test', receivingCurrencyCode: 'USD' };
    const pay = (receiverUmaAddress: string) =>
      client.post('/sandbox/uma/receive', { ...body, receivingCurrencyAmount: 5, receiverUmaAddress });
    expectStatus(await pay(umaAddress), 200);
    expectProblem(await pay(customer.umaAddress), 404, 'UMA_NOT_FOUND');
  });
});

describe('changes at once', () => {
  it.each([['umaAddress', newAddress, 'UMA_ADDRESS_EXISTS']] as const)(
    'of many customers to one %s: one wins',
    async (field, next, code) => {
      const customers = await together(10, () => createCustomer(client));
      const name = next();
      const answers = await Promise.all(customers.map((one) => patch(one, { [field]: name })));
      expect(countByStatus(answers)).toEqual({ 200: 1, 409: 9 });
      const lost = answers.filter(({ status }) => status === 409).map(({ body }) => body.code);
      expect(new Set(lost)).toEqual(new Set([code]));
      expect(await idsIn(client, '/customers', { umaAddress: name })).toHaveLength(1);
    },
  );

  it('of one customer leave it with one address, which is its own, and the others free', async () => {
    const customer = await createCustomer(client);
    const wanted = [newAddress(), newAddress(), customer.umaAddress];
    const both = [...wanted, ...wanted, ...wanted];
    const answers = await Promise.all(both.map((umaAddress) => patch(customer, { umaAddress })));
    expect(countByStatus(answers)).toEqual({ 200: both.length });
    const { umaAddress } = await read(customer);
    for (const name of wanted) {
      const answer = await create({ umaAddress: name });
      expect([name, answer.status]).toEqual([name, name === umaAddress ? 409 : 201]);
    }
  });

  it('of different fields all last', async () => {
    const customer = await createCustomer(client);
    const changes = [{ fullName: 'Ada King' }, { nationality: 'GB' }, { email: 'ada@example.com' }];
    await Promise.all(changes.map((one) => patched(customer, one)));
    expect(await read(customer)).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('deleting a customer', () => {
  it('keeps it readable, and lists it only when asked', async () => {
    const customer = await createCustomer(client);
    const deleted = expectStatus(await remove(customer), 200);
    expect(deleted).toEqual({ ...customer, isDeleted: true, updatedAt: deleted.updatedAt });
    expect(await read(customer)).toEqual(deleted);
    const { platformCustomerId } = customer;
    expect(await idsIn(client, '/customers', { platformCustomerId })).toEqual([]);
    const all = { platformCustomerId, isIncludingDeleted: 'true' };
    expect(await idsIn(client, '/customers', all)).toEqual([customer.id]);
    expect(await idsIn(client, '/customers', { ...all, updatedAfter: deleted.updatedAt })).toEqual([
      customer.id,
    ]);
  });

  it('happens once, and nothing changes after it', async () => {
    const customer = await createCustomer(client);
    expectStatus(await remove(customer), 200);
    expectProblem(await remove(customer), 410, 'CUSTOMER_DELETED');
    expectProblem(await patch(customer, { fullName: 'Nobody' }), 410, 'CUSTOMER_DELETED');
    expectProblem(await patch(customer, { umaAddress: newAddress() }), 410, 'CUSTOMER_DELETED');
  });

  it('frees its names', async () => {
    const { id, umaAddress, platformCustomerId } = await createCustomer(client);
    expectStatus(await remove({ id }), 200);
    const heir = await createCustomer(client, { umaAddress, platformCustomerId });
    expect(heir).toMatchObject({ umaAddress, platformCustomerId });
    expectProblem(await create({ umaAddress }), 409, 'UMA_ADDRESS_EXISTS');
  });

  it('wins once of many', async () => {
    const customer = await createCustomer(client);
    expect(countByStatus(await together(8, () => remove(customer)))).toEqual({ 200: 1, 410: 7 });
  });

  it('leaves its id to one of those who want it', async () => {
    const { id, platformCustomerId } = await createCustomer(client);
    const [gone, ...answers] = await Promise.all([
      remove({ id }),
      ...Array.from({ length: 8 }, () => create({ platformCustomerId })),
    ]);
    expect(gone.status).toBe(200);
    const won = answers.filter(({ status }) => status === 201).length;
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(8 - won);
    expect(won).toBeLessThanOrEqual(1);
    expect((await create({ platformCustomerId })).status).toBe(won === 1 ? 409 : 201);
  });

  it('and renaming it at once leave no name behind', async () => {
    const customer = await createCustomer(client);
    const umaAddress = newAddress();
    await Promise.all([remove(customer), patch(customer, { umaAddress })]);
    expect((await read(customer)).isDeleted).toBe(true);
    for (const name of [umaAddress, customer.umaAddress])
      expectStatus(await create({ umaAddress: name }), 201);
  });
});

describe('a deleted customer', () => {
  it('moves no money', async () => {
    const { customer, account } = await customerWith(client, 10_000);
    const external = await registerUsd(client, customer.id);
    const payee = await registerPayee(client, { customerId: customer.id });
    const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expectStatus(await remove(customer), 200);
    const sender = '$success.usd@sandbox.daybook.test';
    const receipt = { senderUmaAddress: sender, receivingCurrencyCode: 'USD', receivingCurrencyAmount: 5 };
    const attempts = [
      await transferOut(client, account.id, external.id, 100),
      await client.post('/transfer-in', {
        source: { accountId: external.id },
        destination: { accountId: account.id },
        amount: 5,
      }),
      await client.post(`/quotes/${quote.id}/execute`),
      await client.post('/quotes', quoteBody(account.id, payee.id)),
      await client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 1 }),
      await client.post('/sandbox/uma/receive', { ...receipt, customerId: customer.id }),
    ];
    for (const attempt of attempts) expectProblem(attempt, 410, 'CUSTOMER_DELETED');
    expect(await accountOf(client, customer.id)).toMatchObject({
      status: 'CLOSED',
      balance: { amount: 10_000 },
    });
  });

  it('registers no account', async () => {
    const customer = await createCustomer(client);
    expectStatus(await remove(customer), 200);
    const body = { customerId: customer.id, currency: 'USD' };
    const accountInfo = { accountType: 'USD_ACCOUNT', accountNumber: '1', routingNumber: '021000021' };
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada' };
    const answer = await client.post('/customers/external-accounts', {
      ...body,
      accountInfo: { ...accountInfo, beneficiary },
    });
    expectProblem(answer, 410, 'CUSTOMER_DELETED');
  });

  it('gets back what was on its way', async () => {
    const { id } = await createCustomer(client);
    const account = await accountOf(client, id);
    await fund(client, account.id, 1_000);
    const external = await registerUsd(client, id, '005');
    expectStatus(await transferOut(client, account.id, external.id, 400), 201);
    expectStatus(await remove({ id }), 200);
    await expect
      .poll(async () => (await accountOf(client, id)).balance.amount, { timeout: 10_000 })
      .toBe(1_000);
  });
});
