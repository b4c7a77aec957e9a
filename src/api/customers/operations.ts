import { z } from 'zod';
import { customerNotFound } from '../../domain/customers/customer.ts';
import { countryCode } from '../../domain/values/text.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { currencyCode } from '../fields/amounts.ts';
import { customerType } from '../fields/enumerations.ts';
import { queryBoolean } from '../fields/fields.ts';
import { changedWithin, listOf } from '../fields/lists.ts';
import { name, searched } from '../fields/texts.ts';
import { type Operation, signatureHeaders } from '../operation.ts';
import { challenged, signedErrors } from '../wallets/signed.ts';
import { customerSchema, erasureSchema } from './render.ts';
import { createCustomerRequest, updateCustomerRequest } from './requests.ts';

const tag = 'Customers';
const answer = { description: 'The customer.', schema: customerSchema };
const byId = { params: z.object({ customerId: idSchema('Customer') }), notFound: customerNotFound };

export const createCustomer = {
  operationId: 'createCustomer',
  method: 'post',
  path: '/customers',
  tag,
  summary: 'Create a customer',
  description:
    'Creates the customer with one internal account per currency and an embedded wallet. Region, currencies, payment address and platformCustomerId are chosen by the service where they are left out.',
  permission: ['MANAGE'],
  body: createCustomerRequest,
  responses: { 201: answer },
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVALID_UMA_ADDRESS', 'INVALID_CURRENCY'],
    409: ['UMA_ADDRESS_EXISTS', 'CONFLICT'],
  }),
  reserved: [501],
} as const satisfies Operation;

export const listCustomersOperation = {
  operationId: 'listCustomers',
  path: '/customers',
  tag,
  summary: 'List customers',
  ...listOf(customerSchema, 'A page of customers, newest first.', {
    platformCustomerId: name.optional(),
    customerType: customerType.optional(),
    ...changedWithin,
    region: countryCode.optional(),
    currency: currencyCode.optional(),
    umaAddress: searched.optional(),
    isIncludingDeleted: queryBoolean.optional(),
  }),
} as const satisfies Operation;

export const getCustomer = {
  operationId: 'getCustomer',
  method: 'get',
  path: '/customers/{customerId}',
  tag,
  summary: 'Read a customer',
  description: 'A deleted customer stays readable.',
  permission: ['VIEW'],
  ...byId,
  responses: { 200: answer },
  errors: basicErrors({ 404: ['USER_NOT_FOUND'] }),
} as const satisfies Operation;

export const patchCustomer = {
  operationId: 'updateCustomer',
  method: 'patch',
  path: '/customers/{customerId}',
  tag,
  summary: 'Change a customer',
  description:
    'What is left out stays as it is; address and businessInfo are merged field by field, currencies replace the list. The region cannot be changed. A currency that is new opens an account. A new email of a customer whose wallet has an EMAIL_OTP credential needs the signature of a session of the wallet: the first call answers a challenge. It ends the other sessions that this credential issued.',
  permission: ['MANAGE'],
  headers: signatureHeaders,
  ...byId,
  body: updateCustomerRequest,
  responses: { 200: answer, 202: challenged },
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVALID_UMA_ADDRESS', 'INVALID_CURRENCY'],
    404: ['USER_NOT_FOUND'],
    401: signedErrors,
    409: [
      'UMA_ADDRESS_EXISTS',
      'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
      'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
      'CONFLICT',
    ],
    410: ['CUSTOMER_DELETED'],
  }),
  reserved: [424],
} as const satisfies Operation;

export const deleteCustomer = {
  operationId: 'deleteCustomer',
  method: 'delete',
  path: '/customers/{customerId}',
  tag,
  summary: 'Delete a customer',
  description:
    'The customer stays readable and moves no money any more. Its internal accounts are closed; its payment address and platformCustomerId are free. Refused (409) while an account of it has money or a payment of it is under way: `details.balances` and `details.transactions` name them.',
  permission: ['MANAGE'],
  ...byId,
  responses: { 200: answer },
  errors: basicErrors({ 404: ['USER_NOT_FOUND'], 409: ['CONFLICT'], 410: ['CUSTOMER_DELETED'] }),
} as const satisfies Operation;

export const eraseCustomer = {
  operationId: 'eraseCustomer',
  method: 'post',
  path: '/customers/{customerId}/erase',
  tag,
  summary: "Erase a customer's personal data",
  description:
    "An extension of the interface. Deletes the customer if needed, then destroys the key that seals the person's data in the log: names, addresses, numbers, what payments tell of the person. Read models, stored webhook bodies, kept answers, mails and files are cleared. What is left are ids, amounts and times. Refused (409) as deleting is. Safe to repeat: the answer says whether everything is done.",
  permission: ['MANAGE'],
  ...byId,
  responses: { 200: { description: 'How far it is.', schema: erasureSchema } },
  errors: basicErrors({ 404: ['USER_NOT_FOUND'], 409: ['CONFLICT'] }),
} as const satisfies Operation;
