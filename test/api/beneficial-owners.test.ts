import { beforeAll, describe, expect, it } from 'vitest';
import { ownersMax } from '../../src/domain/verification/owner.ts';
import { personalInfo } from '../support/builders/verification.ts';
import type { Json } from '../support/http/client.ts';
import { atMost, countByStatus, together } from '../support/http/concurrency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { clientWith, serviceOfTests, startTestService } from '../support/processes/service.ts';
import { createBusiness, createCustomer, expectStatus } from '../support/resources/flows.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { createOwner, ownerBody } from '../support/resources/verification.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;
let business: Json;
beforeAll(async () => {
  business = await createBusiness(client);
});

const post = (body: object) => client.post('/beneficial-owners', body);
const patch = ({ id }: Json, changes: object) => client.patch(`/beneficial-owners/${id}`, changes);

describe('creating a beneficial owner', () => {
  it('echoes what it was given, as the owner and the business then read', async () => {
    const { id } = await createBusiness(client);
    const extras = {
      middleName: 'B',
      email: 'ada@example.com',
      phoneNumber: '+15550100',
      countryOfIssuance: 'US',
    };
    const body = ownerBody(id, 'Lovelace', { personalInfo: { ...personalInfo, ...extras } });
    const owner = expectStatus(await post(body), 201);
    expect(owner).toMatchObject({ ...body, kycStatus: 'APPROVED' });
    expect(expectStatus(await client.get(`/beneficial-owners/${owner.id}`), 200)).toEqual(owner);
    const second = await createOwner(client, id);
    const { beneficialOwners } = expectStatus(await client.get(`/customers/${id}`), 200);
    expect(beneficialOwners).toEqual([owner, second]);
    const listed = expectStatus(await client.get('/customers', { customerType: 'BUSINESS' }), 200).data;
    expect(listed.find((one: Json) => one.id === id).beneficialOwners).toEqual([owner, second]);
    expect(await idsIn(client, '/beneficial-owners', { customerId: id })).toEqual([second.id, owner.id]);
  });

  it.each([
    ['Lovelace001', 'PENDING'],
    ['Lovelace002', 'REJECTED'],
    ['Lovelace003', 'APPROVED'],
    ['Lovelace', 'APPROVED'],
  ])('finds about %s: %s', async (lastName, kycStatus) => {
    expect((await createOwner(client, business.id, lastName)).kycStatus).toBe(kycStatus);
  });

  it('leaves the check open outside the sandbox', async () => {
    const production = await startTestService({ variables: { DAYBOOK_ENVIRONMENT: 'production' } });
    const { id } = await createBusiness(production.client);
    expect((await createOwner(production.client, id, 'Lovelace002')).kycStatus).toBe('PENDING');
    await production.stop();
  });

  it.each<[string, object, string[]]>([
    ['no roles', { roles: [] }, ['roles']],
    ['a role twice', { roles: ['UBO', 'UBO'] }, ['roles']],
    ['an unknown role', { roles: ['KING'] }, ['roles.0']],
    ['more than everything', { ownershipPercentage: 100.1 }, ['ownershipPercentage']],
    ['less than nothing', { ownershipPercentage: -1 }, ['ownershipPercentage']],
    ['a bad customerId', { customerId: 'ada' }, ['customerId']],
    [
      'nobody',
      { personalInfo: {} },
      ['address', 'birthDate', 'firstName', 'idType', 'identifier', 'lastName', 'nationality'].map(
        (field) => `personalInfo.${field}`,
      ),
    ],
    [
      'somebody who is not born yet',
      { personalInfo: { ...personalInfo, birthDate: '2999-01-01' } },
      ['personalInfo.birthDate'],
    ],
  ])('refuses %s', async (_what, overrides, fields) => {
    const answer = await post(ownerBody(business.id, 'Lovelace', overrides));
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(fields);
  });

  it('is refused for an individual', async () => {
    const individual = await createCustomer(client);
    const refused = expectProblem(await post(ownerBody(individual.id)), 400, 'INVALID_INPUT');
    expect(namedFields(refused)).toEqual(['customerId']);
  });

  it('is refused for a customer who is not there', async () => {
    expectProblem(await post(ownerBody(idOfNobody('Customer'))), 404, 'USER_NOT_FOUND');
  });

  it('is refused for a business that was deleted, as a change is', async () => {
    const gone = await createBusiness(client);
    const owner = await createOwner(client, gone.id);
    expectStatus(await client.delete(`/customers/${gone.id}`), 200);
    expectProblem(await post(ownerBody(gone.id)), 410, 'CUSTOMER_DELETED');
    expectProblem(await patch(owner, { roles: ['UBO'] }), 410, 'CUSTOMER_DELETED');
  });
});

