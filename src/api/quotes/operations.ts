import { z } from 'zod';
import { quoteNotFound } from '../../domain/payments/not-found.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { type Operation, stampHeaders } from '../operation.ts';
import { quoteSchema } from './render.ts';
import { createQuoteRequest } from './requests.ts';

const tag = 'Quotes';
const params = z.object({ quoteId: idSchema('Quote') });

export const createQuote = {
  operationId: 'createQuote',
  method: 'post',
  path: '/quotes',
  tag,
  summary: 'Create a quote',
  description: [
    'Fixes rate and fees until the quote expires. The source is an internal account, in the sandbox an external account that can be',
    'pulled from, or REALTIME_FUNDING, which runs by itself when the money arrives; the destination is an internal or external account, or a',
    'payment address that was looked up.',
  ].join(' '),
  permission: ['TRANSACT'],
  idempotent: true,
  body: createQuoteRequest,
  responses: { 201: { description: 'The quote.', schema: quoteSchema } },
  errors: basicErrors({
    400: [
      'INVALID_INPUT',
      'INVALID_AMOUNT',
      'AMOUNT_OUT_OF_RANGE',
      'INVALID_UMA_ADDRESS',
      'INVALID_CURRENCY',
      'INVALID_BANK_ACCOUNT',
      'SELF_PAYMENT',
      'MISSING_MANDATORY_USER_INFO',
      'INSUFFICIENT_BALANCE',
      'INVALID_RECEIVER',
      'WEBHOOK_ENDPOINT_NOT_SET',
    ],
    403: ['FORBIDDEN', 'USER_NOT_READY', 'VELOCITY_LIMIT_EXCEEDED'],
    404: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', 'LOOKUP_REQUEST_NOT_FOUND', 'UMA_NOT_FOUND'],
    409: ['CONFLICT'],
    410: ['CUSTOMER_DELETED'],
    429: ['DAILY_VOLUME_LIMIT_EXCEEDED'],
  }),
  reserved: [412, 424, 501],
} as const satisfies Operation;

export const getQuote = {
  operationId: 'getQuote',
  method: 'get',
  path: '/quotes/{quoteId}',
  tag,
  summary: 'Read a quote',
  permission: ['VIEW'],
  params,
  notFound: quoteNotFound,
  responses: { 200: { description: 'The quote.', schema: quoteSchema } },
  errors: basicErrors({ 404: ['QUOTE_NOT_FOUND'] }),
} as const satisfies Operation;

export const executeQuote = {
  operationId: 'executeQuote',
  method: 'post',
  path: '/quotes/{quoteId}/execute',
  tag,
  summary: 'Execute a quote',
  description:
    'Takes the money from the source and starts the payment. Of several executions of one quote, one succeeds.',
  permission: ['TRANSACT'],
  idempotent: true,
  headers: stampHeaders,
  params,
  notFound: quoteNotFound,
  responses: { 200: { description: 'The quote, under way.', schema: quoteSchema } },
  errors: basicErrors({
    400: [
      'INVALID_INPUT',
      'INSUFFICIENT_BALANCE',
      'INVALID_RECEIVER',
      'INVALID_BANK_ACCOUNT',
      'WEBHOOK_ENDPOINT_NOT_SET',
    ],
    401: [
      'UNAUTHORIZED',
      'WALLET_SIGNATURE_MISSING',
      'WALLET_SIGNATURE_MALFORMED',
      'WALLET_SIGNATURE_INVALID',
    ],
    403: ['FORBIDDEN', 'USER_NOT_READY', 'VELOCITY_LIMIT_EXCEEDED'],
    404: ['QUOTE_NOT_FOUND'],
    409: ['QUOTE_EXPIRED', 'CONFLICT'],
    410: ['CUSTOMER_DELETED'],
    429: ['DAILY_VOLUME_LIMIT_EXCEEDED'],
  }),
} as const satisfies Operation;
