import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import type { Json } from '../support/http/client.ts';
import { cursorOf, idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { openRequest, openText } from '../support/http/slow-request.ts';
import { clientWith, serviceOfTests, type TestService } from '../support/processes/service.ts';
import { fieldsOf, fileForm } from '../support/resources/documents.ts';
import { createCustomer, expectStatus, individual } from '../support/resources/flows.ts';
import { besideOfTests, startBeside } from '../support/resources/platforms.ts';
import { clientFor, everyPermission, issueToken, untilForgotten } from '../support/resources/tokens.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

const ownToken = async (): Promise<Json> => {
  const { data } = expectStatus(await client.get('/tokens', { name: 'First token' }), 200);
  return data[0];
};
const pathOf = ({ id }: Json) => `/tokens/${id}`;

describe('a new token', () => {
  it('shows its secret once', async () => {
    const { clientSecret, ...token } = await issueToken(client, ['VIEW'], 'reporting');
    expect(token).toEqual({
      id: expect.stringMatching(/^Token:[0-9a-f-]{36}$/),
      name: 'reporting',
      permissions: ['VIEW'],
      clientId: expect.stringMatching(/^daybook-[\w-]{12}$/),
      createdAt: expect.any(String),
      updatedAt: token.createdAt,
    });
    expect(Buffer.from(clientSecret, 'base64url')).toHaveLength(32);
    expect(expectStatus(await client.get(pathOf(token)), 200)).toEqual(token);
    expect(expectStatus(await client.get('/tokens', { name: 'reporting' }), 200).data).toEqual([token]);
  });

  it('works at once in every process, by either of its names', async () => {
    const token = await issueToken(client);
    for (const { url } of [service, beside]) {
      expectStatus(await clientFor(url, token).get('/config'), 200);
      expectStatus(await clientFor(url, { ...token, clientId: token.id }).get('/config'), 200);
    }
  });

  it("acts for its creator's platform", async () => {
    const issued = clientFor(service.url, await issueToken(client));
    const { id } = await createCustomer(issued);
    expectStatus(await client.get(`/customers/${id}`), 200);
    expectProblem(await beside.client.get(`/customers/${id}`), 404);
  });

  it('has each of its permissions once', async () => {
    const token = await issueToken(client, ['MANAGE', 'VIEW', 'MANAGE']);
    expect(token.permissions).toEqual(['VIEW', 'MANAGE']);
  });

  it('is another one each time, Idempotency-Key or not', async () => {
    const body = { name: 'twice', permissions: ['VIEW'] };
    const headers = { 'idempotency-key': 'the same' };
    const first = expectStatus(await client.post('/tokens', body, headers), 201);
    const second = expectStatus(await client.post('/tokens', body, headers), 201);
    expect(second.id).not.toBe(first.id);
    expect(second.clientSecret).not.toBe(first.clientSecret);
  });

  it.each<[string, object, string]>([
    ['no name', { permissions: ['VIEW'] }, 'name'],
    ['an empty name', { name: '', permissions: ['VIEW'] }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101), permissions: ['VIEW'] }, 'name'],
    ['no list of permissions', { name: 'x' }, 'permissions'],
    ['no permissions', { name: 'x', permissions: [] }, 'permissions'],
    ['an unknown permission', { name: 'x', permissions: ['VIEW', 'view'] }, 'permissions.1'],
    ['permissions as text', { name: 'x', permissions: 'VIEW' }, 'permissions'],
  ])('is refused with %s', async (_what, body, field) => {
    const problem = expectProblem(await client.post('/tokens', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([field]);
  });

  it('may have a name of 100 characters that others have too', async () => {
    const name = '😀'.repeat(50);
    await issueToken(client, ['VIEW'], name);
    await issueToken(client, ['VIEW'], name);
    expect(await idsIn(client, '/tokens', { name })).toHaveLength(2);
  });

  it('grants nothing that its creator lacks', async () => {
    const manager = clientFor(service.url, await issueToken(client, ['MANAGE']));
    for (const permissions of [['TRANSACT'], everyPermission]) {
      const refused = await manager.post('/tokens', { name: 'more', permissions });
      const problem = expectProblem(refused, 403, 'FORBIDDEN');
      expect(problem.details).toEqual({ requiredPermission: 'TRANSACT' });
    }
    expect(await idsIn(client, '/tokens', { name: 'more' })).toEqual([]);
    expect((await issueToken(manager, ['VIEW', 'MANAGE'])).permissions).toEqual(['VIEW', 'MANAGE']);
  });
});

describe('the environment of a token', () => {
  it('is that of its creator, and hides the tokens of the other', async () => {
    const production = await clientWith(service, everyPermission, 'production');
    const token = await issueToken(production, everyPermission, 'live');
    const issued = clientFor(service.url, token);
    expectStatus(await issued.get('/config'), 200);
    expectProblem(await issued.post('/sandbox/webhooks/test'), 403, 'FORBIDDEN');
    expectProblem(await client.get(pathOf(token)), 404, 'TOKEN_NOT_FOUND');
    expectProblem(await client.delete(pathOf(token)), 404, 'TOKEN_NOT_FOUND');
    expect(await idsIn(client, '/tokens', { name: 'live' })).toEqual([]);
    expect(await idsIn(production, '/tokens')).not.toContain((await ownToken()).id);
  });
});

describe('a deleted token', () => {
  it('stops within a second in every process', async () => {
    const token = await issueToken(client);
    const through = [service, beside].map(({ url }) => clientFor(url, token));
    for (const one of through) expectStatus(await one.get('/config'), 200);
    const deleted = await client.delete(pathOf(token));
    expect([expectStatus(deleted, 204), deleted.headers.get('content-type')]).toEqual([undefined, null]);
    await untilForgotten();
    for (const one of through) expectProblem(await one.get('/config'), 401, 'UNAUTHORIZED');
    for (const { url } of [service, beside]) {
      const byId = clientFor(url, { ...token, clientId: token.id });
      expectProblem(await byId.get('/config'), 401, 'UNAUTHORIZED');
    }
    expectProblem(await client.get(pathOf(token)), 404, 'TOKEN_NOT_FOUND');
    expectProblem(await client.delete(pathOf(token)), 404, 'TOKEN_NOT_FOUND');
    expect(await idsIn(client, '/tokens')).not.toContain(token.id);
  });

  it('does nothing more by a body that comes later', async () => {
    const token = await issueToken(client);
    const { id } = await createCustomer(client);
    const late = await openRequest(`${beside.url}/customers`, token, individual({ fullName: 'Late' }));
    const form = fileForm(fieldsOf(id), '%PDF-1.7', 'late.pdf');
    const file = await openText(`${beside.url}/documents`, token, form);
    expectStatus(await client.delete(pathOf(token)), 204);
    await untilForgotten();
    expect(await Promise.all([late.finish(), file.finish()])).toEqual([401, 401]);
    expect(await idsIn(client, '/documents', { documentHolder: id })).toEqual([]);
    const { data } = expectStatus(await client.get('/customers', { limit: '100' }), 200);
    expect(data.map(({ fullName }: Json) => fullName)).not.toContain('Late');
  });

  it('is told nothing that comes later', async () => {
    const token = await issueToken(client);
    expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    const query = { type: 'CUSTOMER.KYC_APPROVED', waitSeconds: '20' };
    const waited = clientFor(beside.url, token).get('/sandbox/webhooks', query);
    expectStatus(await client.delete(pathOf(token)), 204);
    await untilForgotten();
    await createCustomer(client);
    expectProblem(await waited, 401, 'UNAUTHORIZED');
  });

  it('stops at once in the process that deleted it', async () => {
    const token = await issueToken(client);
    const issued = clientFor(service.url, token);
    expectStatus(await issued.get('/config'), 200);
    expectStatus(await client.delete(pathOf(token)), 204);
    expectProblem(await issued.get('/config'), 401, 'UNAUTHORIZED');
  });

  it('has no effect any more, even where it is still remembered', async () => {
    const [token, other] = [await issueToken(client), await issueToken(client)];
    const elsewhere = clientFor(beside.url, token);
    expectStatus(await elsewhere.get('/config'), 200);
    expectStatus(await client.delete(pathOf(token)), 204);
    const body = { name: 'heir', permissions: everyPermission };
    const refused = await elsewhere.post('/tokens', body);
    expectProblem(refused, 401, 'UNAUTHORIZED');
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic/);
    expectProblem(await elsewhere.delete(pathOf(other)), 401, 'UNAUTHORIZED');
    expect(await idsIn(client, '/tokens', { name: 'heir' })).toEqual([]);
    expectStatus(await client.get(pathOf(other)), 200);
  });
});

