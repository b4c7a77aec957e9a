import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { keyLengthMax } from '../../../infrastructure/http/parse.ts';
import { idField, idSchema } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { timestamp } from '../../fields/fields.ts';
import { createdWithin, listOf } from '../../fields/lists.ts';
import type { Operation } from '../../operation.ts';

const tag = 'Console';
const extension = 'An extension of the interface.';

const statusRule = 'must be a status from 100 to 599';
const status = z
  .string()
  .regex(/^[1-5]\d\d$/, statusRule)
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 100, maximum: 599 } });

const requestSchema = z
  .object({
    id: idField('Request'),
    requestId: idField('Request').meta({ description: 'X-Request-Id of its answer; the same as `id`.' }),
    createdAt: timestamp,
    method: z.string(),
    path: z.string().meta({ description: 'Of parameters, ids alone are shown.' }),
    operationId: z.string(),
    status: z.int().meta({ description: '499 where the caller hung up.' }),
    code: z.string().nullable(),
    durationMs: z.number(),
    idempotencyKey: z.string().nullable(),
    tokenId: idField('Token').nullable().meta({ description: 'Null for an agent.' }),
  })
  .meta({ id: 'LoggedRequest' });

const json = z.unknown().meta({ description: 'Masked but for ids, moments, amounts and words.' });

const requestWithBodiesSchema = requestSchema
  .extend({
    query: z.string(),
    requestBody: json,
    responseBody: json,
    truncated: z.boolean().meta({ description: 'Something was too long to be kept.' }),
  })
  .meta({ id: 'LoggedRequestWithBodies' });

export const listConsoleRequests = {
  operationId: 'listConsoleRequests',
  path: '/console/requests',
  tag,
  summary: 'List the requests of the last days',
  description: `${extension} Requests of the platform's tokens and agents that were answered, but for those of the console itself, newest first; a second or two late, and kept for 7 days.`,
  ...listOf(requestSchema, 'A page of requests, newest first.', {
    method: z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD']).optional(),
    operationId: z.string().min(1).max(100).optional(),
    status: status.optional(),
    minStatus: status.optional(),
    idempotencyKey: z.string().min(1).max(keyLengthMax).optional(),
    requestId: idSchema('Request').optional(),
    resourceId: z.string().min(1).max(100).optional().meta({
      description: 'An id that stands in the path, the query, or an answer that is no list.',
    }),
    search: z.string().min(1).max(100).optional().meta({
      description: 'Part of the path, operation, status, code, key, or of an id.',
    }),
    ...createdWithin,
  }),
} as const satisfies Operation;

const notFound = () => new Rejected('REFERENCE_NOT_FOUND', 'There is no such request.');

export const getConsoleRequest = {
  operationId: 'getConsoleRequest',
  method: 'get',
  path: '/console/requests/{requestId}',
  tag,
  summary: 'Read what a request said, and what it was answered',
  description: `${extension} Where there were many at once, not all bodies are kept: they are null then.`,
  permission: ['VIEW'],
  params: z.object({ requestId: idSchema('Request') }),
  notFound,
  responses: { 200: { description: 'The request.', schema: requestWithBodiesSchema } },
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;

export type RenderedRequest = z.input<typeof requestSchema>;
