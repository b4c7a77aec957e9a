import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests, startTestService, type TestService } from '../support/processes/service.ts';
import { newAddress, patchCustomer, tryCustomer } from '../support/resources/customers.ts';
import { createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests, clientThrough } from '../support/resources/platforms.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);
/** The same platform through another process, whose events the first one follows once more, and later. */
let elsewhere: Client;
beforeAll(async () => {
  elsewhere = clientThrough(beside, service);
});

const through = (n: number): Client => (n % 2 === 0 ? client : elsewhere);
/** Every policy has run for every event of the log, in the process that follows it. */
const untilFollowed = ({ databaseUrl }: TestService) =>
  eventually(
    async () =>
      query<{ behind: boolean }>(
        databaseUrl,
        `select (select max(position) from daybook_log.events)
           > coalesce((select position from daybook.checkpoints where name = 'policies'), 0) as behind`,
      ),
    ([state]) => state?.behind === false,
  );

describe('the address of a customer', () => {
  it('stays its own after it went back and forth, when the policies run once more', async () => {
    const quiet = await startTestService({ variables: { DAYBOOK_ROLES: 'api,projector' } });
    const customer = await createCustomer(quiet.client);
    const there = newAddress();
    expectStatus(await patchCustomer(quiet.client, customer, { umaAddress: there }), 200);
    expectStatus(await patchCustomer(quiet.client, customer, { umaAddress: customer.umaAddress }), 200);
    const { databaseUrl } = quiet;
    const worker = await startTestService({ databaseUrl, variables: { DAYBOOK_ROLES: 'worker' } });
    await untilFollowed(quiet);
    expect((await tryCustomer(quiet.client, { umaAddress: customer.umaAddress })).status).toBe(409);
    expect((await tryCustomer(quiet.client, { umaAddress: there })).status).toBe(201);
    await worker.stop();
    await quiet.stop();
  });

  it('leaves every name with its holder when two processes change it at once', async () => {
    const customers = await together(4, () => createCustomer(client));
    const names = await together(3, async () => newAddress());
    const wishes = customers.flatMap((customer) => names.map((name) => ({ customer, name })));
    const answers = await Promise.all(
      wishes.map(({ customer, name }, n) => patchCustomer(through(n), customer, { umaAddress: name })),
    );
    expect(Object.keys(countByStatus(answers)).every((status) => ['200', '409'].includes(status))).toBe(true);
    await untilFollowed(service);
    const held = await Promise.all(
      customers.map(async ({ id }) => expectStatus(await client.get(`/customers/${id}`), 200).umaAddress),
    );
    expect(new Set(held).size).toBe(held.length);
    for (const name of [...names, ...customers.map(({ umaAddress }) => umaAddress)])
      expect([name, (await tryCustomer(client, { umaAddress: name })).status]).toEqual([
        name,
        held.includes(name) ? 409 : 201,
      ]);
  });
});
