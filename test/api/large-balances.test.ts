import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unbalanced, untilEnded } from '../support/books.ts';
import type { Client, Json } from '../support/client.ts';
import { expectStatus } from '../support/flows.ts';
import { balanceOf, customerWith, receive, registerUsd, transferIn } from '../support/payments.ts';
import { startTestService, type TestService } from '../support/service.ts';

const most = 9_223_372_036_854_775_807n;

let service: TestService;
let client: Client;
let customer: Json;
beforeAll(async () => {
  service = await startTestService();
  ({ client } = service);
  const party = await customerWith(client, 0);
  ({ customer } = party);
  const external = await registerUsd(client, customer.id);
  const full = expectStatus(await transferIn(client, external.id, party.account.id, most), 201);
  await untilEnded(client, full.id, 'COMPLETED');
  await transferIn(client, external.id, party.account.id, most);
  await receive(client, { customerId: customer.id });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
});
afterAll(() => service.stop());

describe('an account that was to hold more than the interface can carry', () => {
  it('holds up nobody else', async () => {
    const next = await customerWith(client, 700);
    expect(await balanceOf(client, next.customer.id)).toBe(700);
    expect(await unbalanced(client)).toEqual([]);
  });

  it('shows an amount that the interface can carry', async () => {
    const list = await client.get('/customers/internal-accounts', {
      customerId: customer.id,
      currency: 'USD',
    });
    const [{ balance }] = expectStatus(list, 200).data;
    expect(BigInt(balance.amount) <= most).toBe(true);
  });
});
