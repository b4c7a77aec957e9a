import { z } from 'zod';
import type { CustomerRow } from '../../projections/customers.ts';
import { currencyCode } from '../currencies/api.ts';
import { countryCode } from '../external-accounts/fields.ts';
import { Rejected } from '../infrastructure/commands/rejected.ts';
import { basicErrors } from '../infrastructure/http/errors.ts';
import {
  moment,
  pageOf,
  pageQuery,
  present,
  queryBoolean,
  timestamp,
} from '../infrastructure/http/fields.ts';
import type { Operation } from '../infrastructure/http/operation.ts';
import { idField, idSchema } from '../infrastructure/ids.ts';
import { addressSchema } from './address.ts';
import { kycStatuses } from './events.ts';

const name = z.string().min(1).max(255);
const individual = {
  email: z.email().max(255).optional(),
  phoneNumber: z
    .string()
    .regex(/^\+[1-9]\d{1,14}$/)
    .optional(),
  fullName: name.optional(),
  birthDate: z.iso.date().optional(),
  nationality: countryCode.optional(),
  address: addressSchema.optional(),
};

/** Completion 4, create body. */
export const createCustomerRequest = z
  .object({
    customerType: z.enum(['INDIVIDUAL', 'BUSINESS']),
    platformCustomerId: name.optional(),
    region: countryCode.optional(),
    currencies: z.array(currencyCode).min(1).max(100).optional(),
    umaAddress: z.string().min(1).max(320).optional(),
    kycStatus: z.enum(kycStatuses).optional(),
    ...individual,
    idType: z.string().min(1).max(64).optional(),
    identifier: z.string().min(1).max(255).optional(),
    countryOfIssuance: countryCode.optional(),
  })
  .meta({ id: 'CustomerCreateRequest' });
export type CreateCustomerRequest = z.output<typeof createCustomerRequest>;

export const customerSchema = z
  .object({
    id: idField('Customer'),
    platformCustomerId: z.string(),
    customerType: z.enum(['INDIVIDUAL']),
    umaAddress: z.string(),
    region: z.string(),
    currencies: z.array(z.string()),
    kycStatus: z.enum(kycStatuses),
    ...individual,
    idType: z.string().optional(),
    countryOfIssuance: countryCode.optional(),
    isDeleted: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Customer' });

export const renderCustomer = (row: CustomerRow): z.input<typeof customerSchema> =>
  present({
    id: row.id,
    platformCustomerId: row.platform_customer_id,
    customerType: row.customer_type,
    umaAddress: row.uma_address,
    region: row.region,
    currencies: row.currencies,
    kycStatus: row.kyc_status,
    ...row.details,
    isDeleted: row.is_deleted,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });

export const customerNotFound = () =>
  new Rejected('USER_NOT_FOUND', 'There is no such customer.', { resource: 'Customer' });

const tag = 'Customers';

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
  responses: { 201: { description: 'The customer.', schema: customerSchema } },
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVALID_UMA_ADDRESS', 'INVALID_CURRENCY', 'MISSING_MANDATORY_USER_INFO'],
    409: ['UMA_ADDRESS_EXISTS', 'CONFLICT'],
    501: ['NOT_IMPLEMENTED'],
  }),
} as const satisfies Operation;

export const listCustomersOperation = {
  operationId: 'listCustomers',
  method: 'get',
  path: '/customers',
  tag,
  summary: 'List customers',
  permission: ['VIEW'],
  query: z.object({
    platformCustomerId: name.optional(),
    customerType: z.enum(['INDIVIDUAL', 'BUSINESS']).optional(),
    createdAfter: moment.optional(),
    createdBefore: moment.optional(),
    updatedAfter: moment.optional(),
    updatedBefore: moment.optional(),
    region: countryCode.optional(),
    currency: currencyCode.optional(),
    umaAddress: z.string().min(1).max(320).optional(),
    isIncludingDeleted: queryBoolean.optional(),
    ...pageQuery,
  }),
  responses: { 200: { description: 'A page of customers, newest first.', schema: pageOf(customerSchema) } },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const getCustomer = {
  operationId: 'getCustomer',
  method: 'get',
  path: '/customers/{customerId}',
  tag,
  summary: 'Read a customer',
  permission: ['VIEW'],
  params: z.object({ customerId: idSchema('Customer') }),
  notFound: customerNotFound,
  responses: { 200: { description: 'The customer.', schema: customerSchema } },
  errors: basicErrors({ 404: ['USER_NOT_FOUND'] }),
} as const satisfies Operation;
