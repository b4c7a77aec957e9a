import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { pageQuery } from '../../fields/fields.ts';
import type { Operation } from '../../operation.ts';
import { checkpointsSchema, proofSchema } from './render.ts';

/** A number of events, or a revision: they are counted from 0. */
const count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 } });

export const listCheckpoints = {
  operationId: 'listCheckpoints',
  method: 'get',
  path: '/audit/checkpoints',
  tag: 'Audit',
  summary: 'List signed checkpoints of the log',
  description:
    'An extension of the interface: what the log was at a moment, newest first. A checkpoint has the number of events and the root of a Merkle tree over their hashes, and nothing of any platform.',
  permission: ['VIEW'],
  isList: true,
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of checkpoints.', schema: checkpointsSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const proofNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'The tree has no such event, or is not that large.', {
    resource: 'Proof',
  });

export const getProof = {
  operationId: 'getProof',
  method: 'get',
  path: '/audit/proofs',
  tag: 'Audit',
  summary: 'Prove that the log has an event, or has only grown',
  description:
    'An extension of the interface. With `stream` and `revision`: that an event of the platform is in the tree. Else that the tree has grown from the one of `from` events, 1 where it is left out. Both for the tree of `size` events, that of the newest checkpoint where it is left out.',
  permission: ['VIEW'],
  query: z.object({
    stream: z.string().min(1).max(100).optional(),
    revision: count.optional(),
    from: count.optional(),
    size: count.optional(),
  }),
  notFound: proofNotFound,
  responses: { 200: { description: 'The proof.', schema: proofSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;
