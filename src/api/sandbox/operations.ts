import { z } from 'zod';
import { internalAccountNotFound } from '../../domain/accounts/account.ts';
import { largestPayment } from '../../domain/values/amount.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { internalAccountSchema } from '../accounts/render.ts';
import { acrossFields, requiredOf } from '../fields/across-fields.ts';
import { currencyCode } from '../fields/amounts.ts';
import { positiveAmount } from '../fields/fields.ts';
import { paymentAddress } from '../fields/texts.ts';
import type { Operation } from '../operation.ts';
import { transactionSchema } from '../transactions/render.ts';

export const fundingMax = 100_000_000_000n;

const tag = 'Sandbox';

export const fundInternalAccount = {
  operationId: 'fundInternalAccount',
  method: 'post',
  path: '/sandbox/internal-accounts/{accountId}/fund',
  tag,
  summary: 'Add funds to an internal account',
  description: 'The money is there at once, and an incoming transaction is recorded.',
  permission: ['TRANSACT'],
  sandboxOnly: true,
  params: z.object({ accountId: idSchema('InternalAccount') }),
  notFound: internalAccountNotFound,
  body: z.object({ amount: positiveAmount(fundingMax) }).meta({ id: 'FundRequest' }),
  responses: { 200: { description: 'The account with its new balance.', schema: internalAccountSchema } },
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVALID_AMOUNT', 'AMOUNT_OUT_OF_RANGE'],
    403: ['FORBIDDEN', 'USER_NOT_READY'],
    404: ['REFERENCE_NOT_FOUND'],
    409: ['CONFLICT'],
    410: ['CUSTOMER_DELETED'],
  }),
} as const satisfies Operation;

export const sendFunds = {
  operationId: 'sandboxSend',
  method: 'post',
  path: '/sandbox/send',
  tag,
  summary: 'Pay the payment instructions of a quote',
  description:
    'Simulates the payer of a quote with REALTIME_FUNDING. An amount other than that of the quote fails the payment. Where the account that the quote pays takes nothing, it is refused as executing is.',
  permission: ['TRANSACT'],
  sandboxOnly: true,
  body: z
    .object({
      quoteId: idSchema('Quote'),
      currencyCode,
      currencyAmount: positiveAmount(largestPayment).optional(),
    })
    .meta({ id: 'SandboxSendRequest' }),
  responses: { 200: { description: 'The transaction of the quote.', schema: transactionSchema } },
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVALID_CURRENCY', 'INVALID_AMOUNT', 'INVALID_BANK_ACCOUNT'],
    403: ['FORBIDDEN', 'USER_NOT_READY'],
    404: ['QUOTE_NOT_FOUND'],
    409: ['CONFLICT'],
    410: ['CUSTOMER_DELETED'],
  }),
} as const satisfies Operation;

export const receivePayment = {
  operationId: 'sandboxReceive',
  method: 'post',
  path: '/sandbox/uma/receive',
  tag,
  summary: 'Receive a payment at a payment address',
  description:
    "Simulates an incoming payment. Name the receiver by payment address or by customerId; both have to name the same customer. The sender is one of the sandbox's payment addresses or a customer.",
  permission: ['TRANSACT'],
  sandboxOnly: true,
  body: z
    .object({
      senderUmaAddress: paymentAddress,
      receiverUmaAddress: paymentAddress.optional(),
      customerId: idSchema('Customer').optional(),
      receivingCurrencyCode: currencyCode,
      receivingCurrencyAmount: positiveAmount(largestPayment),
    })
    .check(
      acrossFields((sent) =>
        sent('customerId') === undefined
          ? requiredOf(sent, 'receiverUmaAddress', 'is required, or customerId instead')
          : [],
      ),
    )
    .meta({ id: 'SandboxReceiveRequest' }),
  responses: { 200: { description: 'The incoming transaction.', schema: transactionSchema } },
  errors: basicErrors({
    400: [
      'INVALID_INPUT',
      'INVALID_UMA_ADDRESS',
      'INVALID_CURRENCY',
      'INVALID_AMOUNT',
      'AMOUNT_OUT_OF_RANGE',
    ],
    403: ['FORBIDDEN', 'USER_NOT_READY'],
    404: ['UMA_NOT_FOUND', 'USER_NOT_FOUND'],
    409: ['CONFLICT'],
    410: ['CUSTOMER_DELETED'],
  }),
} as const satisfies Operation;
