import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseBody, stringify } from '../../src/kernel/json.ts';
import { withIdsOf } from '../support/http/bodies.ts';
import { problemOf } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import {
  type DocumentedOperation,
  filled,
  type Schema,
  takingBasic,
  titled,
} from '../support/interface/interface.ts';
import { spoiltObjects, validValue, wrongQueryValues } from '../support/interface/schema-values.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { type Belongings, belongingOf, createBelongings, queryOf } from '../support/resources/platforms.ts';
import { givenSeed } from '../support/values/property.ts';

const numRuns = 40;

const service = serviceOfTests();
let belongings: Belongings;
beforeAll(async () => {
  belongings = await createBelongings(service.client);
});

/** Any JSON, the odd kinds of numbers and texts included. */
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.bigInt(),
  fc.double(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\u0000', '\ud800', '__proto__', '9'.repeat(400), -0, 2 ** 53, null),
);

/** Bodies that look right: the members that the schema has, with some of them replaced. */
function lookalike(schema: Schema): fc.Arbitrary<unknown> {
  const valid = grounded(validValue(schema, 'all')) as Record<string, unknown>;
  const spoilt = spoiltObjects(schema).map(({ value }) => value as Record<string, unknown>);
  const names = Object.keys({ ...valid, ...spoilt[0] });
  const some = fc.dictionary(fc.constantFrom(...names), anyJson, { maxKeys: 3 });
  const one = fc.oneof(fc.constant(valid), fc.constantFrom(valid, ...spoilt));
  return fc.tuple(one, some).map(([base, changed]) => ({ ...valid, ...base, ...changed }));
}

/** With ids of what exists, and payment addresses that somebody has. */
function grounded(body: unknown): unknown {
  const text = stringify(withIdsOf(belongings, body)).replace(
    /(UmaAddress":)"[^"]*"/gi,
    `$1"$${belongings.umaAddress}"`,
  );
  return parseBody(new TextEncoder().encode(text));
}

const belonging = (operation: DocumentedOperation, name: string): string => {
  const key = belongingOf(operation, name, belongings);
  return key ? belongings[key] : 'x';
};

const idOrText = (operation: DocumentedOperation) => (name: string) =>
  fc.oneof(fc.constant(belonging(operation, name)), fc.string({ unit: 'grapheme', minLength: 1 }));

function queriesOf(operation: DocumentedOperation): fc.Arbitrary<[string, string][]> {
  const least = Object.entries(queryOf(operation, belongings));
  if (operation.query.length === 0) return fc.constant(least);
  const one = fc
    .constantFrom(...operation.query)
    .chain(({ name, schema }) =>
      fc.tuple(
        fc.constant(name),
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            ...wrongQueryValues(schema),
            '1',
            belonging(operation, name),
            belongings.umaAddress,
          ),
        ),
      ),
    );
  return fc
    .tuple(fc.subarray(least), fc.array(one, { maxLength: 4 }))
    .map(([base, more]) => [...base, ...more]);
}

const requestOf = (operation: DocumentedOperation) =>
  fc.record({
    id: fc.tuple(...operation.params.map(idOrText(operation))),
    query: queriesOf(operation),
    body: operation.body ? fc.oneof(anyJson, lookalike(operation.body)) : fc.constant(undefined),
    key: operation.takesKey ? fc.option(fc.stringMatching(/^[!-~]{0,300}$/)) : fc.constant(null),
  });

/** What would break those after it on purpose, and what goes on for as long as it is asked to. */
const apart = ['sandboxCreateFault', 'sandboxStreamEvents', 'watchTransactions'];
const chosen = takingBasic.filter(({ operationId }) => !apart.includes(operationId));

describe('random requests', () => {
  it.each(titled(chosen))('never break %s', async (_id, operation) => {
    const property = fc.asyncProperty(requestOf(operation), async ({ id, query, body, key }) => {
      const ids = [...id];
      const path = filled(operation.path, () => encodeURIComponent(ids.shift()?.toWellFormed() ?? ''));
      const headers = key === null ? {} : { 'idempotency-key': key };
      const answer = await send(service, operation.method, `${path}?${new URLSearchParams(query)}`, {
        body,
        headers,
      });
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400) problemOf(answer);
    });
    await fc.assert(property, { numRuns, ...(givenSeed !== undefined && { seed: givenSeed }) });
  });

  it('never break the reader of bodies', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (text) => {
      const answer = await send(service, 'POST', '/customers', { text: new Uint8Array(text) });
      expect(problemOf(answer).status).toBe(400);
    });
    await fc.assert(property, { numRuns: 100, ...(givenSeed !== undefined && { seed: givenSeed }) });
  });
});
