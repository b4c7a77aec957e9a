import { describe, expect, it } from 'vitest';
import { operations } from '../../src/app/interface/operations.ts';
import { parseWith } from '../../src/infrastructure/http/validation.ts';
import type { Rejected } from '../../src/kernel/rejected.ts';
import { isOurs } from '../support/http/problems.ts';
import { documented } from '../support/interface/interface.ts';
import { spoiltObjects, wrongQueryValues } from '../support/interface/schema-values.ts';

type Told = { readonly field: string; readonly message: string; readonly constraint?: { enum?: unknown[] } };
type Schema = Parameters<typeof parseWith>[0];

function toldOf(schema: Schema, value: unknown): Told[] {
  try {
    parseWith(schema, value);
    return [];
  } catch (error) {
    return ((error as Rejected).details?.errors ?? []) as Told[];
  }
}

const sourceOf = (operationId: string) => operations.find((one) => one.operationId === operationId);

const told: readonly (readonly [string, readonly Told[]])[] = documented.flatMap(
  ({ operationId, body, query }) => {
    const source = sourceOf(operationId);
    const bodies = body ? [{}, [], null, 'text', 7, ...spoiltObjects(body).map(({ value }) => value)] : [];
    const queries = query.flatMap(({ name, schema }) =>
      wrongQueryValues(schema).map((value) => ({ [name]: value })),
    );
    const twice = query.map(({ name }) => ({ [name]: ['a', 'b'] }));
    const all = [
      ...(source?.body ? bodies.flatMap((value) => toldOf(source.body as Schema, value)) : []),
      ...(source?.query
        ? [...queries, ...twice].flatMap((value) => toldOf(source.query as Schema, value))
        : []),
    ];
    return all.length > 0 ? [[operationId, all] as const] : [];
  },
);

describe('what is said of bad fields', () => {
  it('is looked at for all that can have some', () => {
    expect(told.length).toBeGreaterThan(60);
  });

  it.each(told)('by %s is in words of our own', (_id, all) => {
    expect(all.filter(({ message }) => !isOurs(message))).toEqual([]);
  });

  it.each(told)('by %s names the values that are taken, where they are few', (_id, all) => {
    const few = all.filter(({ constraint }) => constraint?.enum && constraint.enum.length <= 12);
    const silent = few.filter(
      ({ message, constraint }) =>
        !constraint?.enum?.every((value) => message.includes(String(value) || 'an empty text')),
    );
    expect(silent).toEqual([]);
  });
});
