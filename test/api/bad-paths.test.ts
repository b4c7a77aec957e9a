import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import {
  type DocumentedOperation,
  documented,
  filled,
  takingBasic,
  titled,
} from '../support/interface/interface.ts';
import { validValue } from '../support/interface/schema-values.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { type Belongings, createBelongings, queryOf } from '../support/resources/platforms.ts';
import { idOfNobody, uuidNumber } from '../support/values/ids.ts';

const service = serviceOfTests();
let belongings: Belongings;
beforeAll(async () => {
  belongings = await createBelongings(service.client);
});

describe('a path', () => {
  const withParams = takingBasic.filter(({ params }) => params.length > 0);
  const bad = [
    'x',
    idOfNobody('Nothing'),
    uuidNumber(1),
    '%00',
    ' ',
    '%F0%9F%98%80',
    `${idOfNobody('Quote')}0`,
    "';--",
    'x'.repeat(5_000),
  ];

  const isAddressed = ({ path }: DocumentedOperation) => path.includes('{receiverUmaAddress}');
  const within = (operation: DocumentedOperation, id: string) => {
    const path = filled(operation.path, () => (id.startsWith('%') ? id : encodeURIComponent(id)));
    return `${path}?${new URLSearchParams(queryOf(operation, belongings))}`;
  };

  it.each(['/config', '/customers', '/customers/internal-accounts', `/customers/${idOfNobody('Customer')}`])(
    'is the same with a slash behind: %s',
    async (path) => {
      const [plain, slashed] = [await service.client.get(path), await service.client.get(`${path}/`)];
      expect(slashed.body).toEqual(plain.body);
      expect(plain.body.code).not.toBe('REFERENCE_NOT_FOUND');
      expectProblem(await service.client.get(`${path}//`), 404);
    },
  );

  it.each(titled(withParams.filter((operation) => !isAddressed(operation))))(
    'leads nowhere with an id that has no form: %s',
    async (_id, operation) => {
      const sent = operation.body ? { body: validValue(operation.body) } : {};
      for (const id of bad)
        expectProblem(await send(service, operation.method, within(operation, id), sent), 404);
    },
  );

  it.each(titled(withParams.filter(isAddressed)))(
    'says when it has no payment address: %s',
    async (_id, operation) => {
      const noAddresses = ['$@daybook.test', 'ada@daybook.test', '$ada', `$${'a'.repeat(64)}@daybook.test`];
      for (const address of [...bad, ...noAddresses])
        expectProblem(
          await send(service, operation.method, within(operation, address)),
          400,
          'INVALID_UMA_ADDRESS',
        );
    },
  );

  it.each(titled(withParams.filter(isAddressed)))(
    'leads nowhere with a payment address that nobody has: %s',
    async (_id, operation) => {
      for (const address of ['$nobody@daybook.test', '$success.usd@daybook.test', '$ada@example.com'])
        expectProblem(
          await send(service, operation.method, within(operation, address)),
          404,
          'UMA_NOT_FOUND',
        );
    },
  );

  it.each(titled(withParams.filter(isAddressed)))(
    'may have the payment address raw, percent-encoded and in capitals: %s',
    async (_id, operation) => {
      const { umaAddress } = belongings;
      const query = new URLSearchParams(queryOf(operation, belongings));
      for (const address of [umaAddress, encodeURIComponent(umaAddress), umaAddress.toUpperCase()]) {
        const path = `${filled(operation.path, () => address)}?${query}`;
        const { status, body } = await send(service, operation.method, path);
        expect([status, body.receiverUmaAddress]).toEqual([200, umaAddress]);
      }
    },
  );

  it.each(titled(withParams))('leads nowhere when it is badly encoded: %s', async (_id, operation) => {
    for (const id of ['%', '%zz', '%E0%A4%A', '%C0%AF'])
      expectProblem(
        await send(
          service,
          operation.method,
          filled(operation.path, () => id),
        ),
        404,
      );
  });

  it.each([
    '/',
    '/nowhere',
    '/customers/a/b',
    '/Customers',
    '//customers',
    '/customers%2f',
    '/constructor',
    '/%zz',
  ])('is 404 when there is no such one: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH'])
      expectProblem(await send(service, method, path), 404);
  });

  const methodsOf = Map.groupBy(documented, ({ path }) => path);
  const wrongMethods = [...methodsOf].flatMap(([path, operations]) => {
    const allowed = operations.map(({ method }) => method).toSorted();
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    return others.filter((one) => !allowed.includes(one)).map((method) => [method, path, allowed] as const);
  });
  it.each(wrongMethods)('takes no method but its own: %s %s', async (method, path, allowed) => {
    const answer = await send(
      service,
      method,
      filled(path, (name) => `Some:${name}`),
    );
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    const taken = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
    expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(taken.toSorted());
  });

  it.each(['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])(
    'is only read where it is beside the operations: %s',
    async (path) => {
      const url = new URL(path, service.url);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await fetch(url, { method });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
        expect(await answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
      }
      expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    },
  );
});
