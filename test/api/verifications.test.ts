import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import {
  clientWith,
  serviceOfTests,
  startTestService,
  type TestService,
} from '../support/processes/service.ts';
import { readCustomer } from '../support/resources/customers.ts';
import { uploadDocument } from '../support/resources/documents.ts';
import {
  accountOf,
  createBusiness,
  createCustomer,
  eventually,
  expectStatus,
} from '../support/resources/flows.ts';
import { registerUsd, transferOut } from '../support/resources/payments.ts';
import { createOwner, verify } from '../support/resources/verification.ts';
import { startReceiver } from '../support/servers/receiver.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;

const numbered = (registrationNumber: string) =>
  createBusiness(client, { businessInfo: { legalName: 'Analytical Engines Ltd', registrationNumber } });
const verified = async ({ id }: Json): Promise<Json> => expectStatus(await verify(client, id), 200);
describe('verifying a business in the sandbox', () => {
  it.each([
    ['5523001', 'PENDING_MANUAL_REVIEW', 'PENDING', 'PENDING'],
    ['5523002', 'REJECTED', 'REJECTED', 'PENDING'],
    ['5523003', 'APPROVED', 'APPROVED', 'ACTIVE'],
  ])('has the number %s end as %s', async (number, verificationStatus, kybStatus, accounts) => {
    const business = await numbered(number);
    const verification = await verified(business);
    expect(verification).toMatchObject({ customerId: business.id, verificationStatus, errors: [] });
    expect((await readCustomer(client, business)).kybStatus).toBe(kybStatus);
    expect((await accountOf(client, business.id)).status).toBe(accounts);
    expect(expectStatus(await client.get(`/verifications/${verification.id}`), 200)).toEqual(verification);
  });

  it('approves a business without a number, which then moves money', async () => {
    const business = await createBusiness(client);
    const account = await accountOf(client, business.id);
    const bank = await registerUsd(client, business.id);
    expectProblem(await transferOut(client, account.id, bank.id, 5), 403, 'USER_NOT_READY');
    expect((await verified(business)).verificationStatus).toBe('APPROVED');
    expectStatus(await client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 10 }), 200);
    expectStatus(await transferOut(client, account.id, bank.id, 5), 201);
  });

  it('takes as many documents as follow from it in a moment, and no more', async () => {
    const business = await createBusiness(client);
    const { id } = await uploadDocument(client, business.id);
    const more = `insert into daybook.documents
      select (jsonb_populate_record(d, jsonb_build_object('id', 'Document:' || gen_random_uuid()))).*
      from daybook.documents d, generate_series(1, 200) where d.id = $1`;
    await query(service.databaseUrl, more, [id]);
    const { message } = expectProblem(await verify(client, business.id), 409, 'CONFLICT');
    expect(message).toBe(
      'A verification takes 200 documents at most, and there are 201. Delete those that it does not need.',
    );
    const others = 'delete from daybook.documents where document_holder = $1 and id <> $2';
    await query(service.databaseUrl, others, [business.id, id]);
    expect((await verified(business)).verificationStatus).toBe('APPROVED');
  });

  it('can be repeated until it has ended', async () => {
    const business = await numbered('5523001');
    const first = await verified(business);
    expect(await verified(business)).toEqual(first);
    const businessInfo = { registrationNumber: '5523003' };
    expectStatus(await client.patch(`/customers/${business.id}`, { businessInfo }), 200);
    expect(await verified(business)).toMatchObject({ id: first.id, verificationStatus: 'APPROVED' });
    const problem = expectProblem(await verify(client, business.id), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['customerId']);
  });

  it('gives one verification when many ask at once', async () => {
    const business = await numbered('5523001');
    const answers = await together(8, () => verify(client, business.id));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await idsIn(client, '/verifications', { customerId: business.id })).toHaveLength(1);
  });

  it('approves an individual who was not', async () => {
    const customer = await createCustomer(client, { kycStatus: 'PENDING' });
    expect((await verified(customer)).verificationStatus).toBe('APPROVED');
    expect((await readCustomer(client, customer)).kycStatus).toBe('APPROVED');
    expect((await accountOf(client, customer.id)).status).toBe('ACTIVE');
  });

  it.each(['APPROVED', 'REJECTED'])('is refused for a customer who is %s', async (kycStatus) => {
    const customer = await createCustomer(client, { kycStatus });
    expectProblem(await verify(client, customer.id), 400, 'INVALID_INPUT');
  });

  it('is refused for a deleted customer', async () => {
    const business = await createBusiness(client);
    expectStatus(await client.delete(`/customers/${business.id}`), 200);
    expectProblem(await verify(client, business.id), 410, 'CUSTOMER_DELETED');
  });

  it('is refused for a customer who is not there', async () => {
    expectProblem(await verify(client, idOfNobody('Customer')), 404, 'USER_NOT_FOUND');
  });

  it('is refused without a customer', async () => {
    expectProblem(await client.post('/verifications', {}), 400, 'INVALID_INPUT');
  });

  it('needs the permission MANAGE', async () => {
    const business = await createBusiness(client);
    const limited = await clientWith(service, ['TRANSACT']);
    expectProblem(await verify(limited, business.id), 403, 'FORBIDDEN');
  });
});