describe('the token of a request', () => {
  it('cannot delete itself', async () => {
    const token = await issueToken(client);
    const issued = clientFor(service.url, token);
    for (const [one, own] of [
      [issued, token],
      [client, await ownToken()],
      [beside.client, expectStatus(await beside.client.get('/tokens'), 200).data[0]],
    ] as const) {
      const problem = expectProblem(await one.delete(pathOf(own)), 400, 'INVALID_INPUT');
      expect(namedFields(problem)).toEqual(['tokenId']);
      expectStatus(await one.get(pathOf(own)), 200);
    }
  });

  it('may be deleted by another with MANAGE', async () => {
    const third = await startBeside(service);
    const heir = clientFor(service.url, await issueToken(third.client));
    const [first] = await idsIn(third.client, '/tokens', { name: 'First token' });
    expectStatus(await heir.delete(`/tokens/${first}`), 204);
    await untilForgotten();
    expectProblem(await third.client.get('/config'), 401);
    expect(await idsIn(heir, '/tokens')).toHaveLength(1);
    await third.stop();
  });
});

describe("another platform's token", () => {
  it.each(['get', 'delete'] as const)('is not found to %s', async (method) => {
    const [foreign] = await idsIn(beside.client, '/tokens');
    const unknown = idOfNobody('Token');
    const refused = expectProblem(await client[method](`/tokens/${foreign}`), 404, 'TOKEN_NOT_FOUND');
    expect((await client[method](`/tokens/${unknown}`)).body).toEqual(refused);
    expectProblem(await client[method]('/tokens/nonsense'), 404, 'TOKEN_NOT_FOUND');
    expectStatus(await beside.client.get(`/tokens/${foreign}`), 200);
  });
});

