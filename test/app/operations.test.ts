import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/operation.ts';
import { statusOf } from '../../src/api/refusals.ts';
import { openApi } from '../../src/app/interface/openapi.ts';
import { operations } from '../../src/app/interface/operations.ts';
import { declaredErrors } from '../../src/infrastructure/http/describe/errors.ts';

const named = operations.map((operation): [string, Operation] => [operation.operationId, operation]);
const statusByCode: Readonly<Record<string, number>> = statusOf;

describe('the errors of', () => {
  it.each(named)('%s have the status that goes with their code', (_id, operation) => {
    // 413 has the code of a body that cannot be read.
    const { 413: _tooLong, ...errors } = declaredErrors(operation);
    const wrong = Object.entries(errors).flatMap(([status, codes]) =>
      codes.filter((code) => statusByCode[code] !== Number(status)),
    );
    expect(wrong).toEqual([]);
  });

  it('all together are those that requests can meet', () => {
    const declared = new Set(
      operations.flatMap((operation) => Object.values(declaredErrors(operation)).flat()),
    );
    expect(Object.keys(statusOf).filter((code) => !declared.has(code))).toEqual(['METHOD_NOT_ALLOWED']);
  });

  it('all together stand on the page of errors, and no others', async () => {
    const page = await readFile('docs/reference/errors.md', 'utf8');
    const codes = page.slice(page.indexOf('## Codes'), page.indexOf('## Failure reasons'));
    const listed = [...codes.matchAll(/^\| \d{3} +\| ([^|]+)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code),
    );
    expect([...new Set(listed)].toSorted()).toEqual(Object.keys(statusOf).toSorted());
  });

  it.each(named)('%s are named once', (_id, operation) => {
    for (const codes of Object.values(declaredErrors(operation))) expect(codes).toEqual([...new Set(codes)]);
  });

  it.each(named)('%s contain what every request can meet', (_id, operation) => {
    const { idempotent, params, query, notFound, authentication } = operation;
    const closed = authentication !== 'none';
    const errors = declaredErrors(operation);
    expect(errors[500]).toContain('INTERNAL_ERROR');
    if (closed) expect(errors[401]).toContain('UNAUTHORIZED');
    if (params) expect(errors[404]).toContain('REFERENCE_NOT_FOUND');
    if (query || idempotent) expect(errors[400]).toContain('INVALID_INPUT');
    if (notFound) expect(errors[statusByCode[notFound().code] ?? 0]).toContain(notFound().code);
  });
});

describe('an operation with pages', () => {
  const paged = named.filter(([, { query }]) => query && 'limit' in query.shape);

  it.each(paged)('%s counts as a list', (_id, { isList }) => {
    expect(isList).toBe(true);
  });
});

describe('the document of the interface', () => {
  const document = JSON.parse(JSON.stringify(openApi()));
  const described = Object.values<Record<string, { operationId?: string; description?: string }>>(
    document.paths,
  );

  it('says of every operation more than its title', () => {
    const silent = described
      .flatMap((path) => Object.values(path))
      .filter(({ operationId, description }) => operationId !== undefined && !description);
    expect(silent).toEqual([]);
  });

  it('says that a session has its key where it is issued, and nowhere else', () => {
    const { AuthSession: listed, IssuedAuthSession: issued } = document.components.schemas;
    expect(issued.required).toEqual([...listed.required, 'encryptedSessionSigningKey']);
    expect(listed.properties).not.toHaveProperty('encryptedSessionSigningKey');
  });
});

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: { readonly format?: string };
};
const parameters = Object.values(openApi().paths ?? {})
  .flatMap((item) => Object.values(item ?? {}))
  .flatMap(({ operationId, parameters: own = [] }) =>
    own.map((parameter: Parameter) => [`${operationId} ${parameter.name}`, parameter] as const),
  );

describe('a parameter of the document', () => {
  it('says what it means, where it is not the id of what the path names', () => {
    const silent = parameters.filter(([, { in: place, description }]) => place !== 'path' && !description);
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it('may be a bare date where it begins or ends a period', () => {
    const periods = parameters.filter(([, { description }]) => description?.includes('a bare date'));
    expect(periods.length).toBeGreaterThan(20);
    expect(periods.filter(([, { schema }]) => schema.format !== undefined)).toEqual([]);
  });
});
