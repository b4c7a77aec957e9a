import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { streamMaxSeconds, streamSeconds } from '../../fields/streams.ts';
import type { Operation } from '../../operation.ts';

export const watchTransactions = {
  operationId: 'watchTransactions',
  method: 'get',
  path: '/console/live',
  tag: 'Console',
  permission: ['VIEW'],
  summary: "Watch the platform's payments",
  description:
    'An extension of the interface. Server-sent events: `transaction` with id, type, status and time of each payment that changes after the stream has begun, as the read models have it; changes at the same moment may be told as one. A comment is sent every 15 seconds. A stream ends after `seconds`.',
  query: z.object({ seconds: streamSeconds(streamMaxSeconds) }),
  responses: {
    200: { description: 'The changes.', contentType: 'text/event-stream', schema: z.string() },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;
