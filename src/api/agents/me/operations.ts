/** What an agent itself may ask for. */
import { z } from 'zod';
import { actionNotFound } from '../../../domain/agents/actions/action.ts';
import { bearerErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import { listCustomerInternalAccounts } from '../../accounts/operations.ts';
import * as externalAccounts from '../../external-accounts/operations.ts';
import { pageOf, pageQuery } from '../../fields/fields.ts';
import type { Operation } from '../../operation.ts';
import { createQuote, executeQuote, getQuote } from '../../quotes/operations.ts';
import { getTransaction, listTransactionsOperation } from '../../transactions/operations.ts';
import { transferIn, transferOut } from '../../transfers/operations.ts';
import { actionStatuses, agentActionSchema, agentSchema } from '../render.ts';

const asAgent = { tag: 'As an agent', authentication: 'bearer', permission: [] } as const;
const forbidden = { 403: ['FORBIDDEN'] };

export const getMe = {
  ...asAgent,
  operationId: 'getAgentMe',
  method: 'get',
  path: '/agents/me',
  summary: 'Read the agent itself, with policy and usage',
  responses: { 200: { description: 'The agent.', schema: agentSchema } },
  errors: bearerErrors(),
} as const satisfies Operation;

const {
  customerId: _customer,
  platformCustomerId: _platformCustomer,
  ...transactionQuery
} = listTransactionsOperation.query.shape;

export const listMyTransactions = {
  ...asAgent,
  operationId: 'listAgentTransactions',
  method: 'get',
  path: '/agents/me/transactions',
  summary: "List the transactions of the agent's customer",
  description: 'Needs VIEW_TRANSACTIONS. Takes no filter by customer.',
  query: z.looseObject(transactionQuery).superRefine((query, context) => {
    for (const field of ['customerId', 'platformCustomerId']) {
      const message = "is not for agents, who see their own customer's transactions";
      if (field in query) context.addIssue({ code: 'custom', path: [field], message });
    }
  }),
  responses: listTransactionsOperation.responses,
  errors: bearerErrors({ 400: ['INVALID_INPUT'], ...forbidden }),
} as const satisfies Operation;

export const getMyTransaction = {
  ...getTransaction,
  ...asAgent,
  operationId: 'getAgentTransaction',
  path: '/agents/me/transactions/{transactionId}',
  summary: "Read a transaction of the agent's customer",
  description: 'Needs VIEW_TRANSACTIONS.',
  errors: bearerErrors({ ...forbidden, 404: ['TRANSACTION_NOT_FOUND'] }),
} as const satisfies Operation;

const { customerId: _owner, ...accountQuery } = listCustomerInternalAccounts.query.shape;

export const listMyInternalAccounts = {
  ...listCustomerInternalAccounts,
  ...asAgent,
  operationId: 'listAgentInternalAccounts',
  path: '/agents/me/internal-accounts',
  summary: 'List the internal accounts that the agent may use',
  description: 'Needs VIEW_TRANSACTIONS.',
  query: z.object(accountQuery),
  errors: bearerErrors({ 400: ['INVALID_INPUT'], ...forbidden }),
} as const satisfies Operation;

const manages = 'Needs MANAGE_EXTERNAL_ACCOUNTS.';
const externalPath = '/agents/me/external-accounts';
const oneExternal = {
  description: manages,
  path: `${externalPath}/{externalAccountId}`,
  errors: bearerErrors({ ...forbidden, 404: ['REFERENCE_NOT_FOUND'] }),
} as const;
const { customerId: _holder, ...externalQuery } = externalAccounts.listCustomerExternalAccounts.query.shape;

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
} as const satisfies Operation;

export const createMyQuote = {
  ...createQuote,
  ...asAgent,
  operationId: 'createAgentQuote',
  path: '/agents/me/quotes',
  summary: 'Create a quote as an agent',
  description:
    'Needs CREATE_QUOTES, with immediatelyExecute also EXECUTE_QUOTES. Where the execution needs approval, the quote is answered as PENDING and an action waits.',
  errors: {
    ...createQuote.errors,
    404: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', 'LOOKUP_REQUEST_NOT_FOUND', 'UMA_NOT_FOUND'],
  },
} as const satisfies Operation;

export const getMyQuote = {
  ...getQuote,
  ...asAgent,
  operationId: 'getAgentQuote',
  path: '/agents/me/quotes/{quoteId}',
  summary: 'Read a quote that the agent made',
  description: 'Needs CREATE_QUOTES or EXECUTE_QUOTES.',
  errors: bearerErrors({ ...forbidden, 404: ['QUOTE_NOT_FOUND'] }),
} as const satisfies Operation;

const action = { description: 'The action.', schema: agentActionSchema };

export const executeMyQuote = {
  ...executeQuote,
  ...asAgent,
  operationId: 'executeAgentQuote',
  path: '/agents/me/quotes/{quoteId}/execute',
  summary: 'Execute a quote that the agent made',
  description: 'Needs EXECUTE_QUOTES. The action waits for approval where the policy says so.',
  responses: { 200: action },
} as const satisfies Operation;

const transfers = {
  ...asAgent,
  description: 'Needs CREATE_TRANSFERS. The action waits for approval where the policy says so.',
  responses: { 201: action },
} as const;

export const transferInAsAgent = {
  ...transferIn,
  ...transfers,
  operationId: 'agentTransferIn',
  path: '/agents/me/transfer-in',
  summary: 'Pull money from an external account as an agent',
} as const satisfies Operation;

export const transferOutAsAgent = {
  ...transferOut,
  ...transfers,
  operationId: 'agentTransferOut',
  path: '/agents/me/transfer-out',
  summary: 'Push money to an external account as an agent',
} as const satisfies Operation;

export const listMyActions = {
  ...asAgent,
  operationId: 'listAgentActions',
  method: 'get',
  path: '/agents/me/actions',
  summary: "List the agent's own actions",
  query: z.object({ status: z.enum(actionStatuses).optional(), ...pageQuery }),
  responses: {
    200: { description: 'A page of actions, newest first.', schema: pageOf(agentActionSchema) },
  },
  errors: bearerErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const getMyAction = {
  ...asAgent,
  operationId: 'getAgentAction',
  method: 'get',
  path: '/agents/me/actions/{actionId}',
  summary: 'Read an action of the agent',
  params: z.object({ actionId: idSchema('AgentAction') }),
  notFound: actionNotFound,
  responses: { 200: action },
  errors: bearerErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;
