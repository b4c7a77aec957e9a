/** Who may do what: every operation that there is, against everybody who may not call it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/app/interface/operations.ts';
import { employed, type Staffed, staffed } from '../support/agents.ts';
import { belongingsIn, bodiesOf, bodyOf, idMembers, replacedAt } from '../support/bodies.ts';
import { type Answer, basic, type Client, type Json } from '../support/client.ts';
import { fieldsOf, formOf } from '../support/documents.ts';
import { expectStatus } from '../support/flows.ts';
import {
  type DocumentedOperation,
  documented,
  filled,
  isIdSchema,
  isList,
  takingBasic,
  titled,
} from '../support/interface.ts';
import {
  type Belongings,
  besideOfTests,
  createBelongings,
  idFor,
  pathOf,
  queryOf,
  targetOf,
} from '../support/platforms.ts';
import { expectProblem } from '../support/problems.ts';
import { send } from '../support/send.ts';
import { clientWith, serviceOfTests, type TestService } from '../support/service.ts';
import { everyPermission } from '../support/tokens.ts';

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
const withParams = takingBasic.filter(({ params }) => params.length > 0);

/** There for every platform; what each may do with them, the tests of payments and of invitations say. */
const shared = new Set(['receiverUmaAddress', 'invitationCode']);
/** Whoever may send to an address may name it. */
const sharedInBodies = new Set<keyof Belongings>(['umaAddress', 'invitationCode']);

const documentOf = ({ businessId }: Belongings) => formOf(fieldsOf(businessId));

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

  /** An agent that has no token yet, and what anybody may know of the sandbox's identity provider. */
  const openToAll = [
    'POST /agents/device-codes/{code}/redeem',
    'GET /sandbox/oidc/.well-known/openid-configuration',
    'GET /sandbox/oidc/jwks',
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

  const sufficient = takingBasic
    .filter(({ method }) => method !== 'GET')
    .flatMap((operation) =>
      operation.permission.map((one) => [one, operation.operationId, operation] as const),
    );
  it.each(sufficient)('%s is enough for %s', async (permission, _id, operation) => {
    const own = await createBelongings(ours.client);
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

describe("another platform's id in a path", () => {
  const rows = withParams.flatMap((operation) =>
    operation.params
      .filter((name) => !shared.has(name))
      .map((name) => [name, operation.operationId, operation] as const),
  );

  it.each(rows)('is not found as %s of %s', async (name, _id, operation) => {
    const sent = operation.body ? { body: bodyOf(operation, our) } : {};
    const query = `?${new URLSearchParams(queryOf(operation, our))}`;
    const pathWith = (id: string) =>
      filled(operation.path, (one) => (one === name ? id : idFor(operation, one, our))) + query;
    const ask = (path: string) =>
      operation.takesForm
        ? ours.client.form(operation.method, path, documentOf(our))
        : send(ours, operation.method, path, sent);
    const foreign = await ask(pathWith(idFor(operation, name, their)));
    expectProblem(foreign, 404);
    const unknown = idFor(operation, name, their).replace(/.{12}$/, '000000000000');
    const { body } = await ask(pathWith(unknown));
    expect(body).toEqual(foreign.body);
  });
});

describe("another platform's id in a query", () => {
  const rows = takingBasic.flatMap((operation) =>
    operation.query
      .filter(({ schema }) => isIdSchema(schema))
      .map(({ name }) => [name, operation.operationId, operation] as const),
  );

  it.each(rows)('finds nothing as %s of %s', async (name, _id, operation) => {
    const query = new URLSearchParams({
      ...queryOf(operation, our),
      [name]: idFor(operation, name, their),
    });
    const answer = await send(ours, operation.method, `${pathOf(operation, our)}?${query}`);
    if (isList(operation)) expect(expectStatus(answer, 200).data).toEqual([]);
    else expectProblem(answer, 404);
  });
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

describe("another platform's id in a body", () => {
  const withIds = takingBasic.filter(({ body }) => body && idMembers(body).length > 0);

  it.each(titled(withIds))('can be tried at every place of %s', (_id, operation) => {
    const tried = placesIn(operation).map(({ path }) => path);
    const missing = idMembers(operation.body).filter((path) => !tried.includes(path));
    expect(missing, 'add a sample to test/support/bodies.ts that has this').toEqual([]);
  });

  it.each(titled(withIds))('is not found by %s', async (_id, operation) => {
    const target = targetOf(operation, our);
    for (const { body, path, key } of placesIn(operation)) {
      if (sharedInBodies.has(key)) continue;
      const answer = await send(ours, operation.method, target, { body: replacedAt(body, path, their[key]) });
      expect([path, answer.status, answer.body?.message]).toEqual([path, 404, answer.body?.message]);
      expectProblem(answer, 404);
    }
  });

  it('is unchanged after all of this', async () => {
    for (const operation of withParams.filter(({ method }) => method === 'GET'))
      expectStatus(await send(theirs, 'GET', targetOf(operation, their)), 200);
    expect(expectStatus(await theirs.client.get(`/quotes/${their.quoteId}`), 200).status).toBe('PENDING');
    const { data } = expectStatus(await theirs.client.get('/platform/trial-balance'), 200);
    expect(data.map(({ currency, internal }: Json) => [currency.code, internal])).toEqual([['USD', 50_001]]);
  });

  /** Every place of every sample body that names one of our belongings. */
  const placesIn = (operation: DocumentedOperation) =>
    bodiesOf(operation, our).flatMap((body) =>
      belongingsIn(body, our).map(([path, key]) => ({ body, path, key })),
    );
});
