import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregates } from '../../src/domain/aggregates.ts';
import { paymentAddressStream } from '../../src/domain/reservations/reservation.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import type { EventStore } from '../../src/infrastructure/event-store/event-store.ts';
import { idOf, systemIds, uuidOf } from '../../src/kernel/ids.ts';
import type { Commands } from '../../src/use-cases/commands.ts';
import { customerDetails } from '../support/builders/customers.ts';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { openLog } from '../support/postgres/read-models.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { newAddress, tryCustomer } from '../support/resources/customers.ts';
import { accountOf, createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';

/** Commands that are followed by nothing, as of a process that is killed right after each. */
let bare: Commands;
let store: EventStore;
const service = serviceOfTests();
const { client } = service;
let platformId: string;
beforeAll(async () => {
  store = await openLog(service.databaseUrl);
  const deps = { store, newEventId: systemIds.uuid, now: () => new Date() };
  bare = createDispatcher(deps, aggregates, []);
  const [row] = await query<Json>(service.databaseUrl, 'select platform_id from daybook.api_tokens limit 1');
  platformId = row.platform_id;
});
afterAll(() => store.close());

const cause = () => ({ platformId, correlationId: 'cut short', causationId: 'cut short', actor: 'test' });
const claim = 'claim';
const taken = { code: 'UMA_ADDRESS_EXISTS', message: 'taken' } as const;
const reserve = ({ id: holder }: Json, umaAddress: string, at: Date, under?: string) =>
  bare.run(
    'reservation',
    paymentAddressStream(umaAddress),
    { type: 'ReserveName', holder, ...(under && { claim: under }), taken, at },
    cause(),
  );
const untilFree = (umaAddress: string) =>
  eventually(
    () => tryCustomer(client, { umaAddress }),
    ({ status }) => status === 201,
  );

describe('a change of a payment address that was cut short', () => {
  it('changes nothing when it was not recorded, and blocks the new address for a minute', async () => {
    const [customer, umaAddress] = [await createCustomer(client), newAddress()];
    await reserve(customer, umaAddress, new Date(Date.now() - 61_000), claim);
    expect((await client.get(`/customers/${customer.id}`)).body).toEqual(customer);
    expect((await tryCustomer(client, { umaAddress: customer.umaAddress })).status).toBe(409);
    expect((await tryCustomer(client, { umaAddress })).status).toBe(201);
  });

  it('is finished when it was recorded', async () => {
    const [customer, umaAddress] = [await createCustomer(client), newAddress()];
    await reserve(customer, umaAddress, new Date(Date.now() - 50_000), claim);
    const command = { type: 'UpdateCustomer', changes: { umaAddress }, claim, at: new Date() } as const;
    await bare.run('customer', uuidOf(customer.id), command, cause());
    await untilFree(customer.umaAddress);
    expect((await tryCustomer(client, { umaAddress })).status).toBe(409);
    const held = await bare.load('reservation', paymentAddressStream(umaAddress));
    expect(held.status === 'held' && held.claims.get(claim)?.confirmed).toBe(true);
  });
});

describe('a creation that was cut short', () => {
  const nobody = () => ({ id: idOf('Customer', randomUUID()) });

  it('leaves its name to whoever asks a minute later, and comes to nothing', async () => {
    const [umaAddress, gone] = [newAddress(), nobody()];
    await reserve(gone, umaAddress, new Date(Date.now() - 61_000));
    expect((await tryCustomer(client, { umaAddress })).status).toBe(201);
    expect((await client.get(`/customers/${gone.id}`)).status).toBe(404);
    const command = { type: 'CreateCustomer', details: customerDetails({ umaAddress }) } as const;
    await expect(bare.run('customer', uuidOf(gone.id), command, cause())).rejects.toMatchObject({
      code: 'UMA_ADDRESS_EXISTS',
    });
  });

  it('says until when the name is being taken', async () => {
    const umaAddress = newAddress();
    const at = new Date();
    await reserve(nobody(), umaAddress, at);
    const refused = await tryCustomer(client, { umaAddress });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toMatch(/unless that is completed, the name is free in \d+ seconds/);
    const seconds = Math.ceil((Date.now() - at.getTime()) / 1_000);
    expect(refused.body.details.retryAfterSeconds).toBeGreaterThanOrEqual(58 - seconds);
  });
});

describe('a deletion that was cut short', () => {
  it('is finished, so that the name is free and the accounts are closed', async () => {
    const customer = await createCustomer(client);
    const at = new Date();
    await bare.run('customer', uuidOf(customer.id), { type: 'BeginDeletion', at }, cause());
    const command = { type: 'DeleteCustomer', deletion: 1, at } as const;
    await bare.run('customer', uuidOf(customer.id), command, cause());
    await untilFree(customer.umaAddress);
    await eventually(
      async () => (await client.get('/customers/internal-accounts', { customerId: customer.id })).body.data,
      (accounts: Json[]) => accounts.every(({ status }) => status === 'CLOSED'),
    );
  });

  it('is finished by whoever asks for it again, and takes no money until then', async () => {
    const customer = await createCustomer(client);
    const { id } = await accountOf(client, customer.id);
    await bare.run('customer', uuidOf(customer.id), { type: 'BeginDeletion', at: new Date() }, cause());
    const halt = { type: 'HaltAccount', deletion: 1, at: new Date() } as const;
    await bare.run('account', uuidOf(id), halt, cause());
    const paid = await client.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 5 });
    expectProblem(paid, 403, 'USER_NOT_READY');
    expectStatus(await client.delete(`/customers/${customer.id}`), 200);
    await untilFree(customer.umaAddress);
    expect((await accountOf(client, customer.id)).status).toBe('CLOSED');
  });
});
