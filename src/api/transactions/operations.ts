import { z } from 'zod';
import { transactionNotFound } from '../../domain/payments/not-found.ts';
import { customerInfo } from '../../domain/values/customer-info.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { sortOrder, transactionStatus, transactionType } from '../fields/enumerations.ts';
import { dateTime, lastMoment, moment } from '../fields/fields.ts';
import { listOf } from '../fields/lists.ts';
import { remark, searched } from '../fields/texts.ts';
import type { Operation } from '../operation.ts';
import { transactionSchema } from './render.ts';

const tag = 'Transactions';

export const listTransactionsOperation = {
  operationId: 'listTransactions',
  path: '/transactions',
  tag,
  summary: 'List transactions',
  ...listOf(transactionSchema, 'A page of transactions by creation time.', {
    customerId: idSchema('Customer').optional(),
    platformCustomerId: searched.optional(),
    accountIdentifier: searched.optional(),
    senderAccountIdentifier: searched.optional(),
    receiverAccountIdentifier: searched.optional(),
    status: transactionStatus.optional(),
    type: transactionType.optional(),
    reference: searched.optional(),
    startDate: moment.optional(),
    endDate: lastMoment.optional(),
    sortOrder: sortOrder.default('desc'),
  }),
} as const satisfies Operation;

export const getTransaction = {
  operationId: 'getTransaction',
  method: 'get',
  path: '/transactions/{transactionId}',
  tag,
  summary: 'Read a transaction',
  permission: ['VIEW'],
  params: z.object({ transactionId: idSchema('Transaction') }),
  notFound: transactionNotFound,
  responses: { 200: { description: 'The transaction.', schema: transactionSchema } },
  errors: basicErrors({ 404: ['TRANSACTION_NOT_FOUND'] }),
} as const satisfies Operation;

const byId = {
  params: z.object({ transactionId: idSchema('Transaction') }),
  notFound: transactionNotFound,
  responses: { 200: { description: 'The transaction.', schema: transactionSchema } },
};

export const approveTransaction = {
  operationId: 'approveTransaction',
  method: 'post',
  path: '/transactions/{transactionId}/approve',
  tag,
  summary: 'Approve an incoming payment',
  description:
    'For payments to a payment address that wait for the platform. Of approval, rejection and time running out, the first counts.',
  permission: ['TRANSACT'],
  ...byId,
  body: z.object({ receiverCustomerInfo: customerInfo.optional() }).meta({ id: 'ApproveTransactionRequest' }),
  bodyOptional: true,
  errors: basicErrors({
    400: ['INVALID_INPUT', 'MISSING_MANDATORY_USER_INFO'],
    404: ['TRANSACTION_NOT_FOUND'],
    409: ['TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'CONFLICT'],
  }),
} as const satisfies Operation;

export const rejectTransaction = {
  operationId: 'rejectTransaction',
  method: 'post',
  path: '/transactions/{transactionId}/reject',
  tag,
  summary: 'Reject an incoming payment',
  permission: ['TRANSACT'],
  ...byId,
  body: z.object({ reason: remark.optional() }).meta({ id: 'RejectTransactionRequest' }),
  bodyOptional: true,
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    404: ['TRANSACTION_NOT_FOUND'],
    409: ['TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'CONFLICT'],
  }),
} as const satisfies Operation;

export const confirmReceiptOperation = {
  operationId: 'confirmReceiptDelivery',
  method: 'post',
  path: '/transactions/{transactionId}/confirm',
  tag,
  summary: "Say that the payment's receipt was delivered",
  description: 'For completed payments. The first confirmation counts; a repeat answers with it.',
  permission: ['TRANSACT'],
  ...byId,
  body: z
    .object({
      receiptDeliveryConfirmedAt: dateTime.optional().meta({
        description:
          'When the customer was given the receipt: not later than now, which it is when left out.',
      }),
    })
    .meta({ id: 'ConfirmReceiptRequest' }),
  bodyOptional: true,
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    404: ['TRANSACTION_NOT_FOUND'],
    409: ['CONFLICT'],
  }),
} as const satisfies Operation;
