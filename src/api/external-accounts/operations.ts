import { z } from 'zod';
import type { ExternalAccountRow } from '../../../projections/tables/accounts.ts';
import {
  accountInfoResponseSchema,
  accountInfoSchema,
  railsOf,
} from '../../domain/external-accounts/definitions.ts';
import { externalAccountStatuses, verificationStatuses } from '../../domain/external-accounts/events.ts';
import { externalAccountNotFound } from '../../domain/external-accounts/external-account.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idField, idSchema } from '../../kernel/ids.ts';
import { currencyCode } from '../fields/amounts.ts';
import { pageOf, pageQuery, present, timestamp } from '../fields/fields.ts';
import type { Operation } from '../operation.ts';

const ownershipType = z.enum(['FIRST_PARTY', 'THIRD_PARTY']);

/** Completion 7. */
const platformRequest = z.object({
  currency: currencyCode,
  accountInfo: accountInfoSchema,
  platformAccountId: z.string().min(1).max(255).optional(),
  ownershipType: ownershipType.optional(),
});
export type PlatformExternalAccountRequest = z.output<typeof platformRequest>;
const createPlatformRequest = platformRequest.meta({ id: 'PlatformExternalAccountCreateRequest' });

export const createCustomerRequest = platformRequest
  .extend({
    customerId: idSchema('Customer').optional(),
    defaultUmaDepositAccount: z.boolean().default(false),
  })
  .meta({ id: 'ExternalAccountCreateRequest' });

export const externalAccountSchema = z
  .object({
    id: idField('ExternalAccount'),
    customerId: idField('Customer')
      .nullable()
      .meta({ description: 'Null when the account belongs to the platform.' }),
    platformAccountId: z.string().optional(),
    status: z.enum(externalAccountStatuses),
    currency: z.string(),
    accountInfo: accountInfoResponseSchema,
    ownershipType: ownershipType.optional(),
    defaultUmaDepositAccount: z.boolean(),
    beneficiaryVerificationStatus: z.enum(verificationStatuses).optional(),
    beneficiaryVerifiedData: z.object({ fullName: z.string() }).optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ExternalAccount' });

export const renderExternalAccount = (row: ExternalAccountRow) =>
  present({
    id: row.id,
    customerId: row.customer_id,
    platformAccountId: row.platform_account_id ?? undefined,
    status: row.status,
    currency: row.currency,
    accountInfo: { ...row.account_info, paymentRails: railsOf(row.account_info.accountType) },
    ownershipType: row.ownership_type ?? undefined,
    defaultUmaDepositAccount: row.default_uma_deposit_account,
    beneficiaryVerificationStatus: row.verification_status ?? undefined,
    beneficiaryVerifiedData: row.verified_name === null ? undefined : { fullName: row.verified_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });

const tag = 'External accounts';
const params = z.object({ externalAccountId: idSchema('ExternalAccount') });
const page = {
  200: { description: 'A page of accounts, newest first.', schema: pageOf(externalAccountSchema) },
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
  description: 'Without customerId the account belongs to the platform.',
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

export const deleteCustomerExternalAccount = {
  operationId: 'deleteCustomerExternalAccount',
  method: 'delete',
  path: '/customers/external-accounts/{externalAccountId}',
  tag,
  summary: "Delete a customer's external account",
  permission: ['TRANSACT', 'MANAGE'],
  ...byId,
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'], 409: ['CONFLICT'] }),
  responses: deleted,
} as const satisfies Operation;

export const deletePlatformExternalAccount = {
  ...deleteCustomerExternalAccount,
  operationId: 'deletePlatformExternalAccount',
  path: '/platform/external-accounts/{externalAccountId}',
  summary: "Delete the platform's own external account",
} as const satisfies Operation;
