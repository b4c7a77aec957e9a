import { z } from 'zod';
import { paymentRail } from '../../domain/external-accounts/payment-rails.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { int64Max } from '../../kernel/money.ts';
import { positiveAmount } from '../fields/fields.ts';
import { paymentMemo } from '../fields/payment-memo.ts';
import type { Operation } from '../operation.ts';
import { transactionSchema } from '../transactions/render.ts';

const internal = z.object({ accountId: idSchema('InternalAccount') });
const external = z.object({ accountId: idSchema('ExternalAccount') });

const transferInRequest = z
  .object({ source: external, destination: internal, amount: positiveAmount(int64Max), ...paymentMemo })
  .meta({ id: 'TransferInRequest' });
const transferOutRequest = z
  .object({
    source: internal,
    destination: external.extend({ paymentRail: paymentRail.optional() }),
    amount: positiveAmount(int64Max),
    ...paymentMemo,
  })
  .meta({ id: 'TransferOutRequest' });

const tag = 'Same-currency transfers';
const responses = { 201: { description: 'The transaction.', schema: transactionSchema } };
const invalid = [
  'INVALID_INPUT',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_RANGE',
  'INVALID_CURRENCY',
  'INVALID_BANK_ACCOUNT',
] as const;
const errors = {
  403: ['FORBIDDEN', 'USER_NOT_READY'],
  404: ['REFERENCE_NOT_FOUND'],
  409: ['CONFLICT'],
  410: ['CUSTOMER_DELETED'],
};

export const transferIn = {
  operationId: 'transferIn',
  method: 'post',
  path: '/transfer-in',
  tag,
  summary: 'Pull money from an external account',
  description:
    'From external accounts that can be pulled from; otherwise pay in with the payment instructions of the internal account.',
  permission: ['TRANSACT'],
  idempotent: true,
  body: transferInRequest,
  responses,
  errors: basicErrors({
    400: invalid,
    ...errors,
  }),
} as const satisfies Operation;

export const transferOut = {
  operationId: 'transferOut',
  method: 'post',
  path: '/transfer-out',
  tag,
  summary: 'Push money to an external account',
  description: 'The amount leaves the internal account at once; what fails is refunded.',
  permission: ['TRANSACT'],
  idempotent: true,
  body: transferOutRequest,
  responses,
  errors: basicErrors({
    400: [...invalid, 'INSUFFICIENT_BALANCE'],
    ...errors,
    403: [...errors[403], 'VELOCITY_LIMIT_EXCEEDED'],
    429: ['DAILY_VOLUME_LIMIT_EXCEEDED'],
  }),
} as const satisfies Operation;
