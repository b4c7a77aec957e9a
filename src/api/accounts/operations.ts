import { z } from 'zod';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { currencyCode } from '../fields/amounts.ts';
import { internalAccountType } from '../fields/enumerations.ts';
import { listOf } from '../fields/lists.ts';
import type { Operation } from '../operation.ts';
import { accountsPageSchema, accountsSchema, internalAccountSchema, trialBalancesSchema } from './render.ts';

const tag = 'Internal accounts';
const filters = { currency: currencyCode.optional(), type: internalAccountType.optional() };

export const listCustomerInternalAccounts = {
  operationId: 'listCustomerInternalAccounts',
  path: '/customers/internal-accounts',
  tag,
  summary: "List customers' internal accounts",
  ...listOf(internalAccountSchema, 'A page of accounts, newest first.', {
    ...filters,
    customerId: idSchema('Customer').optional(),
  }),
  responses: { 200: { description: 'A page of accounts, newest first.', schema: accountsPageSchema } },
} as const satisfies Operation;

export const listPlatformInternalAccounts = {
  operationId: 'listPlatformInternalAccounts',
  method: 'get',
  path: '/platform/internal-accounts',
  tag,
  summary: "List the platform's own internal accounts",
  permission: ['VIEW'],
  query: z.object(filters),
  responses: {
    200: {
      description: 'The accounts.',
      schema: accountsSchema,
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const getTrialBalance = {
  operationId: 'getTrialBalance',
  method: 'get',
  path: '/platform/trial-balance',
  tag,
  summary: "Read the trial balance of the platform's books",
  description:
    'An extension of the interface, for auditors: per currency, what each kind of account holds. The total is zero.',
  permission: ['VIEW'],
  responses: {
    200: {
      description: 'One line per currency.',
      schema: trialBalancesSchema,
    },
  },
  errors: basicErrors(),
} as const satisfies Operation;
