import { z } from 'zod';
import { transactionNotFound } from '../../../domain/payments/not-found.ts';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idField, idSchema } from '../../../kernel/ids.ts';
import { historyEntrySchema } from '../../audit/render.ts';
import type { Operation } from '../../operation.ts';

const lifeEventSchema = historyEntrySchema
  .extend({
    stream: z.string(),
    causedBy: z.uuid().optional().meta({ description: 'The event of this life that led to it.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'What the log has, without what belongs to the platform on the other side.',
    }),
  })
  .meta({ id: 'LifeEvent' });

export const getTransactionLife = {
  operationId: 'getTransactionLife',
  method: 'get',
  path: '/console/transactions/{transactionId}/life',
  tag: 'Console',
  permission: ['VIEW'],
  summary: "Read a payment's events, and the entries that it made on accounts",
  description:
    "An extension of the interface: the events of the payment and of the platform's accounts that it changed, in the order of the log, each with its data and the event that led to it. Of an account with more than 5,000 entries while the payment was under way, those near its first and its last event are found.",
  params: z.object({ transactionId: idSchema('Transaction') }),
  notFound: transactionNotFound,
  responses: {
    200: {
      description: 'Its life so far.',
      schema: z
        .object({ transactionId: idField('Transaction'), data: z.array(lifeEventSchema) })
        .meta({ id: 'TransactionLife' }),
    },
  },
  errors: basicErrors({ 404: ['TRANSACTION_NOT_FOUND'] }),
} as const satisfies Operation;

export type RenderedLifeEvent = z.input<typeof lifeEventSchema>;
