import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePath } from '../../src/app/interface/address.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { basic } from '../support/http/client.ts';
import { serviceOfTests, startTestService, type TestService } from '../support/processes/service.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';

type Line = Readonly<Record<string, unknown>>;
const lines: Line[] = [];
const log = createLog('info', { write: (text) => void lines.push(JSON.parse(text)) });

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ log });
});
afterAll(() => service.stop());

/** The lines of the requests that `work` makes, once they are all there. */
async function linesOf(count: number, work: () => Promise<unknown>): Promise<Line[]> {
  const from = lines.length;
  await work();
  const requests = () => lines.slice(from).filter(({ msg }) => msg === 'request');
  await expect.poll(() => requests().length).toBe(count);
  return requests();
}

describe('the line of a request', () => {
  it('has what was asked, by which operation, and what became of it', async () => {
    const [line] = await linesOf(1, () => createCustomer(service.client));
    expect(line).toMatchObject({
      method: 'POST',
      path: `${basePath}/customers`,
      operationId: 'createCustomer',
      status: 201,
      ms: expect.any(Number),
      requestId: expect.stringMatching(/^Request:/),
      platformId: expect.stringMatching(/^Platform:/),
    });
  });

  it('has ids, and no code, address or query', async () => {
    const { id, umaAddress } = await createCustomer(service.client);
    const requests = await linesOf(4, async () => {
      await service.client.get(`/customers/${id}`);
      await service.client.get(`/receiver/uma/${umaAddress}`, { customerId: id });
      await service.client.raw('/agents/device-codes/SVC-AGENT-ABCD-EFGH/redeem', { method: 'POST' });
      await service.client.raw('/agents/redeem/SVC-AGENT-ABCD-EFGH?code=SVC', {});
    });
    expect(requests.map(({ path }) => String(path).slice(basePath.length))).toEqual([
      `/customers/${id}`,
      '/receiver/uma/{receiverUmaAddress}',
      '/agents/device-codes/{code}/redeem',
      '/agents/redeem/…',
    ]);
    expect(JSON.stringify(requests)).not.toMatch(/SVC|\$|customerId=/);
  });

  it('is not written for probes', async () => {
    const origin = service.url.slice(0, -basePath.length);
    const requests = await linesOf(1, async () => {
      for (const path of ['/healthz', '/readyz', '/metrics', '/nothing']) await fetch(`${origin}${path}`);
    });
    expect(requests).toMatchObject([{ path: '/nothing', status: 404 }]);
  });

  it('has no credentials', async () => {
    const authorization = basic(service.credentials);
    await linesOf(1, () => service.client.raw('/config', { headers: { authorization } }));
    expect(JSON.stringify(lines)).not.toContain(authorization.slice('Basic '.length));
    expect(JSON.stringify(lines)).not.toContain(service.credentials.clientSecret);
  });
});

describe('an answer that did not wait for the read models', () => {
  // A process without a projector, on a database of its own.
  const whole = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api' } });

  it('says so, and one that waited does not', async () => {
    const body = { customerType: 'INDIVIDUAL' };
    const late = await whole.client.post('/customers', body);
    expectStatus(late, 201);
    expect(late.headers.get('daybook-read-models')).toBe('behind');
    const inTime = await service.client.post('/customers', body);
    expect(inTime.headers.get('daybook-read-models')).toBeNull();
  });

  it('says so too of lists that never showed what was there at the start, and lists that did do not', async () => {
    const list = async ({ client }: TestService) =>
      (await client.get('/customers')).headers.get('daybook-read-models');
    expect(await list(whole)).toBe('behind');
    expect(await list(service)).toBeNull();
  });
});
