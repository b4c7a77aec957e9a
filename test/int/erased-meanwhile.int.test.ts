/** Somebody is erased while a request that says something of them is under way. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventSchemas } from '../../src/domain/aggregates.ts';
import type { Finding } from '../../src/domain/ports/screening.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { personKeys } from '../../src/infrastructure/personal-data/keys.ts';
import { shownLog } from '../../src/infrastructure/personal-data/shown-log.ts';
import { createVault } from '../../src/infrastructure/personal-data/vault.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { createSealer } from '../../src/infrastructure/secrets/sealing.ts';
import type { CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import { createErasures, type Erasures } from '../../src/workers/erasure/erasure.ts';
import { type Answer, type Client, clientOf, type Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { everyRow } from '../support/postgres/every-row.ts';
import { booksOf } from '../support/postgres/read-models.ts';
import { startTestService, type TestService, testMasterKey } from '../support/processes/service.ts';
import { createBusiness, eventually, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { customerWith, registerUsd } from '../support/resources/payments.ts';
import { createOwner, ownerBody } from '../support/resources/verification.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

describe('what is recorded of somebody whose key is destroyed', () => {
  let service: TestService;
  let client: Client;
  let receiver: Receiver;
  let business: Json;
  let payer: Json;
  let payee: Json;
  beforeAll(async () => {
    receiver = await startReceiver();
    const first = await startTestService();
    expectStatus(await first.client.patch('/config', { webhookEndpoint: receiver.url }), 200);
    business = await createBusiness(first.client);
    payer = await customerWith(first.client);
    payee = await registerUsd(first.client, payer.customer.id);
    await first.stop();
    const { databaseUrl, credentials } = first;
    // As an erasure leaves it for a request that has looked at the customer before.
    await query(databaseUrl, 'update daybook.person_keys set sealed = null, destroyed_at = now()');
    service = await startTestService({ databaseUrl });
    client = clientOf(service.url, credentials);
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it('is in no answer or row, and in none of a later change', async () => {
    const owner = ownerBody(business.id, 'Quixworthy');
    const personalInfo = { firstName: 'erased', lastName: 'erased', birthDate: 'erased' };
    const created = expectStatus(await client.post('/beneficial-owners', owner), 201);
    expect(created).toMatchObject({ roles: owner.roles, personalInfo });
    const path = `/beneficial-owners/${created.id}`;
    expect(expectStatus(await client.get(path), 200)).toMatchObject({ personalInfo });
    const changed = expectStatus(await client.patch(path, { roles: ['DIRECTOR'] }), 200);
    expect(changed).toMatchObject({ roles: ['DIRECTOR'], personalInfo });
    expect(expectStatus(await client.get(path), 200)).toEqual(changed);
    expect(await rowsWith(service.databaseUrl, 'Quixworthy')).toEqual([]);
  });

  it('is in no kept answer, and told to no endpoint', async () => {
    const said = {
      lockedCurrencyAmount: 30_000,
      immediatelyExecute: true,
      description: 'for zither lessons',
    };
    const key = { 'Idempotency-Key': randomUUID() };
    const send = () => client.post('/quotes', quoteBody(payer.account.id, payee.id, said), key);
    const answer = expectStatus(await send(), 201);
    const { transactionId } = answer;
    expect((await send()).body).toEqual(answer);
    expect(answer).not.toHaveProperty('description');
    const told = await eventually(
      async () => receiver.received.filter(({ body }) => body.data?.id === transactionId),
      (all) => all.some(({ body }) => body.type === 'OUTGOING_PAYMENT.COMPLETED'),
    );
    expect(JSON.stringify(told)).not.toContain('zither');
    expect(await rowsWith(service.databaseUrl, 'zither')).toEqual([]);
  });
});

describe('an owner of a business that is erased while the owner is checked', () => {
  type Check = (finding: Finding) => void;
  let service: TestService;
  const checks: Check[] = [];
  beforeAll(async () => {
    service = await startTestService({
      screening: () => ({
        customer: async () => undefined,
        owner: ({ personalInfo }) => {
          if (personalInfo.lastName !== 'Quixworthy') return Promise.resolve('APPROVED');
          const { promise, resolve } = Promise.withResolvers<Finding>();
          checks.push(resolve);
          return promise;
        },
      }),
    });
  });
  afterAll(() => service.stop());

  const whileChecked = async (asking: Promise<Answer>, customerId: string) => {
    const { client } = service;
    const [answer] = await eventually(
      async () => checks.splice(0),
      ({ length }) => length === 1,
    );
    await eventually(
      async () => expectStatus(await client.post(`/customers/${customerId}/erase`), 200).status,
      (status) => status === 'ERASED',
    );
    answer?.('APPROVED');
    expectProblem(await asking, 410, 'CUSTOMER_DELETED');
  };

  it('is not recorded', async () => {
    const { client } = service;
    const { id } = await createBusiness(client);
    await whileChecked(client.post('/beneficial-owners', ownerBody(id, 'Quixworthy')), id);
    expect(expectStatus(await client.get('/beneficial-owners', { customerId: id }), 200).data).toEqual([]);
  });

  it('is not changed', async () => {
    const { client } = service;
    const { id } = await createBusiness(client);
    const owner = await createOwner(client, id);
    const change = { personalInfo: { lastName: 'Quixworthy' } };
    await whileChecked(client.patch(`/beneficial-owners/${owner.id}`, change), id);
    const { updatedAt } = expectStatus(await client.get(`/beneficial-owners/${owner.id}`), 200);
    expect(updatedAt).toBe(owner.updatedAt);
  });
});

describe('what is said of an owner as the keys go', () => {
  let service: TestService;
  beforeAll(async () => {
    // Nobody else carries it out.
    service = await startTestService({ variables: { DAYBOOK_ROLES: 'api,projector' } });
  });
  afterAll(() => service.stop());

  /** As a service has them, but for what happens just before the keys are destroyed. */
  async function erasuresWith(meanwhile: () => Promise<unknown>): Promise<Erasures> {
    const { databaseUrl: url } = service;
    const pool = createPool({ url, max: 2, name: 'test-erasures' });
    const log = await postgresEventStore(url, createLog('silent'));
    onTestFinished(() => log.close().finally(() => pool.end()));
    const persons = personKeys(pool, createSealer({ current: testMasterKey }));
    return createErasures({
      pool,
      readDb: booksOf(url).db,
      store: shownLog(log, createVault(eventSchemas, persons)),
      persons: { ...persons, destroy: (...those) => meanwhile().then(() => persons.destroy(...those)) },
      wholeOf: () => undefined,
      openMail: () => ({ to: '' }),
      now: () => new Date(),
      times: { nowOf: () => new Date() },
      projected: async () => true,
      forget: () => undefined,
    });
  }

  const platformOf = async (id: CustomerId): Promise<PlatformId> => {
    const select = 'select platform_id as "platformId" from daybook.customers where id = $1';
    const [row] = await query<{ platformId: PlatformId }>(service.databaseUrl, select, [id]);
    return row?.platformId ?? ('' as PlatformId);
  };

  async function erasing(meanwhile: (platformId: PlatformId) => Promise<unknown>, id: CustomerId) {
    const platformId = await platformOf(id);
    const erasures = await erasuresWith(() => meanwhile(platformId));
    await erasures.ask({ platformId, customerId: id }, new Date());
    await erasures.carryOut(id);
    expect(await erasures.find(id)).toMatchObject({ doneAt: expect.any(Date) });
  }

  it('is of one customer at a time, however many are asked for at once', async () => {
    let most = 0;
    let under = 0;
    const erasures = await erasuresWith(async () => {
      most = Math.max(most, ++under);
      await new Promise((resolve) => setTimeout(resolve, 100));
      under -= 1;
    });
    const customers = await Promise.all([1, 2, 3].map(() => createBusiness(service.client)));
    const ids = customers.map(({ id }) => id as CustomerId);
    for (const customerId of ids)
      await erasures.ask({ platformId: await platformOf(customerId), customerId }, new Date());
    await Promise.all(ids.map((id) => erasures.carryOut(id)));
    const found = await Promise.all(ids.map((id) => erasures.find(id)));
    expect(found.map((one) => one?.doneAt instanceof Date)).toEqual([true, true, true]);
    expect(most).toBe(1);
  });

  it('is in no row afterwards where the owner is added then', async () => {
    const { client, databaseUrl } = service;
    const { id } = await createBusiness(client);
    await erasing(async () => {
      expectStatus(await client.post('/beneficial-owners', ownerBody(id, 'Quixworthy')), 201);
      await eventually(
        () => rowsWith(databaseUrl, 'Quixworthy'),
        ({ length }) => length > 0,
      );
    }, id);
    expect(await rowsWith(databaseUrl, 'Quixworthy')).toEqual([]);
  });

  it('is in no answer that is kept then by who could still read it', async () => {
    const { client, databaseUrl } = service;
    const { id } = await createBusiness(client);
    const answer = JSON.stringify(await createOwner(client, id, 'Quixworthy'));
    const keep = `insert into daybook.idempotency_keys (scope, tenant, status, body, held_until, created_at)
      values ('kept late', $1, 201, $2, now(), now())`;
    await erasing((platformId) => query(databaseUrl, keep, [platformId, answer]), id);
    expect(await rowsWith(databaseUrl, 'Quixworthy')).toEqual([]);
  });
});

async function rowsWith(url: string, text: string): Promise<readonly string[]> {
  const all = await everyRow((sql) => query(url, sql));
  return all.filter(({ row }) => row.includes(text)).map(({ table, row }) => `${table}: ${row}`);
}
