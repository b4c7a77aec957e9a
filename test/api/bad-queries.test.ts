import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import { type DocumentedOperation, takingBasic, titled } from '../support/interface/interface.ts';
import { wrongQueryValues } from '../support/interface/schema-values.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { type Belongings, createBelongings, pathOf, queryOf } from '../support/resources/platforms.ts';

const service = serviceOfTests();
let belongings: Belongings;
beforeAll(async () => {
  belongings = await createBelongings(service.client);
});

/** With this query; what the operation must have besides is right. */
const ask = (operation: DocumentedOperation, query: string, without?: string): Promise<Answer> => {
  const least = new URLSearchParams(queryOf(operation, belongings));
  if (without) least.delete(without);
  return send(service, operation.method, `${pathOf(operation, belongings)}?${least}&${query}`);
};

describe('a query', () => {
  const rows = takingBasic.flatMap((operation) =>
    operation.query.flatMap(({ name, schema }) =>
      wrongQueryValues(schema).map((value) => [operation.operationId, name, value, operation] as const),
    ),
  );

  it.each(rows)('is refused by name to %s for a bad %s: %j', async (_id, name, value, operation) => {
    const answer = await ask(operation, `${new URLSearchParams({ [name]: value })}`, name);
    expect(namedFields(expectProblem(answer, 400))).toEqual([name]);
  });

  const single = takingBasic.flatMap((operation) =>
    operation.query
      .filter(({ schema }) => !JSON.stringify(schema).includes('"array"'))
      .map(({ name }) => [operation.operationId, name, operation] as const),
  );
  it.each(single)('is refused to %s when it has %s twice', async (_id, name, operation) => {
    const answer = await ask(operation, `${name}=1&${name}=2`, name);
    const { errors } = expectProblem(answer, 400).details;
    expect(errors).toMatchObject([{ field: name, message: 'is given more than once' }]);
  });

  const listing = takingBasic.filter(({ method }) => method === 'GET');
  it.each(titled(listing))(
    'is refused to %s with what nobody asked for, however it is written',
    async (_id, operation) => {
      const odd = [
        '__proto__=1',
        'constructor[prototype]=1',
        'unknown=%zz',
        '%00=1',
        'a=%ff',
        'limit%5B%5D=1',
        'a=%00',
        'a=%ED%A0%80',
        `${'x'.repeat(5_000)}=1`,
      ];
      for (const query of odd) expectProblem(await ask(operation, query), 400, 'INVALID_INPUT');
    },
  );

  it.each(titled(listing))('may have to %s what has no name', async (_id, operation) => {
    for (const query of ['=', '=1', '&&']) expect((await ask(operation, query)).status).toBeOneOf([200, 404]);
  });
});
