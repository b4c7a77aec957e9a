import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { timestamp } from '../../fields/fields.ts';
import type { Operation } from '../../operation.ts';

const count = z.int().min(0).nullable();
const ms = z.number().nullable();

const pointSchema = z
  .object({
    at: timestamp.meta({ description: 'The end of the 5 seconds.' }),
    requestsPerSecond: z.number(),
    paymentsPerSecond: z.number().meta({ description: 'Requests that began a payment.' }),
    p50Ms: ms.meta({ description: 'Null where there was no request.' }),
    p99Ms: ms,
    projectionLagEvents: count.meta({
      description: 'Of the whole log. Null, as those after it, where nobody was looking.',
    }),
    queueDepth: count.meta({ description: 'Timers of the platform that are due.' }),
    deliveriesWaiting: count.meta({ description: 'Webhook events that are pending: 10,000 at most.' }),
    deliveriesFailed: count.meta({ description: 'Those that have failed and are kept: 10,000 at most.' }),
  })
  .meta({ id: 'HealthPoint' });

export const getConsoleHealth = {
  operationId: 'getConsoleHealth',
  method: 'get',
  path: '/console/health',
  tag: 'Console',
  permission: ['VIEW'],
  summary: 'Read how the service does for the platform',
  description:
    'An extension of the interface. A point for each 5 seconds of the last 15 minutes, oldest first, as the answering process has seen them; requests of the console are not counted.',
  responses: {
    200: {
      description: 'The points.',
      schema: z.object({ points: z.array(pointSchema) }).meta({ id: 'ConsoleHealth' }),
    },
  },
  errors: basicErrors(),
} as const satisfies Operation;
