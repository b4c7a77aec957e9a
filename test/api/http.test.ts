import { beforeAll, describe, expect, it } from 'vitest';
import { basePath } from '../../src/app/interface/address.ts';
import { type Answer, basic, type Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import { documented, openApiDocument, resolved, titled } from '../support/interface/interface.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { deposit } from '../support/resources/deposits.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  fund,
  quoteBody,
  registerPayee,
} from '../support/resources/flows.ts';

const service = serviceOfTests();
const { client } = service;
let root: string;
beforeAll(async () => {
  root = service.url.slice(0, -basePath.length);
});

const requests: [string, () => Promise<Answer>][] = [
  ['a list', () => client.get('/customers')],
  ['a creation', () => client.post('/customers', { customerType: 'INDIVIDUAL' })],
  ['a bad body', () => client.post('/customers', {})],
  ['no credentials', () => client.raw('/customers', {})],
  ['a wrong path', () => client.get('/nowhere')],
  ['a wrong method', () => client.delete('/customers')],
  ['a bad path', () => client.get('/customers/%zz')],
  ['too large a body', () => send(service, 'POST', '/customers', { text: 'x'.repeat(2_000_000) })],
];

describe.each(requests)('the answer to %s', (_what, request) => {
  it('has a request id of its own', async () => {
    const ids = (await Promise.all([request(), request()])).map(({ headers }) => headers.get('x-request-id'));
    expect(ids[0]).toMatch(/^Request:[0-9a-f-]{36}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is JSON with the security headers', async () => {
    const { headers } = await request();
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('the process', () => {
  it.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready', notReady: [] }],
  ])('says at %s how it is', async (path, body) => {
    // A database that is slow for a moment is not ready.
    const response = await eventually(
      () => fetch(`${root}${path}`),
      ({ status }) => status === 200,
    );
    expect(await response.json()).toMatchObject(body);
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  it('counts at /metrics what was answered', async () => {
    await client.get('/customers');
    const response = await fetch(`${root}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toMatch(/^# HELP /m);
    expect(text).toMatch(/listCustomers/);
  });

  it('has nothing else at its root', async () => {
    const response = await fetch(`${root}/nowhere`);
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'REFERENCE_NOT_FOUND' }]);
  });
});

describe('/openapi.json', () => {
  it('is the OpenAPI document in version 3.1', async () => {
    const response = await fetch(`${root}/openapi.json`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const document: Json = await response.json();
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument)));
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ title: expect.any(String), version: '2025-10-13' });
  });

  it('names every operation once', () => {
    const ids = documented.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true);
  });

  it('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(openApiDocument).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, to]) => to,
    );
    expect(references.filter((to) => resolved({ $ref: to }) === undefined)).toEqual([]);
  });

  it.each(titled(documented))(
    'describes %s',
    (_id, { path, method, params, query, body, responses, schemes }) => {
      const { parameters = [], ...operation } =
        openApiDocument.paths[`${basePath}${path}`][method.toLowerCase()];
      const inPath = parameters.filter((one: Json) => one.in === 'path');
      expect(inPath.map(({ name, required }: Json) => [name, required])).toEqual(
        params.map((name) => [name, true]),
      );
      expect(operation).toMatchObject({ summary: expect.any(String), tags: [expect.any(String)] });
      const expected = [
        '500',
        ...(schemes.length > 0 ? ['401'] : []),
        ...(schemes.includes('basic') ? ['403'] : []),
        ...(params.length > 0 ? ['404'] : []),
      ];
      const badRequest = body || query.length > 0 ? ['400'] : [];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining([...expected, ...badRequest]));
      expect(Object.keys(responses).filter((status) => status.startsWith('2')).length).toBeGreaterThan(0);
    },
  );

  it.each(titled(documented))('gives every answer of %s a schema', (_id, { responses }) => {
    const withoutSchema = Object.entries(responses).filter(
      ([status, response]) =>
        status !== '204' &&
        !Object.values<Json>(resolved(response).content ?? {}).some(({ schema }) => schema),
    );
    expect(withoutSchema).toEqual([]);
  });
});

describe('/', () => {
  const ask = (accept: string, path = '/') => fetch(`${root}${path}`, { headers: { accept } });

  it('tells a browser where everything is, without a script', async () => {
    const response = await ask('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ]);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(html).not.toMatch(/<script|https?:|\son\w+=/);
    const places = [...html.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(places).toEqual(['/console', '/docs', '/openapi.json', '/readyz', '/healthz', '/metrics']);
    for (const path of places) expect([path, (await ask('text/html', path)).status]).toEqual([path, 200]);
  });

  it.each(['*/*', 'application/json'])('has nothing for %s', async (accept) => {
    const response = await ask(accept);
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'REFERENCE_NOT_FOUND' }]);
  });
});

describe('/docs', () => {
  it('is a page that loads only what lies beside it', async () => {
    const response = await fetch(`${root}/docs`);
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ]);
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, url = '']) => new URL(url, response.url),
    );
    expect(loaded.length).toBeGreaterThan(3);
    for (const url of loaded) {
      expect(url.origin).toBe(root);
      expect([url.pathname, (await fetch(url)).status]).toEqual([url.pathname, 200]);
    }
  });

  it('shows the document of this service', async () => {
    const text = await (await fetch(`${root}/docs/swagger-initializer.js`)).text();
    expect(text).toContain('"/openapi.json"');
    expect(text).not.toMatch(/https?:/);
  });

  it('has colours of its own, and those of the page', async () => {
    const response = await fetch(`${root}/docs/index.css`);
    expect(response.headers.get('content-type')).toMatch(/^text\/css/);
    const text = await response.text();
    expect(text).toContain('box-sizing');
    expect(text).toContain('opblock-post');
  });

  it.each(['/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/%2e%2e/package.json', '/docs/nothing', '/docs/%zz'])(
    'has nothing at %s',
    async (path) => {
      const response = await fetch(`${root}${path}`);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(await response.json()).toMatchObject({ status: response.status, code: expect.any(String) });
    },
  );
});

describe('an integer beyond 2^53', () => {
  const large = 2n ** 53n + 1n;

  it('is exact in a balance, a transaction and the trial balance', async () => {
    const customer = await createCustomer(client);
    const account = await accountOf(client, customer.id);
    await deposit(service.databaseUrl, account, large);
    const list = async () => (await client.get('/transactions', { customerId: customer.id })).body.data;
    const [transaction] = await eventually(list, ({ length }) => length === 1);
    expect(transaction.receivedAmount.amount).toBe(large);
    const funded = await accountOf(client, customer.id);
    expect(funded).toMatchObject({ balance: { amount: large }, totalBalance: { amount: large } });
    const [line] = expectStatus(await client.get('/platform/trial-balance'), 200).data;
    expect(line).toMatchObject({ internal: large, rail: -large, total: 0 });
    expect((await fund(client, account.id, 2)).balance.amount).toBe(large + 2n);
  });

  it('stays exact when some of it is spent', async () => {
    const customer = await createCustomer(client);
    const account = await accountOf(client, customer.id);
    await deposit(service.databaseUrl, account, large);
    const payee = await registerPayee(client, { customerId: customer.id });
    const quote = expectStatus(
      await client.post('/quotes', quoteBody(account.id, payee.id, { lockedCurrencyAmount: 200 })),
      201,
    );
    expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
    const path = `/customers/internal-accounts?customerId=${customer.id}&currency=USD`;
    const text = await textOf(path);
    expect(text).toContain(`"amount":${large - 200n},`);
  });

  it('cannot grow beyond int64', async () => {
    const customer = await createCustomer(client, { currencies: ['EUR'] });
    const account = await accountOf(client, customer.id, 'EUR');
    await deposit(service.databaseUrl, account, 2n ** 63n - 10n);
    const path = `/sandbox/internal-accounts/${account.id}/fund`;
    expectProblem(await client.post(path, { amount: 10 }), 400, 'AMOUNT_OUT_OF_RANGE');
    expect((await fund(client, account.id, 9)).balance.amount).toBe(2n ** 63n - 1n);
  });

  const textOf = async (path: string): Promise<string> => {
    const headers = { authorization: basic(service.credentials) };
    return (await fetch(`${service.url}${path}`, { headers })).text();
  };
});
