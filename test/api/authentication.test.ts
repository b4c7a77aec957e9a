import { beforeAll, describe, expect, it } from 'vitest';
import { bodyOf } from '../support/http/bodies.ts';
import { type Answer, basic, type Client, clientOf } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { documented } from '../support/interface/interface.ts';
import { query } from '../support/postgres/database.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { expectStatus, fund, quoteBody } from '../support/resources/flows.ts';
import { type Belongings, createBelongings } from '../support/resources/platforms.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests();
let belongings: Belongings;
const clients = new Map<string, Client>();
beforeAll(async () => {
  belongings = await createBelongings(service.client);
  for (const permission of ['VIEW', 'TRANSACT', 'MANAGE'])
    clients.set(permission, await clientWith(service, [permission]));
});

/** A client whose token has one permission. */
const only = (permission: string): Client => clients.get(permission) ?? service.client;

describe('a request without valid credentials', () => {
  const { clientId, clientSecret } = { clientId: 'nobody', clientSecret: 'a secret of nobody' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it.each<[string, () => string]>([
    ['an unknown client', () => basic({ clientId, clientSecret })],
    ['a wrong secret', () => basic({ ...service.credentials, clientSecret })],
    ['an empty secret', () => basic({ ...service.credentials, clientSecret: '' })],
    ['an empty client id', () => basic({ ...service.credentials, clientId: '' })],
    [
      'a secret in capitals',
      () => basic({ ...service.credentials, clientSecret: service.credentials.clientSecret.toUpperCase() }),
    ],
    ['a Bearer token', () => `Bearer ${service.credentials.clientSecret}`],
    ['Bearer with Basic content', () => basic(service.credentials).replace('Basic', 'Bearer')],
    ['no content', () => 'Basic'],
    ['no colon', () => `Basic ${base64(service.credentials.clientId)}`],
    ['no base64', () => `Basic ${service.credentials.clientId}:${service.credentials.clientSecret}`],
    [
      'a NUL',
      () => `Basic ${base64(`${service.credentials.clientId}\u0000:${service.credentials.clientSecret}`)}`,
    ],
    ['a secret cut short', () => basic(service.credentials).slice(0, -8)],
  ])('is refused with %s', async (_what, authorization) => {
    const answer = await service.client.raw('/customers', { headers: { authorization: authorization() } });
    expectProblem(answer, 401, 'UNAUTHORIZED');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/);
  });

  it('is told the same of an unknown client and of a wrong secret', async () => {
    const unknown = await clientOf(service.url, { clientId, clientSecret }).get('/customers');
    const wrong = await clientOf(service.url, { ...service.credentials, clientSecret }).get('/customers');
    expect(wrong.body).toEqual(unknown.body);
  });
});

describe('the credentials of a request', () => {
  it.each(['basic', 'BASIC'])('may have the scheme %s', async (scheme) => {
    const authorization = basic(service.credentials).replace('Basic', scheme);
    expectStatus(await service.client.raw('/customers', { headers: { authorization } }), 200);
  });

  it('may name the token by its id, which has a colon itself', async () => {
    const { clientId, clientSecret } = service.credentials;
    const [row] = await query<{ id: string }>(
      service.databaseUrl,
      'select id from daybook.api_tokens where client_id = $1',
      [clientId],
    );
    const byId = clientOf(service.url, { clientId: row?.id ?? '', clientSecret });
    expectStatus(await byId.get('/customers'), 200);
  });
});

