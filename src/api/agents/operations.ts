import { z } from 'zod';
import { actionNotFound } from '../../domain/agents/actions/action.ts';
import { agentNotFound } from '../../domain/agents/agent.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idField, idSchema } from '../../kernel/ids.ts';
import { deviceCodeNotFound } from '../../use-cases/agents/codes.ts';
import { deviceCodePattern } from '../../use-cases/agents/secrets.ts';
import { moment, pageOf, pageQuery, queryBoolean, timestamp } from '../fields/fields.ts';
import type { Operation } from '../operation.ts';
import { agentActionSchema, agentSchema, policySchema } from './render.ts';
import { changeAgentRequest, changePolicyRequest, createAgentRequest } from './requests.ts';

const tag = 'Agents';
const agent = { 200: { description: 'The agent.', schema: agentSchema } };
const byId = { params: z.object({ agentId: idSchema('Agent') }), notFound: agentNotFound };
const notFound = { 404: ['REFERENCE_NOT_FOUND'] };

const deviceCodeSchema = z
  .object({ code: z.string(), agentId: idField('Agent'), expiresAt: timestamp, redeemed: z.boolean() })
  .meta({ id: 'DeviceCode' });

export const listAgentsOperation = {
  operationId: 'listAgents',
  method: 'get',
  path: '/agents',
  tag,
  summary: 'List agents',
  permission: ['VIEW'],
  query: z.object({
    customerId: idSchema('Customer').optional(),
    isPaused: queryBoolean.optional(),
    isConnected: queryBoolean.optional(),
    createdAfter: moment.optional(),
    createdBefore: moment.optional(),
    updatedAfter: moment.optional(),
    updatedBefore: moment.optional(),
    ...pageQuery,
  }),
  responses: { 200: { description: 'A page of agents, newest first.', schema: pageOf(agentSchema) } },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const createAgent = {
  operationId: 'createAgent',
  method: 'post',
  path: '/agents',
  tag,
  summary: 'Create an agent',
  description:
    'Answers with the first device code, which is shown once: whoever redeems it becomes the agent.',
  permission: ['MANAGE'],
  body: createAgentRequest,
  responses: {
    201: {
      description: 'The agent and its device code.',
      schema: z.object({ agent: agentSchema, deviceCode: deviceCodeSchema }),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['USER_NOT_FOUND'] }),
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
  description: 'A paused agent reads and does nothing else.',
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
    'Takes effect at once. Permissions and lists are replaced whole, spending limits one by one; null takes a limit away.',
  permission: ['MANAGE'],
  ...byId,
  body: changePolicyRequest,
  responses: agent,
  errors: basicErrors({ 400: ['INVALID_INPUT'], ...notFound }),
} as const satisfies Operation;

export const createDeviceCode = {
  operationId: 'createDeviceCode',
  method: 'post',
  path: '/agents/{agentId}/device-codes',
  tag,
  summary: 'Issue a further device code',
  description: 'Codes issued before are void. The code is shown once and good for 24 hours.',
  permission: ['MANAGE'],
  ...byId,
  responses: { 201: { description: 'The device code.', schema: deviceCodeSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], ...notFound, 409: ['CONFLICT'] }),
} as const satisfies Operation;

const byCode = {
  params: z.object({ code: z.string().regex(deviceCodePattern) }),
  notFound: deviceCodeNotFound,
};

export const getDeviceCodeStatus = {
  operationId: 'getDeviceCodeStatus',
  method: 'get',
  path: '/agents/device-codes/{code}/status',
  tag,
  summary: 'Ask whether a device code was redeemed',
  permission: ['VIEW'],
  ...byCode,
  responses: {
    200: {
      description: 'Whether it was.',
      schema: z.object({ code: z.string(), redeemed: z.boolean() }).meta({ id: 'DeviceCodeStatus' }),
    },
  },
  errors: basicErrors(notFound),
} as const satisfies Operation;

export const redeemDeviceCode = {
  operationId: 'redeemDeviceCode',
  method: 'post',
  path: '/agents/device-codes/{code}/redeem',
  tag,
  summary: 'Redeem a device code',
  description:
    'Answers with the access token of the agent, which is shown once. Of several redemptions one succeeds.',
  authentication: 'none',
  permission: [],
  ...byCode,
  responses: {
    200: {
      description: 'The access token.',
      schema: z
        .object({
          agentId: idField('Agent'),
          agentName: z.string(),
          accessToken: z.string(),
          policy: policySchema,
        })
        .meta({ id: 'AgentCredentials' }),
    },
  },
  errors: { 400: ['INVALID_INPUT'], ...notFound, 500: ['INTERNAL_ERROR'] },
} as const satisfies Operation;

export const listApprovals = {
  operationId: 'listAgentApprovals',
  method: 'get',
  path: '/agents/approvals',
  tag,
  summary: 'List the actions that wait for approval',
  permission: ['VIEW'],
  query: z.object({
    agentId: idSchema('Agent').optional(),
    customerId: idSchema('Customer').optional(),
    startDate: moment.optional(),
    endDate: moment.optional(),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
    ...pageQuery,
  }),
  responses: {
    200: { description: 'A page of actions by creation time.', schema: pageOf(agentActionSchema) },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

const byAction = {
  params: z.object({ agentId: idSchema('Agent'), actionId: idSchema('AgentAction') }),
  notFound: actionNotFound,
  responses: { 200: { description: 'The action.', schema: agentActionSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], ...notFound, 409: ['CONFLICT'] }),
};

export const approveAction = {
  operationId: 'approveAgentAction',
  method: 'post',
  path: '/agents/{agentId}/actions/{actionId}/approve',
  tag,
  summary: 'Approve an action of an agent',
  description:
    'Policy, balance and quote are looked at again: the answer is 200 with the status FAILED where the action cannot be executed now.',
  permission: ['TRANSACT'],
  ...byAction,
} as const satisfies Operation;

export const rejectAction = {
  operationId: 'rejectAgentAction',
  method: 'post',
  path: '/agents/{agentId}/actions/{actionId}/reject',
  tag,
  summary: 'Reject an action of an agent',
  permission: ['TRANSACT'],
  ...byAction,
  body: z.object({ reason: z.string().min(1).max(1000).optional() }).meta({ id: 'RejectAgentActionRequest' }),
  bodyOptional: true,
} as const satisfies Operation;
