/** With a seed, a payment after a platform went back may have the identifier of one that is gone. */
import { expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { customerWith, registerUsd } from '../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../support/resources/snapshots.ts';

const variables = { DAYBOOK_SANDBOX_SEED: 'restored', DAYBOOK_SANDBOX_TIME_SCALE: '1' };
const service = serviceOfTests({ variables });

it('ends as its own account says, and is struck by faults of its own', async () => {
  const { client } = service;
  expectStatus(await client.post('/sandbox/clock/freeze'), 200);
  const { customer, account } = await customerWith(client, 10_000);
  const accounts: Json = {};
  for (const suffix of ['004', '005', '789'])
    accounts[suffix] = await registerUsd(client, customer.id, suffix);
  const snapshot = await takeSnapshot(client);
  const ids = new Set<string>();

  /** What becomes of a payment in a second, and then in a minute. */
  const pay = async (suffix: string, fault?: object) => {
    await restoreSnapshot(client, snapshot);
    if (fault) expectStatus(await client.post('/sandbox/faults', fault), 201);
    const body = {
      source: { accountId: account.id },
      destination: { accountId: accounts[suffix].id },
      amount: 100,
    };
    const { id } = expectStatus(await client.post('/transfer-out', body, { 'Idempotency-Key': 'same' }), 201);
    ids.add(id);
    const after = async (duration: string) => {
      expectStatus(await client.post('/sandbox/clock/advance', { duration }), 200);
      return expectStatus(await client.get(`/transactions/${id}`), 200).status;
    };
    return [await after('PT1S'), await after('PT1M')];
  };

  const returned = { match: {}, effect: { kind: 'RETURN_PAYMENT', delay: 'PT10S' }, times: 1 };
  expect(await pay('789')).toEqual(['COMPLETED', 'COMPLETED']);
  expect(await pay('005')).toEqual(['PENDING', 'FAILED']);
  expect(await pay('004')).toEqual(['REJECTED', 'REJECTED']);
  expect(await pay('005')).toEqual(['PENDING', 'FAILED']);
  expect(await pay('789', returned)).toEqual(['COMPLETED', 'FAILED']);
  expect(await pay('789')).toEqual(['COMPLETED', 'COMPLETED']);
  expect(await pay('789', returned)).toEqual(['COMPLETED', 'FAILED']);
  expect(ids.size).toBe(1);
});
