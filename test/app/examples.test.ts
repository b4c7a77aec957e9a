import { describe, expect, it } from 'vitest';
import { requestExamples } from '../../src/app/interface/examples.ts';
import { operations } from '../../src/app/interface/operations.ts';
import { tags } from '../../src/app/interface/tags.ts';
import { namesOf, unknownIn } from '../../src/infrastructure/http/names/names.ts';
import { documented, openApiDocument } from '../support/interface/interface.ts';

const taking = operations.filter(({ body, multipart }) => body || multipart);

describe('the examples of the document', () => {
  it('are there for every body, and for nothing else', () => {
    expect(Object.keys(requestExamples).toSorted()).toEqual(taking.map((one) => one.operationId).toSorted());
  });

  it.each(taking.map((one) => [one.operationId, one] as const))('fit %s', (operationId, operation) => {
    const schema = operation.body ?? operation.multipart?.fields;
    const { file: _file, ...fields } = requestExamples[operationId] as { file?: string };
    expect(schema?.safeParse(fields).error).toBeUndefined();
    expect(schema && unknownIn(namesOf(schema), fields)).toEqual([]);
  });
});

describe('the document', () => {
  it('says what each group of operations is', () => {
    expect(openApiDocument.tags).toEqual(tags);
    const used = new Set(operations.map(({ tag }) => tag));
    expect(tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
  });

  it('says where it is served', () => {
    expect(openApiDocument.servers).toEqual([{ url: '/', description: expect.any(String) }]);
  });

  it.each(documented.map((one) => [one.operationId, one] as const))('has the headers of %s', (_id, one) => {
    for (const [status, { headers }] of Object.entries(one.responses)) {
      const names = Object.keys(headers);
      expect(names).toContain('X-Request-Id');
      expect(names.includes('Daybook-Read-Models')).toBe(Number(status) < 300);
      for (const name of names) expect(openApiDocument.components.headers[name]).toBeDefined();
    }
  });
});
