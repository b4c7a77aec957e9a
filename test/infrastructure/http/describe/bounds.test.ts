import { describe, expect, it } from 'vitest';
import { boundsOfRequests } from '../../../../src/infrastructure/http/describe/bounds.ts';

const documentOf = (body: object, schemas: object = {}) => ({
  paths: {
    '/things': {
      post: { operationId: 'make', requestBody: { content: { 'application/json': { schema: body } } } },
    },
  },
  components: { schemas },
});
const boundsOf = (body: object, schemas?: object) =>
  boundsOfRequests(documentOf(body, schemas)).operations.flatMap(({ values }) => values);
const text = { type: 'string' };

describe('a value without a bound', () => {
  it.each([
    ['a text', text],
    ['a text of a pattern that repeats', { ...text, pattern: '^[a-z]+$' }],
    ['a text of a pattern that leaves its end open', { ...text, pattern: '^[a-z]{2}' }],
    ['a text of a pattern whose variants are anchored on one side each', { ...text, pattern: '^a|b$' }],
    ['a text of a pattern with a least number only', { ...text, pattern: '^a{3,}$' }],
    ['a text of a format of any length', { ...text, format: 'uri' }],
    ['a number with one bound', { type: 'integer', minimum: 0 }],
    ['a list', { type: 'array', items: { type: 'boolean' } }],
    ['a list of texts without a bound', { type: 'array', maxItems: 2, items: text }],
    ['a record', { type: 'object', propertyNames: { enum: ['a'] }, additionalProperties: { type: 'null' } }],
    ['names of a record', { type: 'object', maxProperties: 2, additionalProperties: { type: 'null' } }],
    ['one variant of a union', { anyOf: [{ const: 'x' }, text] }],
    [
      'a member of an object',
      { type: 'object', properties: { a: { type: 'object', properties: { b: text } } } },
    ],
    ['anything at all', {}],
  ])('is found: %s', (_name, body) =>
    expect(boundsOf(body).some(({ bound }) => bound === undefined)).toBe(true),
  );

  it('is found in a schema by name, however deep it is named', () => {
    const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const schemas = { A: { type: 'object', properties: { b: named('B') } }, B: text, Unused: text };
    const found = boundsOfRequests(documentOf(named('A'), schemas)).schemas;
    expect(found).toEqual([
      { name: 'A', values: [{ path: 'b', bound: 'see B' }] },
      { name: 'B', values: [{ path: '', bound: undefined }] },
    ]);
  });
});

describe('a bound', () => {
  it.each([
    [{ ...text, maxLength: 7 }, '7 characters'],
    [{ ...text, pattern: '^(Internal|External)\\+[*+]{3}[a-z]{1,4}$' }, 'by pattern'],
    [{ ...text, format: 'date' }, '10 characters'],
    [{ enum: ['a', 'b'] }, 'one of 2'],
    [{ const: 'a' }, 'fixed'],
    [{ type: 'boolean' }, 'true or false'],
    [{ type: 'number', minimum: 0, maximum: 9 }, '0 to 9'],
    [{ type: 'integer', minimum: 0, exclusiveMaximum: 9 }, '0 to below 9'],
    [{ type: 'array', maxItems: 3, items: { type: 'null' } }, '3 entries'],
  ])('is told: %j', (body, bound) => expect(boundsOf(body)).toEqual([{ path: 'body', bound }]));
});
