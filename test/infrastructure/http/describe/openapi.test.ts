import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { declaredErrors } from '../../../../src/infrastructure/http/describe/errors.ts';
import { openApiDocument } from '../../../../src/infrastructure/http/describe/openapi.ts';
import type { Operation } from '../../../../src/infrastructure/http/operation.ts';

const operation: Operation = {
  operationId: 'look',
  method: 'get',
  path: '/look',
  tag: 'Looks',
  summary: 'Look',
  permission: [],
  responses: { 200: { description: 'What there is.' } },
  errors: { 404: ['REFERENCE_NOT_FOUND'] },
  reserved: [404, 424],
};

describe('a status that the interface reserves', () => {
  it('is in the document, where the operation does not answer it for another reason', () => {
    const { paths } = openApiDocument([operation], {
      title: 'T',
      description: 'D',
      version: '1',
      basePath: '',
      tags: [],
      headers: {},
      headersOf: () => ({}),
      examples: {},
      parameterExample: () => undefined,
      parameterText: () => undefined,
      exampleNeeds: {},
      errorCodes: ['REFERENCE_NOT_FOUND'],
      webhooks: {
        tag: 'T',
        calls: {},
        headers: z.object(),
        answers: {},
        schema: z.object().meta({ id: 'Any' }),
      },
      credentials: { basic: 'b', bearer: 't' },
    });
    expect(paths?.['/look']?.get?.responses).toMatchObject({
      404: { description: 'REFERENCE_NOT_FOUND' },
      424: { description: expect.stringMatching(/^Reserved by the interface/) },
    });
  });

  it('is none that the operation may refuse with', () => {
    expect(declaredErrors(operation)).not.toHaveProperty('424');
  });
});