describe('the list of verifications', () => {
  it('is filtered by customer and by status', async () => {
    const [one, two] = [await numbered('1001'), await numbered('1002')];
    const [review, rejected] = [await verified(one), await verified(two)];
    expect(await idsIn(client, '/verifications', { customerId: one.id })).toEqual([review.id]);
    const found = await idsIn(client, '/verifications', { verificationStatus: 'REJECTED' });
    expect(found).toContain(rejected.id);
    expect(found).not.toContain(review.id);
    expectProblem(await client.get('/verifications', { verificationStatus: 'FINE' }), 400, 'INVALID_INPUT');
  });
});

describe('verifying a business outside the sandbox', () => {
  let production: TestService;
  beforeAll(async () => {
    production = await startTestService({ variables: { DAYBOOK_ENVIRONMENT: 'production' } });
  });
  afterAll(() => production.stop());

  const checked = async (id: string): Promise<Json> => expectStatus(await verify(production.client, id), 200);
  const kybStatusOf = async (id: string) => (await production.client.get(`/customers/${id}`)).body.kybStatus;

  /** A business that has given everything but an identity document of its owner. */
  async function nearlyComplete() {
    const { client } = production;
    const { id } = await createBusiness(client);
    const businessInfo = {
      registrationNumber: '5523002',
      taxId: '98',
      country: 'GB',
      incorporatedOn: '1990-12-10',
    };
    const address = { line1: '1 Main Street', postalCode: 'EC1', country: 'GB' };
    expectStatus(await client.patch(`/customers/${id}`, { businessInfo, address }), 200);
    const owner = await createOwner(client, id);
    const papers = ['STATE_REGISTRY_EXCERPT', 'DIRECTOR_REGISTRY', 'SHAREHOLDER_REGISTER', 'UTILITY_BILL'];
    const documents: Json[] = [];
    for (const documentType of papers) documents.push(await uploadDocument(client, id, { documentType }));
    return { id, owner, documents };
  }
  async function complete() {
    const { id, owner, documents } = await nearlyComplete();
    await uploadDocument(production.client, owner.id);
    return { id, documents };
  }

  it('names everything that is missing', async () => {
    const { id } = await createBusiness(production.client);
    const { verificationStatus, errors } = await checked(id);
    expect(verificationStatus).toBe('RESOLVE_ERRORS');
    const named = errors.map(({ resourceId, type, field }: Json) => [resourceId, field ?? type]);
    expect(named).toContainEqual([id, 'businessInfo.taxId']);
    expect(named).toContainEqual([id, 'MISSING_BENEFICIAL_OWNER']);
    expect(await kybStatusOf(id)).toBe('UNVERIFIED');
  });

  it('names the document that an owner has still to give', async () => {
    const { id, owner } = await nearlyComplete();
    const { errors } = await checked(id);
    expect(errors).toMatchObject([{ resourceId: owner.id, type: 'MISSING_IDENTITY_DOCUMENT' }]);
  });

  it('begins once nothing is missing', async () => {
    const { id, owner } = await nearlyComplete();
    const waiting = await checked(id);
    await uploadDocument(production.client, owner.id);
    const begun = await checked(id);
    expect(begun).toMatchObject({ id: waiting.id, verificationStatus: 'IN_PROGRESS', errors: [] });
    expect(await kybStatusOf(id)).toBe('PENDING');
  });

  it('is not begun a second time', async () => {
    const { id } = await complete();
    const begun = await checked(id);
    expect(await checked(id)).toEqual(begun);
  });

  it('keeps the documents that it began with', async () => {
    const { id, documents } = await complete();
    await checked(id);
    for (const document of documents)
      expectProblem(await production.client.delete(`/documents/${document.id}`), 409, 'CONFLICT');
  });
});

describe('the webhooks of a verification', () => {
  it('tell each status that was entered, as GET shows it', async () => {
    const receiver = await startReceiver();
    expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
    const business = await createBusiness(client);
    await createOwner(client, business.id);
    const verification = await verified(business);
    const account = await accountOf(client, business.id);
    const told = (object: Json) =>
      receiver.received.filter(({ body }) => body.data.id === object.id).map(({ body }) => body);
    await eventually(
      async () => [told(business).length, told(verification).length, told(account).length],
      (counts) => counts.join() === '2,1,2',
    );
    expect(told(business).map(({ type, data }) => [type, data.kybStatus])).toEqual([
      ['CUSTOMER.KYB_PENDING', 'PENDING'],
      ['CUSTOMER.KYB_APPROVED', 'APPROVED'],
    ]);
    expect(told(business).at(-1)?.data).toEqual(await readCustomer(client, business));
    expect(told(verification)).toMatchObject([{ type: 'VERIFICATION.APPROVED', data: verification }]);
    expect(told(account)).toMatchObject([
      { type: 'INTERNAL_ACCOUNT.STATUS_UPDATED', data: account },
      { type: 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', data: account },
    ]);
    expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
    await receiver.close();
  });
});