describe('the list of tokens', () => {
  let platform: TestService;
  let tokens: Json[];
  beforeAll(async () => {
    platform = await startBeside(service);
    tokens = [expectStatus(await platform.client.get('/tokens'), 200).data[0]];
    for (const name of ['a', 'b', 'c', 'c', 'd'])
      tokens.push(await issueToken(platform.client, ['VIEW'], name));
  });
  afterAll(() => platform.stop());

  const ids = () => tokens.map(({ id }) => id).toReversed();
  const list = (query: Record<string, string> = {}) => idsIn(platform.client, '/tokens', query);
  const earlier = (time: string) => new Date(Date.parse(time) - 1).toISOString();

  it('shows the newest first, page by page', async () => {
    for (const limit of ['1', '2', '6', '100']) expect(await list({ limit })).toEqual(ids());
    const page = expectStatus(await platform.client.get('/tokens', { limit: '2' }), 200);
    expect(page).toMatchObject({ hasMore: true, totalCount: 6 });
  });

  it.each(['created', 'updated'])('filters by name and by when they were %s, inclusive', async (what) => {
    const [first = {}, , , , , last = {}] = tokens;
    const at = (token: Json) => token[`${what}At`];
    expect(await list({ name: 'c' })).toEqual(ids().slice(1, 3));
    expect(await list({ name: 'C' })).toEqual([]);
    expect(await list({ [`${what}Before`]: at(first) })).toEqual([first.id]);
    expect(await list({ [`${what}Before`]: earlier(at(first)) })).toEqual([]);
    expect(await list({ name: 'd', [`${what}After`]: at(last) })).toEqual([last.id]);
    expect(await list({ name: 'd', [`${what}Before`]: earlier(at(last)) })).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['no filter', {}],
    ['another name', { name: 'b' }],
    ['one filter more', { name: 'c', createdAfter: '2020-01-01' }],
  ])('refuses a cursor with %s', async (_what, filters) => {
    const cursor = await cursorOf(platform.client, '/tokens', { limit: '1', name: 'c' });
    const refused = await platform.client.get('/tokens', { ...filters, cursor });
    expect(namedFields(expectProblem(refused, 400, 'INVALID_INPUT'))).toEqual(['cursor']);
  });

  it('takes its own cursor only', async () => {
    await createCustomer(platform.client);
    await createCustomer(platform.client);
    const cursor = await cursorOf(platform.client, '/customers', { limit: '1' });
    expectProblem(await platform.client.get('/tokens', { cursor }), 400, 'INVALID_INPUT');
  });
});

describe('the secret of a token', () => {
  it.each(['', 'Token:', "' or true --", idOfNobody('Token')])(
    'opens nothing under the name %j',
    async (clientId) => {
      const { clientSecret } = await issueToken(client);
      expectProblem(await clientFor(service.url, { clientId, clientSecret }).get('/config'), 401);
    },
  );
});
