import { describe, expect, it } from 'vitest';
import { openApi } from '../../src/app/interface/openapi.ts';
import { boundsOfRequests } from '../../src/infrastructure/http/describe/bounds.ts';

const { operations, schemas } = boundsOfRequests(openApi());

const unbounded = (values: (typeof schemas)[number]['values']) =>
  values.filter(({ bound }) => bound === undefined).map(({ path }) => path);

describe('every value of a request is bounded', () => {
  it.each(operations.map(({ operationId, values }) => [operationId, values] as const))(
    'in %s',
    (_operationId, values) => expect(unbounded(values)).toEqual([]),
  );

  it.each(schemas.map(({ name, values }) => [name, values] as const))('in %s', (_name, values) =>
    expect(unbounded(values)).toEqual([]),
  );

  it('and every operation is looked at', () => {
    expect(operations.length).toBeGreaterThan(80);
    expect(schemas.flatMap(({ values }) => values).length).toBeGreaterThan(300);
  });
});
