/** What is said of customers who were erased keeps to the OpenAPI document, wherever it is said. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openVault } from '../../src/app/parts/core/vault.ts';
import { definitions } from '../../src/domain/external-accounts/definitions.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { shownLog } from '../../src/infrastructure/personal-data/shown-log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { stringify } from '../../src/kernel/json.ts';
import { faultsOf } from '../fuzz/answers.ts';
import { type Answer, type Client, clientOf, type Json } from '../support/http/client.ts';
import { allPages } from '../support/http/lists.ts';
import { misfitOfWebhook } from '../support/interface/against-document.ts';
import { type DocumentedOperation, documented, takingBasic } from '../support/interface/interface.ts';
import { startTestService, type TestService, testMasterKey } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { type Belongings, createBelongings, targetOf } from '../support/resources/platforms.ts';
import { expectRebuilt } from '../support/resources/snapshots.ts';
import {
  type WholeCustomer,
  wholeBusinessWith,
  wholePersonWith,
} from '../support/resources/whole-customers.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

const operationOf = (operationId: string): DocumentedOperation => {
  const found = documented.find((one) => one.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
};

/** `undefined` where there are none. */
function faultsIn(operation: DocumentedOperation, { status, headers, body }: Answer): string | undefined {
  const answer = {
    status,
    type: headers.get('content-type'),
    text: body === undefined ? '' : stringify(body),
  };
  const faults = faultsOf({ operation }, answer);
  return faults.length > 0 ? `${operation.operationId}: ${faults.join('; ').slice(0, 600)}` : undefined;
}

type Told = { readonly id: string; readonly type: string; readonly data: Json };

let service: TestService;
let client: Client;
let receiver: Receiver;
let belongings: Belongings;
let person: WholeCustomer;
let business: WholeCustomer;
/** What the endpoint was told before, by the id. */
let before: ReadonlyMap<string, Told>;
let accountsBefore: readonly object[];

