/** Somebody is erased while a request that says something of them is under way. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, type Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { everyRow } from '../support/postgres/every-row.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { createBusiness, eventually, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { customerWith, registerUsd } from '../support/resources/payments.ts';
import { ownerBody } from '../support/resources/verification.ts';
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

  const rowsWith = async (text: string): Promise<readonly string[]> => {
    const all = await everyRow((sql) => query(service.databaseUrl, sql));
    return all.filter(({ row }) => row.includes(text)).map(({ table, row }) => `${table}: ${row}`);
  };

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
    expect(await rowsWith('Quixworthy')).toEqual([]);
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
    expect(await rowsWith('zither')).toEqual([]);
  });
});
