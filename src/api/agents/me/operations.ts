/** What an agent itself may read. */
import { z } from 'zod';
import { actionNotFound } from '../../../domain/agents/actions/action.ts';
import { bearerErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import { listCustomerInternalAccounts } from '../../accounts/operations.ts';
import { agentActionStatus } from '../../fields/enumerations.ts';
import { namedPageOf, pageQuery } from '../../fields/fields.ts';
import type { Operation } from '../../operation.ts';
import { getTransaction, listTransactionsOperation } from '../../transactions/operations.ts';
import { agentActionSchema } from '../actions/render.ts';
import { agentSchema } from '../render.ts';
import { asAgent, forbidden } from './as-agent.ts';

export const getMe = {
  ...asAgent,
  operationId: 'getAgentMe',
  method: 'get',
  path: '/agents/me',
  summary: 'Read the agent itself, with policy and usage',
  description:
    'Needs no permission of the policy; a paused agent reads it too. `usage` is of the day and month in UTC.',
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
  isList: true,
  path: '/agents/me/transactions',
  summary: "List the transactions of the agent's customer",
  description: 'Needs VIEW_TRANSACTIONS. Takes no filter by customer.',
  query: z.object(transactionQuery),
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

export const listMyActions = {
  ...asAgent,
  operationId: 'listAgentActions',
  method: 'get',
  path: '/agents/me/actions',
  summary: "List the agent's own actions",
  description:
    'What the agent has asked for and its policy allowed: executed, waiting for approval, or come to nothing, as what was answered with an error because another payment took the money at the same moment. Needs no permission of the policy.',
  isList: true,
  query: z.object({ status: agentActionStatus.optional(), ...pageQuery }),
  responses: {
    200: { description: 'A page of actions, newest first.', schema: namedPageOf(agentActionSchema) },
  },
  errors: bearerErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const getMyAction = {
  ...asAgent,
  operationId: 'getAgentAction',
  method: 'get',
  path: '/agents/me/actions/{actionId}',
  summary: 'Read an action of the agent',
  description:
    "Its status says whether it waits, and what was decided; `transaction` says how far the payment has come. Needs no permission of the policy; another agent's is 404.",
  params: z.object({ actionId: idSchema('AgentAction') }),
  notFound: actionNotFound,
  responses: { 200: { description: 'The action.', schema: agentActionSchema } },
  errors: bearerErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;
