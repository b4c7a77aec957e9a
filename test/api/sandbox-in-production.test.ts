/** Operations of the sandbox for whoever is of production: nothing of a request is looked at but whose it is. */
import { beforeAll, describe, expect, it } from 'vitest';
import { basic, type Client } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { type DocumentedOperation, documented, filled, titled } from '../support/interface/interface.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { everyPermission } from '../support/resources/tokens.ts';

const ofSandbox = documented.filter(({ path }) => path.startsWith('/sandbox/'));
const closed = ofSandbox.filter(({ schemes }) => schemes.length > 0);

/** Asks without a body, with a path and a query that no operation knows. */
const asked = ({ raw }: Client, { method, path }: DocumentedOperation, headers: Record<string, string>) =>
  raw(`${filled(path, () => 'rubbish')}?limit=rubbish`, { method, headers });

it('is every operation below /sandbox', () => {
  const ids = documented.filter(({ sandboxOnly }) => sandboxOnly).map(({ operationId }) => operationId);
  expect(ofSandbox.map(({ operationId }) => operationId)).toEqual(ids);
});

describe('an installation in production', () => {
  const service = serviceOfTests({ variables: { DAYBOOK_ENVIRONMENT: 'production' } });

  it.each(titled(closed))('refuses %s whatever it is asked', async (_id, operation) => {
    const authorization = basic(service.credentials);
    const problem = expectProblem(await asked(service.client, operation, { authorization }), 403);
    expect(problem.code).toBe('FORBIDDEN');
  });

  it.each(titled(closed.filter(({ body }) => body)))(
    'refuses %s before its body is read',
    async (_id, { method, path }) => {
      const headers = { authorization: basic(service.credentials), 'content-type': 'application/json' };
      const target = filled(path, () => 'rubbish');
      const answer = await service.client.raw(target, { method, headers, body: '{' });
      expectProblem(answer, 403, 'FORBIDDEN');
    },
  );

  it.each(titled(closed))('asks who it is before it refuses %s', async (_id, operation) => {
    expectProblem(await asked(service.client, operation, {}), 401, 'UNAUTHORIZED');
  });

  it.each(titled(ofSandbox.filter(({ schemes }) => schemes.length === 0)))(
    'has nothing for anybody at the path of %s',
    async (_id, operation) => {
      expectProblem(await asked(service.client, operation, {}), 404, 'REFERENCE_NOT_FOUND');
    },
  );
});

describe('a token of production in a sandbox', () => {
  const service = serviceOfTests();
  let production: Client;
  beforeAll(async () => {
    production = await clientWith(service, everyPermission, 'production');
  });

  it.each(titled(closed))('is not one for %s, whatever it asks', async (_id, { method, path }) => {
    const target = filled(path, () => 'rubbish');
    const call = Reflect.get(production, method.toLowerCase());
    expectProblem(await call(target), 403, 'FORBIDDEN');
  });
});
