import { z } from 'zod';
import { externalAccountNotFound } from '../../domain/external-accounts/external-account.ts';
import { noPaymentAddress } from '../../domain/values/payment-address.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { paymentAddress } from '../fields/texts.ts';
import type { Operation } from '../operation.ts';
import { accountLookupSchema, addressLookupSchema } from './render.ts';

const query = z.object({
  senderUmaAddress: paymentAddress.optional(),
  customerId: idSchema('Customer').optional(),
});

const tag = 'Receiver lookups';
const invalid = { 400: ['INVALID_INPUT', 'INVALID_UMA_ADDRESS', 'INVALID_CURRENCY'] } as const;

export const lookUpAddress = {
  operationId: 'lookUpUmaAddress',
  method: 'get',
  path: '/receiver/uma/{receiverUmaAddress}',
  tag,
  summary: 'Look up a payment address',
  description:
    'A quote to the address needs the lookupId. Name the sender by customerId or by payment address; both have to name the same customer.',
  permission: ['VIEW'],
  params: z.object({ receiverUmaAddress: paymentAddress }),
  notFound: noPaymentAddress,
  query,
  responses: { 200: { description: 'What the receiver takes and asks for.', schema: addressLookupSchema } },
  errors: basicErrors({
    ...invalid,
    400: [...invalid[400], 'INVALID_RECEIVER'],
    404: ['UMA_NOT_FOUND', 'USER_NOT_FOUND'],
  }),
  reserved: [412, 424],
} as const satisfies Operation;

export const lookUpAccount = {
  operationId: 'lookUpExternalAccount',
  method: 'get',
  path: '/receiver/external-account/{accountId}',
  tag,
  summary: 'Look up an external account',
  description: 'Name the sender by customerId or by payment address; both have to name the same customer.',
  permission: ['VIEW'],
  params: z.object({ accountId: idSchema('ExternalAccount') }),
  query,
  notFound: externalAccountNotFound,
  responses: { 200: { description: 'What the receiver takes and asks for.', schema: accountLookupSchema } },
  errors: basicErrors({
    ...invalid,
    403: ['FORBIDDEN', 'USER_NOT_READY'],
    404: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', 'UMA_NOT_FOUND'],
    410: ['CUSTOMER_DELETED'],
  }),
  reserved: [412, 424],
} as const satisfies Operation;