describe('the beneficial owners of a business', () => {
  const fill = async (many: number) => {
    const { id } = await createBusiness(client);
    await atMost(10, Array.from({ length: many }), () => createOwner(client, id));
    return id;
  };

  it('are not more than a bound', async () => {
    const id = await fill(ownersMax);
    const refused = expectProblem(await post(ownerBody(id)), 409, 'CONFLICT');
    expect(refused.message).toContain(`${ownersMax}`);
    const { beneficialOwners } = expectStatus(await client.get(`/customers/${id}`), 200);
    expect(beneficialOwners).toHaveLength(ownersMax);
    await createOwner(client, business.id);
    expectStatus(await patch(beneficialOwners[0], { ownershipPercentage: 1 }), 200);
  });

  it('exceed it by those that are added at the same moment at most', async () => {
    const id = await fill(ownersMax - 1);
    const answers = await together(5, () => post(ownerBody(id)));
    const { 201: added = 0, 409: refused = 0 } = countByStatus(answers);
    expect([added > 0, added + refused]).toEqual([true, 5]);
    expectProblem(await post(ownerBody(id)), 409, 'CONFLICT');
  });
});

describe('changing a beneficial owner', () => {
  it('merges personalInfo, replaces roles and repeats the check of the name', async () => {
    const owner = await createOwner(client, business.id);
    const changed = expectStatus(
      await patch(owner, { roles: ['TRUSTEE'], personalInfo: { lastName: 'King002' } }),
      200,
    );
    expect(changed).toEqual({
      ...owner,
      roles: ['TRUSTEE'],
      kycStatus: 'REJECTED',
      updatedAt: changed.updatedAt,
      personalInfo: { ...owner.personalInfo, lastName: 'King002' },
    });
    const percentage = expectStatus(await patch(owner, { ownershipPercentage: 0 }), 200);
    expect(percentage).toMatchObject({ ownershipPercentage: 0, kycStatus: 'REJECTED' });
    const again = expectStatus(await patch(owner, { personalInfo: { lastName: 'King' } }), 200);
    expect(again.kycStatus).toBe('APPROVED');
    expect(expectStatus(await client.get(`/beneficial-owners/${owner.id}`), 200)).toEqual(again);
  });

  it('keeps every change of many at once', async () => {
    const owner = await createOwner(client, business.id);
    const names = ['firstName', 'middleName', 'identifier'];
    await together(3, (n) => patch(owner, { personalInfo: { [names[n] ?? '']: 'New' } }));
    const { body } = await client.get(`/beneficial-owners/${owner.id}`);
    expect(body.personalInfo).toMatchObject({ firstName: 'New', middleName: 'New', identifier: 'New' });
  });

  it.each<[object, string[]]>([
    [{ roles: [] }, ['roles']],
    [{ personalInfo: { birthDate: '2999-01-01' } }, ['personalInfo.birthDate']],
    [{ personalInfo: { lastName: null } }, ['personalInfo.lastName']],
  ])('refuses %j', async (changes, fields) => {
    const owner = await createOwner(client, business.id);
    expect(namedFields(expectProblem(await patch(owner, changes), 400, 'INVALID_INPUT'))).toEqual(fields);
  });
});

describe('beneficial owners', () => {
  it('are not there for another platform', async () => {
    const owner = await createOwner(client, business.id);
    const other = await startBeside(service);
    const path = `/beneficial-owners/${owner.id}`;
    expectProblem(await other.client.get(path), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await other.client.patch(path, {}), 404, 'REFERENCE_NOT_FOUND');
    expect(await idsIn(other.client, '/beneficial-owners', { customerId: business.id })).toEqual([]);
    expectProblem(
      await other.client.post('/beneficial-owners', ownerBody(business.id)),
      404,
      'USER_NOT_FOUND',
    );
    await other.stop();
  });

  it('are changed with MANAGE', async () => {
    const owner = await createOwner(client, business.id);
    const path = `/beneficial-owners/${owner.id}`;
    const limited = await clientWith(service, ['TRANSACT']);
    expectProblem(await limited.patch(path, {}), 403, 'FORBIDDEN');
    expectProblem(await limited.post('/beneficial-owners', ownerBody(business.id)), 403, 'FORBIDDEN');
    expectStatus(await limited.get(path), 200);
  });

  it('are listed for one business at a time', async () => {
    const problem = expectProblem(await client.get('/beneficial-owners'), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['customerId']);
  });
});
