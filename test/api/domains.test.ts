/** Whose a domain of payment addresses is: one platform's, for as long as anybody can be paid there. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests, startTestService, type TestOptions } from '../support/processes/service.ts';
import { newDomain, setDomain } from '../support/resources/domains.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const hour = 3_600_000;
const clock = movableClock();
const service = serviceOfTests({ clock });
const { client: ours } = service;
const { client: theirs } = besideOfTests(service, { clock });

const customerAt = (client: Client, umaAddress: string) =>
  client.post('/customers', { customerType: 'INDIVIDUAL', umaAddress });
const domainOf = async (client: Client): Promise<string> =>
  expectStatus(await client.get('/config'), 200).umaDomain;
const refused = async (client: Client, domain: string) =>
  expectProblem(await setDomain(client, domain), 409, 'CONFLICT');

/** We had the domain, and have another one now. */
async function left(domain: string): Promise<void> {
  expectStatus(await setDomain(ours, domain), 200);
  expectStatus(await setDomain(ours, newDomain()), 200);
}

describe("another platform's domain", () => {
  it('is refused, in any case, so that nobody is paid there in the name of others', async () => {
    const domain = newDomain();
    expectStatus(await setDomain(ours, domain), 200);
    const before = await domainOf(theirs);
    await refused(theirs, domain);
    await refused(theirs, domain.toUpperCase());
    expect(await domainOf(theirs)).toBe(before);
    expectProblem(await customerAt(theirs, `$ada@${domain}`), 400, 'INVALID_UMA_ADDRESS');
    expectStatus(await customerAt(ours, `$ada@${domain}`), 201);
  });

  it('is refused when it is the first one that a platform got', async () => {
    await refused(theirs, 'daybook.test');
    const own = await domainOf(theirs);
    expectProblem(await setDomain(ours, own), 400, 'INVALID_INPUT');
  });

  it("stays a platform's for an hour after it has left it, and is free then", async () => {
    const domain = newDomain();
    await left(domain);
    clock.advance(hour - 60_000);
    expect((await refused(theirs, domain)).details).toEqual({ retryAfterSeconds: 60 });
    clock.advance(60_000);
    expectStatus(await setDomain(theirs, domain), 200);
    await refused(ours, domain);
  });

  it('can be gone back to', async () => {
    const domain = newDomain();
    await left(domain);
    expectStatus(await setDomain(ours, domain), 200);
    clock.advance(hour);
    await refused(theirs, domain);
  });

  it("stays a platform's for as long as a customer has an address there", async () => {
    const domain = newDomain();
    expectStatus(await setDomain(ours, domain), 200);
    const customers: Json[] = [await createCustomer(ours), await createCustomer(ours)];
    expectStatus(await setDomain(ours, newDomain()), 200);
    clock.advance(hour * 24);
    for (const { id } of customers) {
      await refused(theirs, domain);
      expectStatus(await ours.delete(`/customers/${id}`), 200);
    }
    expectStatus(await setDomain(theirs, domain), 200);
  });
});

const production = { DAYBOOK_ENVIRONMENT: 'production' };

async function inProduction(options: TestOptions): Promise<Client> {
  const started = await startTestService({ variables: production, ...options });
  onTestFinished(() => started.stop());
  return started.client;
}

describe('a domain in production', () => {
  it('is taken with the record that the refusal names, and no other', async () => {
    const published = new Map<string, string[]>();
    const client = await inProduction({
      domainRecords: { textsAt: async (name) => published.get(name) ?? [] },
    });
    const refusal = async () =>
      expectProblem(await setDomain(client, 'pay.example'), 400, 'INVALID_INPUT').details;
    const { dnsRecord, errors } = await refusal();
    expect(dnsRecord).toMatchObject({ type: 'TXT', name: '_daybook.pay.example' });
    expect(errors).toEqual([
      {
        field: 'umaDomain',
        message: `is not proven: publish the TXT record ${dnsRecord.name} with ${dnsRecord.value}`,
      },
    ]);
    published.set(dnsRecord.name, ['daybook-platform=somebody-else', `${dnsRecord.value}0`]);
    expect((await refusal()).dnsRecord).toEqual(dnsRecord);
    published.set(dnsRecord.name, ['v=spf1 -all', dnsRecord.value]);
    expectStatus(await setDomain(client, 'pay.example'), 200);
  });

  it('is not asked for again while the platform has it, nor when it goes back', async () => {
    const asked: string[] = [];
    const textsAt = async (name: string) => {
      asked.push(name);
      return [];
    };
    const client = await inProduction({ domainRecords: { textsAt } });
    const first = await domainOf(client);
    expectStatus(await setDomain(client, first), 200);
    expectStatus(await setDomain(client, await ownOf(client)), 200);
    expectStatus(await setDomain(client, first), 200);
    expect(asked).toEqual([]);
  });
});

const ownOf = async (client: Client): Promise<string> =>
  `${expectStatus(await client.get('/config'), 200).proxyUmaSubdomain}.daybook.test`;
