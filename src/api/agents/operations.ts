import { z } from 'zod';
import { agentNotFound } from '../../domain/agents/agent.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { queryBoolean } from '../fields/fields.ts';
import { changedWithin, listOf } from '../fields/lists.ts';
import type { Operation } from '../operation.ts';
import { deviceCodeSchema } from './device-codes/render.ts';
import { agentSchema } from './render.ts';
import { changeAgentRequest, changePolicyRequest, createAgentRequest } from './requests.ts';

const tag = 'Agents';
const agent = { 200: { description: 'The agent.', schema: agentSchema } };
const byId = { params: z.object({ agentId: idSchema('Agent') }), notFound: agentNotFound };
const notFound = { 404: ['REFERENCE_NOT_FOUND'] };

export const listAgentsOperation = {
  operationId: 'listAgents',
  path: '/agents',
  tag,
  summary: 'List agents',
  ...listOf(agentSchema, 'A page of agents, newest first.', {
    customerId: idSchema('Customer').optional(),
    isPaused: queryBoolean.optional(),
    isConnected: queryBoolean.optional(),
    ...changedWithin,
  }),
} as const satisfies Operation;

export const createAgent = {
  operationId: 'createAgent',
  method: 'post',
  path: '/agents',
  tag,
  summary: 'Create an agent',
  description:
    'Answers with the first device code, which is shown once: whoever redeems it becomes the agent. A policy by which the agent pays without approval takes TRANSACT as well.',
  permission: ['MANAGE'],
  body: createAgentRequest,
  responses: {
    201: {
      description: 'The agent and its device code.',
      schema: z.object({ agent: agentSchema, deviceCode: deviceCodeSchema }).meta({ id: 'CreatedAgent' }),
    },
  },
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    404: ['USER_NOT_FOUND', 'REFERENCE_NOT_FOUND'],
    410: ['CUSTOMER_DELETED'],
  }),
} as const satisfies Operation;

export const getAgent = {
  operationId: 'getAgent',
  method: 'get',
  path: '/agents/{agentId}',
  tag,
  summary: 'Read an agent',
  permission: ['VIEW'],
  ...byId,
  responses: agent,
  errors: basicErrors(notFound),
} as const satisfies Operation;

export const changeAgent = {
  operationId: 'updateAgent',
  method: 'patch',
  path: '/agents/{agentId}',
  tag,
  summary: 'Rename or pause an agent',
  description:
    'A paused agent reads and does nothing else. To let one go on that pays without approval takes TRANSACT as well.',
  permission: ['MANAGE'],
  ...byId,
  body: changeAgentRequest,
  responses: agent,
  errors: basicErrors({ 400: ['INVALID_INPUT'], ...notFound }),
} as const satisfies Operation;

export const deleteAgent = {
  operationId: 'deleteAgent',
  method: 'delete',
  path: '/agents/{agentId}',
  tag,
  summary: 'Delete an agent',
  description: 'Its token is dead at once, and what waits for approval becomes REJECTED.',
  permission: ['MANAGE'],
  ...byId,
  responses: { 204: { description: 'The agent is deleted; its payments stay readable.' } },
  errors: basicErrors(notFound),
} as const satisfies Operation;

export const changeAgentPolicy = {
  operationId: 'updateAgentPolicy',
  method: 'patch',
  path: '/agents/{agentId}/policy',
  tag,
  summary: 'Change the policy of an agent',
  description:
    'Takes effect at once. Permissions and lists are replaced whole, spending limits one by one; null takes a limit away. What lets the agent pay more without approval takes TRANSACT as well.',
  permission: ['MANAGE'],
  ...byId,
  body: changePolicyRequest,
  responses: agent,
  errors: basicErrors({ 400: ['INVALID_INPUT'], ...notFound, 410: ['CUSTOMER_DELETED'] }),
} as const satisfies Operation;
