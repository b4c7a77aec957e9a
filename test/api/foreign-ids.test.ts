/** The ids of another platform, wherever an operation takes one: nothing tells them from ids of nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { belongingsIn, bodiesOf, bodyOf, idMembers, replacedAt } from '../support/http/bodies.ts';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import {
  type DocumentedOperation,
  filled,
  isIdSchema,
  isList,
  takingBasic,
  titled,
} from '../support/interface/interface.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { fieldsOf, formOf } from '../support/resources/documents.ts';
import { expectStatus } from '../support/resources/flows.ts';
import {
  type Belongings,
  besideOfTests,
  createBelongings,
  idFor,
  pathOf,
  queryOf,
  targetOf,
} from '../support/resources/platforms.ts';

const ours = serviceOfTests();
const theirs = besideOfTests(ours);
let our: Belongings;
let their: Belongings;
beforeAll(async () => {
  our = await createBelongings(ours.client);
  their = await createBelongings(theirs.client);
});

const withParams = takingBasic.filter(({ params }) => params.length > 0);

/** There for every platform; what each may do with them, the tests of payments and of invitations say. */
const shared = new Set(['receiverUmaAddress', 'invitationCode']);
/** Whoever may send to an address may name it. */
const sharedInBodies = new Set<keyof Belongings>(['umaAddress', 'invitationCode']);

const documentOf = ({ businessId }: Belongings) => formOf(fieldsOf(businessId));

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

describe("another platform's id in a body", () => {
  const withIds = takingBasic.filter(({ body }) => body && idMembers(body).length > 0);

  it.each(titled(withIds))('can be tried at every place of %s', (_id, operation) => {
    const tried = placesIn(operation).map(({ path }) => path);
    const missing = idMembers(operation.body).filter((path) => !tried.includes(path));
    expect(missing, 'add a sample to test/support/http/bodies.ts that has this').toEqual([]);
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
