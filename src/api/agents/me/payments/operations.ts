/** How agents move money: the platform's quotes and transfers, behind the agent's policy. */
import { bearerErrors } from '../../../../infrastructure/http/describe/errors.ts';
import type { Operation } from '../../../operation.ts';
import { createQuote, executeQuote, getQuote } from '../../../quotes/operations.ts';
import { transferIn, transferOut } from '../../../transfers/operations.ts';
import { agentActionSchema } from '../../actions/render.ts';
import { asAgent, forbidden } from '../as-agent.ts';

const action = { description: 'The action.', schema: agentActionSchema };

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
  reserved: [412, 424],
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
