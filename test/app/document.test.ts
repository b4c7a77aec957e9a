/** What who generates a client from the document rests on. */
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../src/api/refusals.ts';
import { webhookTypes } from '../../src/domain/webhooks/types.ts';
import type { Json } from '../support/http/client.ts';
import { documented, openApiDocument, resolved, titled } from '../support/interface/interface.ts';

const { schemas } = openApiDocument.components;

/** Every schema that stands in another one, with its place. */
function* within(schema: Json, place: string): Generator<readonly [string, Json]> {
  if (typeof schema !== 'object' || schema === null) return;
  if (!Array.isArray(schema)) yield [place, schema];
  for (const [name, member] of Object.entries(schema))
    if (!['example', 'examples', 'enum', 'mapping'].includes(name)) yield* within(member, `${place}.${name}`);
}
const everywhere = Object.entries<Json>(schemas).flatMap(([name, schema]) => [...within(schema, name)]);
const answers = documented.flatMap(({ operationId, responses }) =>
  Object.entries<Json>(responses).map(
    ([status, { content }]) => [`${operationId} ${status}`, content] as const,
  ),
);

describe('a schema of the document', () => {
  it('lets answers have fields that are added later', () => {
    const inline = answers.flatMap(([name, content]) => [...within(content, name)]);
    const closed = [...everywhere, ...inline].filter(([, one]) => one.additionalProperties === false);
    expect(closed.map(([place]) => place)).toEqual([]);
  });

  it('that is a union of objects says which member tells them apart', () => {
    const unions = everywhere.filter(([, { oneOf }]) => oneOf?.every((one: Json) => '$ref' in one));
    expect(unions.length).toBeGreaterThan(10);
    const silent = everywhere.filter(([, { oneOf, properties }]) => oneOf && !properties);
    for (const [place, { oneOf, discriminator }] of silent)
      expect([place, [...new Set(Object.values(discriminator?.mapping ?? {}))]]).toEqual([
        place,
        oneOf.map(({ $ref }: Json) => $ref),
      ]);
  });

  it('requires only what it defines', () => {
    const undefinedOf = ({ required, properties = {} }: Json) =>
      Array.isArray(required) ? required.filter((name) => !(name in properties)) : [];
    const lacking = everywhere.filter(([, schema]) => undefinedOf(schema).length > 0);
    expect(lacking.map(([place]) => place)).toEqual([]);
  });
});

describe('what who generates a client gets a type of', () => {
  const bodyOf = ({ content = {} }: Json) => Object.entries<Json>(content);
  const bodies = Object.values<Json>(openApiDocument.paths)
    .flatMap((item) => Object.values<Json>(item))
    .flatMap(({ operationId, requestBody = {}, responses }) =>
      [requestBody, ...Object.values<Json>(responses)]
        .flatMap(bodyOf)
        .filter(([type]) => type !== 'text/event-stream')
        .map(([, { schema }]) => [operationId, schema] as const),
    );

  it('has a name, where it is a body', () => {
    expect(bodies.length).toBeGreaterThan(1000);
    expect(bodies.filter(([, schema]) => schema.$ref === undefined)).toEqual([]);
  });

  it('has the name of the field, where it is a filter by an enumeration', () => {
    const filters = documented.flatMap(({ operationId, query }) =>
      query.map(({ name, schema }) => [`${operationId} ${name}`, schema] as const),
    );
    expect(filters.filter(([, schema]) => schema.$ref).length).toBeGreaterThan(20);
    expect(filters.filter(([, schema]) => schema.enum).map(([place]) => place)).toEqual([
      'listConsoleRequests method',
    ]);
  });

  it('is true or false, where it is a filter by that', () => {
    const filters = documented.flatMap(({ query }) => query.filter(({ name }) => name.startsWith('is')));
    expect(filters.map(({ schema }) => schema)).toEqual(filters.map(() => ({ type: 'boolean' })));
    expect(filters.length).toBeGreaterThan(2);
  });
});

describe('a refusal', () => {
  it('has a code of those that there are', () => {
    expect(resolved(schemas.Error.properties.code).enum).toEqual(Object.keys(statusOf));
  });

  it.each(titled(documented.filter(({ schemes }) => schemes.length > 0)))(
    'of %s for its credentials says which scheme they are of',
    (_id, { responses }) => {
      expect(responses['401'].headers).toHaveProperty('WWW-Authenticate');
    },
  );
});

describe('the webhooks of the document', () => {
  const calls = Object.values<Json>(openApiDocument.webhooks).map(({ post }) => post);
  const bodies = calls.map(({ requestBody }) => requestBody.content['application/json'].schema);

  it('are of every type, each in one of them', () => {
    const told = bodies.flatMap((body) => resolved(body).properties.type.enum);
    expect(told.toSorted()).toEqual(webhookTypes.toSorted());
  });

  it('are together the schema of what an endpoint gets', () => {
    expect(schemas.Webhook.oneOf).toEqual(bodies);
    expect(Object.keys(schemas.Webhook.discriminator.mapping).toSorted()).toEqual(webhookTypes.toSorted());
  });

  it('have the resources as operations answer them', () => {
    expect(schemas.OutgoingPaymentWebhook.properties.data).toEqual({
      $ref: '#/components/schemas/Transaction',
    });
    expect(Object.keys(schemas).filter((name) => name.endsWith('Output'))).toEqual([]);
  });
});
