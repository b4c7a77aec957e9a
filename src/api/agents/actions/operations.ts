import { z } from 'zod';
import { actionNotFound } from '../../../domain/agents/actions/action.ts';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import { agentDecisionStatus, sortOrder } from '../../fields/enumerations.ts';
import { lastMoment, moment } from '../../fields/fields.ts';
import { listOf } from '../../fields/lists.ts';
import { remark } from '../../fields/texts.ts';
import type { Operation } from '../../operation.ts';
import { agentActionSchema } from './render.ts';

const tag = 'Agents';

export const listApprovals = {
  operationId: 'listAgentApprovals',
  path: '/agents/approvals',
  tag,
  summary: 'List the actions that wait for approval',
  ...listOf(agentActionSchema, 'A page of actions by creation time.', {
    agentId: idSchema('Agent').optional(),
    customerId: idSchema('Customer').optional(),
    startDate: moment.optional(),
    endDate: lastMoment.optional(),
    sortOrder: sortOrder.default('desc'),
  }),
} as const satisfies Operation;

export const listDecisions = {
  operationId: 'listAgentDecisions',
  path: '/agents/decisions',
  tag,
  summary: 'List the actions that were approved or rejected',
  description:
    'An extension of the interface. What the policy alone allowed is not there: nobody decided on it.',
  ...listOf(agentActionSchema, 'A page of actions by creation time.', {
    agentId: idSchema('Agent').optional(),
    customerId: idSchema('Customer').optional(),
    status: agentDecisionStatus.optional(),
    decidedAfter: moment.optional(),
    decidedBefore: lastMoment.optional(),
    sortOrder: sortOrder.default('desc'),
  }),
} as const satisfies Operation;

const byAction = {
  params: z.object({ agentId: idSchema('Agent'), actionId: idSchema('AgentAction') }),
  notFound: actionNotFound,
  responses: { 200: { description: 'The action.', schema: agentActionSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['REFERENCE_NOT_FOUND'], 409: ['CONFLICT'] }),
};

export const approveAction = {
  operationId: 'approveAgentAction',
  method: 'post',
  path: '/agents/{agentId}/actions/{actionId}/approve',
  tag,
  summary: 'Approve an action of an agent',
  description:
    'Policy, balance and quote are looked at again: the answer is 200 with the status FAILED, and `failure` says why, where the action cannot be executed now.',
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
  body: z.object({ reason: remark.optional() }).meta({ id: 'RejectAgentActionRequest' }),
  bodyOptional: true,
} as const satisfies Operation;
