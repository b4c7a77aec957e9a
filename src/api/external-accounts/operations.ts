import { z } from 'zod';
import { accountInfoSchema } from '../../domain/external-accounts/definitions.ts';
import { externalAccountNotFound } from '../../domain/external-accounts/external-account.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { currencyCode } from '../fields/amounts.ts';
import { namedPageOf, pageQuery } from '../fields/fields.ts';
import { name } from '../fields/texts.ts';
import type { Operation } from '../operation.ts';
import { externalAccountSchema, ownershipType } from './render.ts';

const platformRequest = z.object({
  currency: currencyCode,
  accountInfo: accountInfoSchema,
  platformAccountId: name.optional(),
  ownershipType: ownershipType.optional(),
});
const createPlatformRequest = platformRequest.meta({ id: 'PlatformExternalAccountCreateRequest' });

const createCustomerRequest = platformRequest
  .extend({
    customerId: idSchema('Customer').optional(),
    defaultUmaDepositAccount: z.boolean().default(false),
  })
  .meta({ id: 'ExternalAccountCreateRequest' });

const tag = 'External accounts';
const params = z.object({ externalAccountId: idSchema('ExternalAccount') });
const page = {
  200: { description: 'A page of accounts, newest first.', schema: namedPageOf(externalAccountSchema) },
};
const found = { 200: { description: 'The account.', schema: externalAccountSchema } };
const created = { 201: { description: 'The account.', schema: externalAccountSchema } };
const deleted = { 204: { description: 'The account is deleted; its payments stay readable.' } };
const createErrors = {
  400: ['INVALID_INPUT', 'INVALID_BANK_ACCOUNT', 'INVALID_CURRENCY'],
  409: ['CONFLICT'],
  410: ['CUSTOMER_DELETED'],
};
const byId = {
  params,
  notFound: externalAccountNotFound,
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
};

export const createCustomerExternalAccount = {
  operationId: 'createCustomerExternalAccount',
  method: 'post',
  path: '/customers/external-accounts',
  tag,
  summary: "Register a customer's external account",
  description:
    'Without customerId the account belongs to the platform, and defaultUmaDepositAccount is ignored.',
  permission: ['TRANSACT', 'MANAGE'],
  body: createCustomerRequest,
  responses: created,
  errors: basicErrors({ ...createErrors, 404: ['USER_NOT_FOUND'] }),
} as const satisfies Operation;

export const createPlatformExternalAccount = {
  operationId: 'createPlatformExternalAccount',
  method: 'post',
  path: '/platform/external-accounts',
  tag,
  summary: "Register the platform's own external account",
  permission: ['TRANSACT', 'MANAGE'],
  body: createPlatformRequest,
  responses: created,
  errors: basicErrors(createErrors),
} as const satisfies Operation;

const listQuery = { currency: currencyCode.optional(), ...pageQuery };

export const listCustomerExternalAccounts = {
  operationId: 'listCustomerExternalAccounts',
  method: 'get',
  path: '/customers/external-accounts',
  tag,
  summary: "List customers' external accounts",
  permission: ['VIEW'],
  isList: true,
  query: z.object({ customerId: idSchema('Customer').optional(), ...listQuery }),
  responses: page,
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const listPlatformExternalAccounts = {
  operationId: 'listPlatformExternalAccounts',
  method: 'get',
  path: '/platform/external-accounts',
  tag,
  summary: "List the platform's own external accounts",
  permission: ['VIEW'],
  isList: true,
  query: z.object(listQuery),
  responses: page,
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const getCustomerExternalAccount = {
  operationId: 'getCustomerExternalAccount',
  method: 'get',
  path: '/customers/external-accounts/{externalAccountId}',
  tag,
  summary: "Read a customer's external account",
  permission: ['VIEW'],
  ...byId,
  responses: found,
} as const satisfies Operation;

export const getPlatformExternalAccount = {
  ...getCustomerExternalAccount,
  operationId: 'getPlatformExternalAccount',
  path: '/platform/external-accounts/{externalAccountId}',
  summary: "Read the platform's own external account",
} as const satisfies Operation;

const openQuotes = 'Open quotes from it or to it are not executed any more: they expire.';

const deletion = {
  method: 'delete',
  tag,
  permission: ['TRANSACT', 'MANAGE'],
  ...byId,
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'], 409: ['CONFLICT'] }),
  responses: deleted,
} as const;

export const deleteCustomerExternalAccount = {
  ...deletion,
  operationId: 'deleteCustomerExternalAccount',
  path: '/customers/external-accounts/{externalAccountId}',
  summary: "Delete a customer's external account",
  description: `${openQuotes} Where an agent could pay more without its rule for the account, this takes TRANSACT.`,
} as const satisfies Operation;

export const deletePlatformExternalAccount = {
  ...deletion,
  operationId: 'deletePlatformExternalAccount',
  path: '/platform/external-accounts/{externalAccountId}',
  summary: "Delete the platform's own external account",
  description: openQuotes,
} as const satisfies Operation;
