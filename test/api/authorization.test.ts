/** Who may do what: every operation that there is, against everybody who may not call it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/app/interface/operations.ts';
import { bodiesOf, bodyOf } from '../support/http/bodies.ts';
import { type Answer, basic, type Client } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { type DocumentedOperation, documented, takingBasic, titled } from '../support/interface/interface.ts';
import { clientWith, serviceOfTests, type TestService } from '../support/processes/service.ts';
import { employed, type Staffed, staffed } from '../support/resources/agents.ts';
import { fieldsOf, formOf } from '../support/resources/documents.ts';
import { expectStatus } from '../support/resources/flows.ts';
import {
  type Belongings,
  besideOfTests,
  createBelongings,
  pathOf,
  renewedIn,
  targetOf,
} from '../support/resources/platforms.ts';
import { everyPermission } from '../support/resources/tokens.ts';

const ours = serviceOfTests();
const theirs = besideOfTests(ours);
let our: Belongings;
let their: Belongings;
let staff: Staffed;
const clients = new Map<string, Client>();
beforeAll(async () => {
  our = await createBelongings(ours.client);
  their = await createBelongings(theirs.client);
  staff = await staffed(ours.client);
  for (const permission of everyPermission) clients.set(permission, await clientWith(ours, [permission]));
});

/** A client whose token has one permission. */
const only = (permission: string): Client => clients.get(permission) ?? ours.client;
const closed = documented.filter(({ schemes }) => schemes.length > 0);

const documentOf = ({ businessId }: Belongings) => formOf(fieldsOf(businessId));

/** All that a request of the operation names. */
const namedBy = (operation: DocumentedOperation): string =>
  JSON.stringify([
    targetOf(operation, our),
    operation.takesForm ? fieldsOf(our.businessId) : bodiesOf(operation, our),
  ]);

function sentBy(client: Client, operation: DocumentedOperation, own = our): Promise<Answer> {
  if (operation.takesForm) return client.form(operation.method, targetOf(operation, own), documentOf(own));
  const call = Reflect.get(client, operation.method.toLowerCase());
  if (!call) throw new Error(`give the test client a function for ${operation.method}`);
  return call(targetOf(operation, own), ...bodiesOf(operation, own).slice(0, 1));
}

