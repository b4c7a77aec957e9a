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

  it('to the last digit', () => {
    const amount = schemas
      .find(({ name }) => name === 'TransferInRequest')
      ?.values.find(({ path }) => path === 'amount');
    expect(amount?.bound).toBe(`1 to ${2n ** 63n - 1n}`);
    const named = [...JSON.stringify(openApi()).matchAll(/"maximum":(\d+)/gi)].map(([, digits]) =>
      Number(digits),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((maximum) => !Number.isSafeInteger(maximum))).toEqual([]);
  });

  it('and every operation is looked at', () => {
    expect(operations.length).toBeGreaterThan(80);
    expect(schemas.flatMap(({ values }) => values).length).toBeGreaterThan(300);
  });
});
