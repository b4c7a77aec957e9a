import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import type { Operation } from '../../operation.ts';
import { snapshotNotFound, snapshotSchema } from './render.ts';

const extension = 'An extension of the interface.';
const common = { tag: 'Sandbox', sandboxOnly: true } as const;
const one = { params: z.object({ snapshotId: idSchema('Snapshot') }), notFound: snapshotNotFound } as const;

export const createSnapshot = {
  ...common,
  operationId: 'sandboxCreateSnapshot',
  method: 'post',
  path: '/sandbox/snapshots',
  summary: 'Remember all that your platform has',
  description: `${extension} Customers, accounts, payments, wallets, agents, tokens, webhooks, timers, the clock, faults: to go back to. It waits until what your platform does has come to rest. A platform has up to 20 snapshots.`,
  permission: ['MANAGE'],
  bodyOptional: true,
  body: z.object({ name: z.string().min(1).max(100).optional() }).meta({ id: 'SandboxSnapshotRequest' }),
  responses: { 201: { description: 'The snapshot.', schema: snapshotSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 409: ['CONFLICT'] }),
} as const satisfies Operation;

export const listSnapshots = {
  ...common,
  operationId: 'sandboxListSnapshots',
  method: 'get',
  path: '/sandbox/snapshots',
  summary: "List your platform's snapshots",
  description: `${extension} The oldest first. At most 20.`,
  permission: ['VIEW'],
  responses: {
    200: {
      description: 'The snapshots.',
      schema: z.object({ data: z.array(snapshotSchema) }).meta({ id: 'SandboxSnapshotList' }),
    },
  },
  errors: basicErrors(),
} as const satisfies Operation;

export const deleteSnapshot = {
  ...common,
  ...one,
  operationId: 'sandboxDeleteSnapshot',
  method: 'delete',
  path: '/sandbox/snapshots/{snapshotId}',
  summary: 'Forget a snapshot',
  description: extension,
  permission: ['MANAGE'],
  responses: { 204: { description: 'It is gone.' } },
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;

export const restoreSnapshot = {
  ...common,
  ...one,
  operationId: 'sandboxRestoreSnapshot',
  method: 'post',
  path: '/sandbox/snapshots/{snapshotId}/restore',
  summary: 'Go back to a snapshot',
  description: `${extension} Your platform is what it was then, under the same ids: what came after is gone, for the interface and for idempotency keys. The log keeps it. Refused where your platform has shared a payment with another one since, and where several processes serve the installation. It takes TRANSACT as well: what comes back, as tokens that were deleted since, may have any permission.`,
  permission: ['MANAGE'],
  responses: { 200: { description: 'The snapshot that your platform is at.', schema: snapshotSchema } },
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'], 409: ['CONFLICT'] }),
} as const satisfies Operation;