describe('the checks of a request', () => {
  const unknownCurrency = {
    supportedCurrencies: [
      {
        currencyCode: 'XXX',
        minAmount: 0,
        maxAmount: 1,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: [],
      },
    ],
  };
  const sampleOf = (id: string) => {
    const operation = documented.find(({ operationId }) => operationId === id);
    return operation && bodyOf(operation, belongings);
  };
  const fundPath = (id: string) => `/sandbox/internal-accounts/${id}/fund`;
  const anonymous = (method: string, path: string, body = '{') =>
    service.client.raw(path, { method, ...(method !== 'GET' && { body }) });

  it.each<[string, () => Promise<Answer>, number]>([
    ['404 path before 401', () => anonymous('GET', '/nowhere'), 404],
    ['405 before 401', () => anonymous('PUT', '/customers'), 405],
    ['401 before 400 syntax', () => anonymous('POST', '/customers'), 401],
    ['401 before 413', () => anonymous('POST', '/customers', 'x'.repeat(2_000_000)), 401],
    [
      '400 syntax before 404',
      () => service.client.post(fundPath(idOfNobody('InternalAccount')), { amount: 0 }),
      400,
    ],
    ['400 syntax before 403', () => only('VIEW').post(fundPath(belongings.accountId), { amount: 0 }), 400],
    ['400 query before 403', () => only('MANAGE').get('/customers', { limit: '0' }), 400],
    ['404 before 403', () => only('VIEW').post(fundPath(idOfNobody('InternalAccount')), { amount: 1 }), 404],
    [
      '404 before 403 on delete',
      () => only('VIEW').delete(`/platform/external-accounts/${idOfNobody('ExternalAccount')}`),
      404,
    ],
    [
      '403 before 400 rule',
      () => only('VIEW').post('/quotes', quoteBody(belongings.accountId, belongings.accountId)),
      403,
    ],
    [
      '403 before 400 rule of a transfer',
      () => only('VIEW').post('/transfer-out', sampleOf('transferOut')),
      403,
    ],
    [
      '404 before 403 in a body',
      () =>
        only('VIEW').post('/transfer-out', {
          ...sampleOf('transferOut'),
          source: { accountId: idOfNobody('InternalAccount') },
        }),
      404,
    ],
    [
      '403 before 400 currency of a simulated payment',
      () =>
        only('VIEW').post('/sandbox/uma/receive', {
          ...sampleOf('sandboxReceive'),
          receivingCurrencyCode: 'XXX',
        }),
      403,
    ],
    [
      '400 address before 404 in a body',
      () =>
        service.client.post('/sandbox/uma/receive', {
          ...sampleOf('sandboxReceive'),
          senderUmaAddress: '$nobody@daybook.test',
          receiverUmaAddress: 'nobody',
        }),
      400,
    ],
    [
      '400 address before 404 in a quote',
      () =>
        service.client.post('/quotes', {
          ...quoteBody(idOfNobody('InternalAccount'), ''),
          destination: { destinationType: 'UMA_ADDRESS', umaAddress: 'nobody' },
          lookupId: idOfNobody('Lookup'),
        }),
      400,
    ],
    [
      '400 address before 404 sender',
      () => service.client.get('/receiver/uma/nobody', { customerId: idOfNobody('Customer') }),
      400,
    ],
    [
      '400 no sender before 404 account',
      () => service.client.get(`/receiver/external-account/${idOfNobody('ExternalAccount')}`),
      400,
    ],
    ['403 before 409', () => only('VIEW').post(`/transactions/${belongings.transactionId}/approve`), 403],
    [
      '404 before 409',
      () => service.client.post(`/transactions/${idOfNobody('Transaction')}/approve`, {}),
      404,
    ],
    [
      '400 syntax before 409',
      () => service.client.post(`/transactions/${belongings.transactionId}/reject`, { reason: 7 }),
      400,
    ],
    ['403 before 400 in the configuration', () => only('VIEW').patch('/config', unknownCurrency), 403],
    [
      '403 before 400 currency',
      () => only('VIEW').post('/customers', { customerType: 'INDIVIDUAL', currencies: ['XXX'] }),
      403,
    ],
    [
      '400 syntax before 404 in a body',
      () =>
        service.client.post('/quotes', {
          ...quoteBody(idOfNobody('InternalAccount'), belongings.externalAccountId),
          lockedCurrencyAmount: 0,
        }),
      400,
    ],
  ])('%s', async (_what, request, status) => {
    expectProblem(await request(), status);
  });

  it('run in the order 403, 409, 400', async () => {
    const body = quoteBody(belongings.accountId, belongings.externalAccountId, {
      lockedCurrencyAmount: 60_000,
    });
    const path = `/quotes/${expectStatus(await service.client.post('/quotes', body), 201).id}/execute`;
    expectProblem(await only('MANAGE').post(path), 403);
    expectProblem(await service.client.post(path), 400, 'INSUFFICIENT_BALANCE');
    await fund(service.client, belongings.accountId, 20_000);
    expectStatus(await only('TRANSACT').post(path), 200);
    expectProblem(await only('MANAGE').post(path), 403);
    expectProblem(await service.client.post(path), 409, 'CONFLICT');
  });
});
