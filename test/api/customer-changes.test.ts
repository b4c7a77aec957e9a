import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import {
  changedCustomer,
  deleteCustomer,
  newAddress,
  patchCustomer,
  readCustomer,
  tryCustomer,
} from '../support/resources/customers.ts';
import { accountOf, createBusiness, createCustomer, expectStatus } from '../support/resources/flows.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;

describe('changing a customer', () => {
  it('changes what is given, as it then reads', async () => {
    const customer = await createCustomer(client, { email: 'ada@example.com', nationality: 'GB' });
    const changes = {
      fullName: 'Ada King',
      birthDate: '1990-12-10',
      phoneNumber: '+15550100',
      idType: 'SSN',
    };
    const changed = await changedCustomer(client, customer, {
      ...changes,
      identifier: '078-05-1120',
      unknown: 'ignored',
    });
    expect(changed).toEqual({ ...customer, ...changes, updatedAt: changed.updatedAt });
    expect(await readCustomer(client, customer)).toEqual(changed);
  });

  it('changes nothing where nothing is new', async () => {
    const customer = await createCustomer(client, { email: 'ada@example.com' });
    const same = { email: 'ada@example.com', region: 'US', customerType: 'INDIVIDUAL', currencies: ['USD'] };
    expect(await changedCustomer(client, customer, same)).toEqual(customer);
    expect(
      await changedCustomer(client, customer, { umaAddress: customer.umaAddress.toUpperCase() }),
    ).toEqual(customer);
  });

  it('merges the address and the businessInfo field by field', async () => {
    const address = { line1: '1 Main St', postalCode: 'EC1', country: 'GB' };
    const customer = await createBusiness(client, { address });
    const changes = { address: { city: 'London' }, businessInfo: { taxId: '98', entityType: 'LLC' } };
    const { businessInfo } = customer;
    expect(await changedCustomer(client, customer, { ...changes, fullName: 'No Person' })).toMatchObject({
      address: { ...address, city: 'London' },
      businessInfo: { ...businessInfo, taxId: '98', entityType: 'LLC' },
    });
    expect(await readCustomer(client, customer)).not.toHaveProperty('fullName');
  });

  it('opens an account for a new currency beside the old ones', async () => {
    const customer = await createCustomer(client);
    expect((await changedCustomer(client, customer, { currencies: ['EUR', 'EUR'] })).currencies).toEqual([
      'EUR',
    ]);
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
    ['an empty address', { umaAddress: '' }, 'INVALID_UMA_ADDRESS', []],
    ['an address elsewhere', { umaAddress: '$ada@example.com' }, 'INVALID_UMA_ADDRESS', []],
    ['null', { fullName: null }, 'INVALID_INPUT', ['fullName']],
  ])('refuses %s', async (_what, changes, code, fields) => {
    const customer = await createCustomer(client);
    expect(namedFields(expectProblem(await patchCustomer(client, customer, changes), 400, code))).toEqual(
      fields,
    );
    expect(await readCustomer(client, customer)).toEqual(customer);
  });

  it('finds nobody under an id that nobody has', async () => {
    const nobody = { id: idOfNobody('Customer') };
    expectProblem(await patchCustomer(client, nobody, {}), 404, 'USER_NOT_FOUND');
    expectProblem(await deleteCustomer(client, nobody), 404, 'USER_NOT_FOUND');
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
    'leaves the old one free: %s',
    async (field, next, code) => {
      const customer = await createCustomer(client, { [field]: next() });
      const name = next();
      expect((await changedCustomer(client, customer, { [field]: name }))[field]).toBe(name);
      expectProblem(await tryCustomer(client, { [field]: name }), 409, code);
      expectStatus(await tryCustomer(client, { [field]: customer[field] }), 201);
      expectProblem(await patchCustomer(client, customer, { [field]: customer[field] }), 409, code);
      expect((await readCustomer(client, customer))[field]).toBe(name);
    },
  );

  it('can be taken back', async () => {
    const customer = await createCustomer(client);
    await changedCustomer(client, customer, { umaAddress: newAddress() });
    await changedCustomer(client, customer, { umaAddress: customer.umaAddress });
    expectProblem(await tryCustomer(client, { umaAddress: customer.umaAddress }), 409, 'UMA_ADDRESS_EXISTS');
  });

  it('is not a platformCustomerId, which is given once', async () => {
    const customer = await createCustomer(client);
    const body = { platformCustomerId: `user-${randomUUID()}`, fullName: 'Ada King' };
    const { platformCustomerId, fullName } = await changedCustomer(client, customer, body);
    expect([platformCustomerId, fullName]).toEqual([customer.platformCustomerId, 'Ada King']);
  });

  it('is where payments go, instead of the old one', async () => {
    const customer = await createCustomer(client);
    const { umaAddress } = await changedCustomer(client, customer, { umaAddress: newAddress() });
    const body = { senderUmaAddress: '$success.usd@sandbox.daybook.test', receivingCurrencyCode: 'USD' };
    const pay = (receiverUmaAddress: string) =>
      client.post('/sandbox/uma/receive', { ...body, receivingCurrencyAmount: 5, receiverUmaAddress });
    expectStatus(await pay(umaAddress), 200);
    expectProblem(await pay(customer.umaAddress), 404, 'UMA_NOT_FOUND');
  });
});

describe('many changes at once', () => {
  it.each([['umaAddress', newAddress, 'UMA_ADDRESS_EXISTS']] as const)(
    'have one winner when all want the same %s',
    async (field, next, code) => {
      const customers = await together(10, () => createCustomer(client));
      const name = next();
      const answers = await Promise.all(
        customers.map((one) => patchCustomer(client, one, { [field]: name })),
      );
      expect(countByStatus(answers)).toEqual({ 200: 1, 409: 9 });
      const lost = answers.filter(({ status }) => status === 409).map(({ body }) => body.code);
      expect(new Set(lost)).toEqual(new Set([code]));
      expect(await idsIn(client, '/customers', { umaAddress: name })).toHaveLength(1);
    },
  );

  it('of one customer leave it with one of the addresses and free the others', async () => {
    const customer = await createCustomer(client);
    const wanted = [newAddress(), newAddress(), customer.umaAddress];
    const both = [...wanted, ...wanted, ...wanted];
    const answers = await Promise.all(
      both.map((umaAddress) => patchCustomer(client, customer, { umaAddress })),
    );
    expect(countByStatus(answers)).toEqual({ 200: both.length });
    const { umaAddress } = await readCustomer(client, customer);
    for (const name of wanted) {
      const answer = await tryCustomer(client, { umaAddress: name });
      expect([name, answer.status]).toEqual([name, name === umaAddress ? 409 : 201]);
    }
  });

  it('of different fields all take effect', async () => {
    const customer = await createCustomer(client);
    const changes = [{ fullName: 'Ada King' }, { nationality: 'GB' }, { email: 'ada@example.com' }];
    await Promise.all(changes.map((one) => changedCustomer(client, customer, one)));
    expect(await readCustomer(client, customer)).toMatchObject(Object.assign({}, ...changes));
  });
});
