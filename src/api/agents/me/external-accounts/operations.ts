/** What an agent may do with the external accounts of its customer. */
import { z } from 'zod';
import { bearerErrors } from '../../../../infrastructure/http/describe/errors.ts';
import * as externalAccounts from '../../../external-accounts/operations.ts';
import type { Operation } from '../../../operation.ts';
import { asAgent, forbidden } from '../as-agent.ts';

const { customerId: _holder, ...externalQuery } = externalAccounts.listCustomerExternalAccounts.query.shape;

const manages = 'Needs MANAGE_EXTERNAL_ACCOUNTS.';

const externalPath = '/agents/me/external-accounts';

const oneExternal = {
  description: manages,
  path: `${externalPath}/{externalAccountId}`,
  errors: bearerErrors({ ...forbidden, 404: ['REFERENCE_NOT_FOUND'] }),
} as const;

export const listMyExternalAccounts = {
  ...externalAccounts.listCustomerExternalAccounts,
  ...asAgent,
  operationId: 'listAgentExternalAccounts',
  path: externalPath,
  summary: "List the external accounts of the agent's customer",
  description: manages,
  query: z.object(externalQuery),
  errors: bearerErrors({ 400: ['INVALID_INPUT'], ...forbidden }),
} as const satisfies Operation;

export const createMyExternalAccount = {
  ...externalAccounts.createCustomerExternalAccount,
  ...asAgent,
  operationId: 'createAgentExternalAccount',
  path: externalPath,
  summary: "Register an external account of the agent's customer",
  description: `${manages} Another customer's id is refused.`,
  errors: bearerErrors({
    400: ['INVALID_INPUT', 'INVALID_BANK_ACCOUNT', 'INVALID_CURRENCY'],
    ...forbidden,
    409: ['CONFLICT'],
  }),
} as const satisfies Operation;

export const getMyExternalAccount = {
  ...externalAccounts.getCustomerExternalAccount,
  ...asAgent,
  operationId: 'getAgentExternalAccount',
  summary: "Read an external account of the agent's customer",
  ...oneExternal,
} as const satisfies Operation;

export const deleteMyExternalAccount = {
  ...externalAccounts.deleteCustomerExternalAccount,
  ...asAgent,
  operationId: 'deleteAgentExternalAccount',
  summary: "Delete an external account of the agent's customer",
  ...oneExternal,
  description: `${manages} An account that a rule of an agent's policy names is refused.`,
  errors: bearerErrors({ ...forbidden, 404: ['REFERENCE_NOT_FOUND'], 409: ['CONFLICT'] }),
} as const satisfies Operation;
