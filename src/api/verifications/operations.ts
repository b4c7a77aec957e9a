import { z } from 'zod';
import { verificationNotFound } from '../../domain/verification/verification.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { verificationStatus } from '../fields/enumerations.ts';
import { listOf } from '../fields/lists.ts';
import type { Operation } from '../operation.ts';
import { verificationSchema } from './render.ts';

const tag = 'Business verification';
const answer = { description: 'The verification.', schema: verificationSchema };

export const createVerification = {
  operationId: 'createVerification',
  method: 'post',
  path: '/verifications',
  tag,
  summary: 'Verify a customer',
  description:
    'Submits what is known of the customer. What is missing stands in errors, and the answer is 200 all the same: add it and ask again.',
  permission: ['MANAGE'],
  body: z.object({ customerId: idSchema('Customer') }).meta({ id: 'VerificationRequest' }),
  responses: { 200: answer },
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    404: ['USER_NOT_FOUND'],
    409: ['CONFLICT'],
    410: ['CUSTOMER_DELETED'],
  }),
} as const satisfies Operation;

export const listVerificationsOperation = {
  operationId: 'listVerifications',
  path: '/verifications',
  tag,
  summary: 'List verifications',
  ...listOf(verificationSchema, 'A page of verifications, newest first.', {
    customerId: idSchema('Customer').optional(),
    verificationStatus: verificationStatus.optional(),
  }),
} as const satisfies Operation;

export const getVerification = {
  operationId: 'getVerification',
  method: 'get',
  path: '/verifications/{verificationId}',
  tag,
  summary: 'Read a verification',
  permission: ['VIEW'],
  params: z.object({ verificationId: idSchema('Verification') }),
  notFound: verificationNotFound,
  responses: { 200: answer },
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;
