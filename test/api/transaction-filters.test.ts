/** Filters of `GET /transactions` by payment address and by day, and what is null of the platform's own money. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { idsIn } from '../support/http/lists.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { newAddress } from '../support/resources/customers.ts';
import {
  accountOf,
  createCustomer,
  expectStatus,
  fund,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import {
  customerWith,
  lookUp,
  platformAccount,
  receive,
  registerUsd,
  sandboxAddress,
} from '../support/resources/payments.ts';

const service = serviceOfTests();
const { client } = service;

/** A customer with a deposit, a payment to Grace, and one from outside; and what Grace has received. */
let ada: Json;
let grace: Json;
let deposit: string;
let sent: string;
let received: string;
let ofGrace: string;
beforeAll(async () => {
  ada = await createCustomer(client, { umaAddress: newAddress() });
  grace = await createCustomer(client, { umaAddress: newAddress() });
  const { id } = await accountOf(client, ada.id);
  await fund(client, id, 50_000);
  [deposit = ''] = await idsIn(client, '/transactions', { customerId: ada.id });
  const { lookupId } = await lookUp(client, grace.umaAddress, ada.id);
  const destination = { destinationType: 'UMA_ADDRESS', umaAddress: grace.umaAddress };
  const quote = quoteBody(id, '', { destination, lookupId, immediatelyExecute: true });
  sent = expectStatus(await client.post('/quotes', quote), 201).transactionId;
  await untilTransaction(client, sent, 'COMPLETED');
  received = expectStatus(await receive(client, { receiverUmaAddress: ada.umaAddress }), 200).id;
  [ofGrace = ''] = await idsIn(client, '/transactions', { customerId: grace.id });
});

const found = async (query: Record<string, string>) =>
  (await idsIn(client, '/transactions', query)).toSorted();

describe("a customer's payment address", () => {
  it.each<[string, () => string, () => string[]]>([
    ['accountIdentifier', () => ada.umaAddress, () => [deposit, sent, received, ofGrace]],
    ['senderAccountIdentifier', () => ada.umaAddress, () => [sent, ofGrace]],
    ['receiverAccountIdentifier', () => ada.umaAddress, () => [deposit, received]],
    ['accountIdentifier', () => grace.umaAddress, () => [sent, ofGrace]],
    ['receiverAccountIdentifier', () => grace.umaAddress, () => [sent, ofGrace]],
    ['senderAccountIdentifier', () => grace.umaAddress, () => []],
    ['senderAccountIdentifier', () => sandboxAddress('success.usd'), () => [received]],
  ])('as %s finds what the customer has paid or received', async (filter, address, expected) => {
    expect(await found({ [filter]: address() })).toEqual(expected().toSorted());
    expect(await found({ [filter]: address().toUpperCase() })).toEqual(expected().toSorted());
  });

  it('goes with other filters', async () => {
    const query = { accountIdentifier: ada.umaAddress, type: 'OUTGOING' };
    expect(await found({ ...query, customerId: ada.id })).toEqual([sent]);
    expect(await found({ ...query, customerId: grace.id })).toEqual([]);
  });

  it('finds nothing of a former holder', async () => {
    const umaAddress = newAddress();
    const former = await createCustomer(client, { umaAddress });
    await fund(client, (await accountOf(client, former.id)).id, 1_000);
    expect(await found({ accountIdentifier: umaAddress })).toHaveLength(1);
    expectStatus(await client.patch(`/customers/${former.id}`, { umaAddress: newAddress() }), 200);
    expect(await found({ accountIdentifier: umaAddress })).toEqual([]);
  });
});

describe('a bare date', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const yesterday = () => new Date(Date.now() - 24 * 3600_000).toISOString().slice(0, 10);
  const ofAda = (query: Record<string, string>) => found({ customerId: ada.id, ...query });

  it('as endDate takes its whole day in', async () => {
    // Around midnight the customer is of the day before.
    const days = [ada.createdAt.slice(0, 10), today()];
    expect(await ofAda({ startDate: days[0] ?? '', endDate: today() })).toEqual(
      [deposit, sent, received].toSorted(),
    );
    expect(await ofAda({ endDate: yesterday() })).toEqual([]);
  });

  it.each(['createdBefore', 'updatedBefore'])('as %s of another list too', async (filter) => {
    expect(await idsIn(client, '/customers', { [filter]: today() })).toContain(ada.id);
    expect(await idsIn(client, '/customers', { [filter]: yesterday() })).not.toContain(ada.id);
  });
});

describe("a transaction of the platform's own money", () => {
  it('names no customer, and says so', async () => {
    const own = await platformAccount(client);
    await fund(client, own.id, 1_000);
    const [id = ''] = await idsIn(client, '/transactions', { accountIdentifier: own.id });
    const shown = expectStatus(await client.get(`/transactions/${id}`), 200);
    expect(shown).toMatchObject({ customerId: null, platformCustomerId: null });
  });
});

describe('the text of a remittance', () => {
  it('does not describe the transfer', async () => {
    const { customer, account } = await customerWith(client, 1_000);
    const payee = await registerUsd(client, customer.id);
    const [source, destination] = [{ accountId: account.id }, { accountId: payee.id }];
    const body = { source, destination, amount: 100, remittanceInformation: 'Invoice 12' };
    const transfer = expectStatus(await client.post('/transfer-out', body), 201);
    expect(transfer).not.toHaveProperty('description');
    expect((await client.get(`/transactions/${transfer.id}`)).body).not.toHaveProperty('description');
  });
});