describe('the table of permissions', () => {
  it('has every operation', () => {
    const ids = documented.map(({ operationId }) => operationId);
    expect(ids.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
  });

  it('has VIEW for every operation that reads and for no other', () => {
    const readable = takingBasic.filter(({ permission }) => permission.includes('VIEW'));
    expect(readable).toEqual(takingBasic.filter(({ method }) => method === 'GET'));
  });

  /** An agent that has no token yet, whoever signs in, and what anybody may know of the sandbox's identity provider. */
  const openToAll = [
    'POST /agents/device-codes/{code}/redeem',
    'GET /sandbox/oidc/.well-known/openid-configuration',
    'GET /sandbox/oidc/jwks',
    'POST /console/session',
    'GET /console/session',
    'DELETE /console/session',
  ];
  it('has no operation without credentials but those that are known', () => {
    const names = (of: readonly DocumentedOperation[]) => of.map(({ method, path }) => `${method} ${path}`);
    const open = names(documented.filter(({ schemes }) => schemes.length === 0));
    expect(open).toEqual(names(documented).filter((name) => openToAll.includes(name)));
  });
});

type Wrong = readonly [what: string, authorization: (service: TestService) => string];
/** By what an operation takes. Credentials that are good for something else, such as an agent's, are a row more. */
const wrongCredentials: Readonly<Record<string, readonly Wrong[]>> = {
  basic: [
    ['an unknown client', () => basic({ clientId: 'nobody', clientSecret: 'a secret of nobody' })],
    ['a wrong secret', ({ credentials }) => basic({ ...credentials, clientSecret: 'a secret of nobody' })],
    ['a Bearer token', ({ credentials }) => `Bearer ${credentials.clientSecret}`],
    ["an agent's token", () => `Bearer ${staff.accessToken}`],
    ['Bearer with Basic content', ({ credentials }) => basic(credentials).replace('Basic', 'Bearer')],
  ],
  bearer: [
    ['an API token', ({ credentials }) => basic(credentials)],
    ["an API token's secret", ({ credentials }) => `Bearer ${credentials.clientSecret}`],
    ['an unknown token', () => `Bearer agt_${'0'.repeat(40)}`],
    ['an empty token', () => 'Bearer '],
  ],
};

describe('a request without the right credentials', () => {
  const attempts = ({ schemes }: DocumentedOperation): readonly Wrong[] =>
    schemes.flatMap((scheme) => {
      const wrong = wrongCredentials[scheme];
      if (!wrong) throw new Error(`say in wrongCredentials above what is wrong for the scheme ${scheme}`);
      return wrong;
    });

  /** The body is broken, which nobody who is refused may learn. */
  async function expectRefused(operation: DocumentedOperation, headers: Record<string, string>) {
    const content = { body: '{', headers: { ...headers, 'content-type': 'application/json' } };
    const { method } = operation;
    const path = pathOf(operation, our);
    const answer = await ours.client.raw(path, { method, headers, ...(operation.body && content) });
    expectProblem(answer, 401, 'UNAUTHORIZED');
    const challenge = new RegExp(`^(${operation.schemes.join('|')}) realm="`, 'i');
    expect(answer.headers.get('www-authenticate')).toMatch(challenge);
  }

  it.each(titled(closed))('%s is refused', async (_id, operation) => {
    await expectRefused(operation, {});
  });

  const rows = closed.flatMap((operation) =>
    attempts(operation).map(([what, make]) => [what, operation.operationId, operation, make] as const),
  );
  it.each(rows)('is refused for %s too: %s', async (_what, _id, operation, make) => {
    await expectRefused(operation, { authorization: make(ours) });
  });
});

describe('a token without the permission', () => {
  const rows = takingBasic.flatMap((operation) =>
    everyPermission
      .filter((one) => !operation.permission.includes('VIEW') && !operation.permission.includes(one))
      .map((one) => [one, operation.operationId, operation] as const),
  );

  it.each(rows)('%s is not enough for %s', async (permission, _id, operation) => {
    const problem = expectProblem(await sentBy(only(permission), operation), 403, 'FORBIDDEN');
    const { permission: needed } = operation;
    expect(problem.details.requiredPermission).toEqual(needed.length === 1 ? needed[0] : needed);
  });

  const reading = takingBasic.filter(({ permission }) => permission.includes('VIEW'));
  it.each(everyPermission)('%s is enough to read everything', async (permission) => {
    for (const operation of reading) expectStatus(await sentBy(only(permission), operation), 200);
  });

  // Where two processes serve the installation there are no snapshots (test/api/sandbox-snapshots.test.ts).
  const ofSnapshots = /\/sandbox\/snapshots\//;
  const sufficient = takingBasic
    .filter(({ method, path }) => method !== 'GET' && !ofSnapshots.test(path))
    .flatMap((operation) =>
      operation.permission.map((one) => [one, operation.operationId, operation] as const),
    );
  // Side by side: what an operation may use up, each call has for itself.
  it.concurrent.each(sufficient)('%s is enough for %s', async (permission, _id, operation) => {
    const own = await renewedIn(ours.client, our, namedBy(operation));
    const { status } = await sentBy(only(permission), operation, own);
    expect(status).not.toBeOneOf([401, 403, 404, 500]);
  });

  it.each(titled(takingBasic.filter(({ sandboxOnly }) => sandboxOnly)))(
    'nor is one of production for %s',
    async (_id, operation) => {
      const production = await clientWith(ours, everyPermission, 'production');
      expectProblem(await sentBy(production, operation), 403, 'FORBIDDEN');
    },
  );
});

describe("an agent's token", () => {
  const asAgent = closed.filter(({ schemes }) => schemes.includes('bearer'));
  const sentAs = (
    agent: Pick<Staffed, 'me'>,
    { method, path, body }: DocumentedOperation,
    own: Belongings,
  ) => {
    const call = Reflect.get(agent.me, method.toLowerCase());
    const operation = documented.find((one) => one.method === method && one.path === path);
    if (!operation) throw new Error(`${method} ${path} is not there`);
    return call(pathOf(operation, own), ...(body ? [bodyOf(operation, own)] : []));
  };

  it.each(titled(asAgent.filter(({ params }) => params.length > 0)))(
    'does not reach what is of another platform: %s',
    async (_id, operation) => {
      expectProblem(await sentAs(staff, operation, their), 404);
    },
  );

  /** What needs no permission of the policy. */
  const free = ['getAgentMe', 'listAgentActions'];
  it.each(titled(asAgent))(
    'shows its agent alone when its policy has no permissions: %s',
    async (id, operation) => {
      const idle = await employed(ours.client, our.customerId, { permissions: [] });
      const answer = await sentAs(idle, operation, our);
      if (free.includes(id)) return void expectStatus(answer, 200);
      // What another agent has made is not there; the rest is refused.
      if (answer.status !== 404) expect(expectProblem(answer, 403).details.reason).toBe('PERMISSION');
      return undefined;
    },
  );
});