beforeAll(async () => {
  service = await startTestService();
  ({ client } = service);
  receiver = await startReceiver();
  const known = await createBelongings(client);
  expectStatus(await client.patch('/config', { embeddedWalletConfig: { appName: 'Zither' } }), 200);
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  person = await wholePersonWith(client, await service.newPlatform());
  business = await wholeBusinessWith(client);
  await untilTold();
  accountsBefore = await accounts();
  before = new Map(receiver.received.map(({ body }) => [body.id, body]));
  for (const { id } of [person, business])
    await eventually(
      async () => expectStatus(await client.post(`/customers/${id}/erase`), 200).status,
      (status) => status === 'ERASED',
    );
  await untilTold();
  const [{ id: webhookEventId }] = await webhookEvents();
  belongings = { ...known, ...person.own, ...business.own, webhookEventId };
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const webhookEvents = () => allPages(client, '/webhooks/events', { limit: '100' });
const pending = async (): Promise<number> =>
  expectStatus(await client.get('/webhooks/events', { state: 'PENDING' }), 200).totalCount;
const untilTold = () => eventually(pending, (left) => left === 0);

/** Of a list that is whole on its first page. */
const pageOf = async (path: string, query: Record<string, string> = {}): Promise<Json[]> =>
  expectStatus(await client.get(path, { limit: '100', ...query }), 200).data;

/** What accounts outside are beside what they say of a person. */
const accounts = async () =>
  (
    await Promise.all(
      [person, business].map(({ id }) => pageOf('/customers/external-accounts', { customerId: id })),
    )
  )
    .flat()
    .map(({ accountInfo: { accountType, paymentRails }, beneficiaryVerifiedData: _name, ...rest }) => ({
      ...rest,
      accountType,
      paymentRails,
    }));

/** What each operation that reads has answered. */
async function readAll(): Promise<ReadonlyMap<DocumentedOperation, Answer>> {
  const answers = new Map<DocumentedOperation, Answer>();
  for (const operation of takingBasic.filter(({ method }) => method === 'GET')) {
    const [path = '', asked] = targetOf(operation, belongings).split('?');
    const names = operation.query.map(({ name }) => name);
    const query = {
      ...Object.fromEntries(new URLSearchParams(asked)),
      ...(names.includes('limit') && { limit: '100' }),
      ...(names.includes('isIncludingDeleted') && { isIncludingDeleted: 'true' }),
    };
    answers.set(operation, await client.get(path, query));
  }
  return answers;
}

const faultsOfAll = async () =>
  [...(await readAll())].flatMap(([operation, answer]) => faultsIn(operation, answer) ?? []);

/** The members in which two bodies differ, by the names on the way. */
function changedIn(one: Json, other: Json, path = ''): string[] {
  if (typeof one !== 'object' || one === null) return one === other ? [] : [path];
  return Object.keys(one).flatMap((name) =>
    changedIn(one[name], other[name], Array.isArray(one) ? path : `${path}.${name}`),
  );
}

/** What may differ: other members say nothing of a person, whatever words somebody has used of theirs. */
const personal =
  /\.(address|businessInfo|personalInfo|counterpartyInformation|accountInfo\.(?!paymentRails)|email|phoneNumber|fullName|birthDate|nationality|idType|identifier|countryOfIssuance|\w*[uU]ma\w*|firstName|description|rejectionReason)/;

describe('of customers who were erased', () => {
  it('each operation that reads answers what it declares', async () => {
    expect(await faultsOfAll()).toEqual([]);
  });

  it('each account outside, of every type, is answered as declared', async () => {
    const operation = operationOf('getCustomerExternalAccount');
    for (const { id } of [person, business]) {
      const registered = await pageOf('/customers/external-accounts', { customerId: id });
      expect(new Set(registered.map(({ accountInfo }) => accountInfo.accountType)).size).toBe(
        definitions.length,
      );
      const answers = registered.map((account) => client.get(`/customers/external-accounts/${account.id}`));
      const wrong = (await Promise.all(answers)).flatMap((answer) => faultsIn(operation, answer) ?? []);
      expect(wrong).toEqual([]);
    }
    expect(await accounts()).toEqual(accountsBefore);
  });

  it('a business is one still, in each answer and under each filter', async () => {
    const known = expectStatus(await client.get(`/customers/${business.id}`), 200);
    expect(known).toMatchObject({
      customerType: 'BUSINESS',
      businessInfo: { legalName: 'erased' },
      kybStatus: 'APPROVED',
      isDeleted: true,
      region: 'US',
      currencies: ['USD', 'INR'],
    });
    expect(known.beneficialOwners).toHaveLength(2);
    expect(known).not.toHaveProperty('kycStatus');
    const listed = (customerType: string) =>
      pageOf('/customers', { customerType, isIncludingDeleted: 'true' });
    expect(await listed('BUSINESS')).toContainEqual(known);
    const people = (await listed('INDIVIDUAL')).map(({ id }) => id);
    expect(people).toContain(person.id);
    expect(people).not.toContain(business.id);
  });

  it('owners say what they are, and not who', async () => {
    const owners = await pageOf('/beneficial-owners', { customerId: business.id });
    expect(owners.map(({ roles }) => roles)).toEqual([['DIRECTOR', 'TRUSTEE'], ['UBO']]);
    for (const { personalInfo, ownershipPercentage, kycStatus } of owners) {
      expect([ownershipPercentage, kycStatus]).toEqual([40, 'APPROVED']);
      const { address, ...texts } = personalInfo;
      for (const text of [...Object.values(texts), ...Object.values(address)]) expect(text).toBe('erased');
    }
  });

  it('the answers that are kept under keys are as declared', async () => {
    const wrong = [];
    for (const { operationId, again } of [...person.kept, ...business.kept]) {
      const answer = await again();
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
      wrong.push(faultsIn(operationOf(operationId), answer) ?? []);
    }
    expect(wrong.flat()).toEqual([]);
  });

  it('what an endpoint was told is shown, and sent again, as declared', async () => {
    const kept: Told[] = [];
    for (const { id, type, createdAt: timestamp } of await webhookEvents()) {
      const { data } = expectStatus(await client.get(`/webhooks/events/${id}`), 200);
      kept.push({ id, type, timestamp, data } as Told);
    }
    expect(kept.length).toBeGreaterThan(2 * definitions.length);
    const from = receiver.received.length;
    expectStatus(await client.post('/webhooks/redeliver', { since: '2020-01-01T00:00:00.000Z' }), 202);
    await eventually(
      async () => new Set(receiver.received.slice(from).map(({ body }) => body.id)),
      (sent) => kept.every(({ id, type }) => type === 'TEST' || sent.has(id)),
    );
    await untilTold();
    const told = [...kept, ...receiver.received.slice(from).map(({ body }) => body as Told)];
    const wrong = told.map((one) => [one.type, misfitOfWebhook(one)]).filter(([, misfit]) => misfit);
    expect(wrong).toEqual([]);
    const changed = new Set(
      told.filter(({ id }) => before.has(id)).flatMap((one) => changedIn(before.get(one.id)?.data, one.data)),
    );
    expect(changed.size).toBeGreaterThan(30);
    expect([...changed].filter((path) => !personal.test(path))).toEqual([]);
  });

  it('a rebuild, and a process that starts after it, give the same', async () => {
    const read = async (from: Client) => {
      const customers = await allPages(from, '/customers', { isIncludingDeleted: 'true' });
      const owners = await allPages(from, '/beneficial-owners', { customerId: business.id });
      const accounts = await allPages(from, '/customers/external-accounts', { customerId: person.id });
      return { customers, owners, accounts, webhooks: await allPages(from, '/webhooks/events') };
    };
    const was = await read(client);
    const { databaseUrl, credentials } = service;
    await service.stop();
    const log = await postgresEventStore(databaseUrl, createLog('silent'));
    const pool = createPool({ url: databaseUrl, max: 1, name: 'test-keys' });
    await expectRebuilt(databaseUrl, shownLog(log, openVault(pool, { current: testMasterKey })));
    await pool.end();
    await log.close();
    service = await startTestService({ databaseUrl });
    client = clientOf(service.url, credentials);
    expect(await read(client)).toEqual(was);
    expect(await faultsOfAll()).toEqual([]);
  });
});
