import { z } from 'zod';
import { agentNotFound } from '../../../domain/agents/agent.ts';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import { deviceCodePattern } from '../../../use-cases/agents/secrets.ts';
import { deviceCodeNotFound } from '../../../use-cases/find/agent.ts';
import type { Operation } from '../../operation.ts';
import { redemptionHeaders, redemptionKeyHeader } from './redemption-key.ts';
import { agentCredentialsSchema, deviceCodeSchema, deviceCodeStatusSchema } from './render.ts';

const tag = 'Agents';
const notFound = { 404: ['REFERENCE_NOT_FOUND'] };

export const createDeviceCode = {
  operationId: 'createDeviceCode',
  method: 'post',
  path: '/agents/{agentId}/device-codes',
  tag,
  summary: 'Issue a further device code',
  description:
    'Codes issued before are void. The code is shown once and good for 24 hours. Where the agent pays without approval, it takes TRANSACT as well.',
  permission: ['MANAGE'],
  params: z.object({ agentId: idSchema('Agent') }),
  notFound: agentNotFound,
  responses: { 201: { description: 'The device code.', schema: deviceCodeSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], ...notFound, 409: ['CONFLICT'], 410: ['CUSTOMER_DELETED'] }),
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
      schema: deviceCodeStatusSchema,
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
    'Answers with the access token of the agent, which is shown once. Of several redemptions one succeeds; it is answered again for a minute to whoever sends it with the same Redemption-Key.',
  authentication: 'none',
  guessed: { refusal: 'REFERENCE_NOT_FOUND', keyIn: redemptionKeyHeader },
  headers: redemptionHeaders,
  permission: [],
  ...byCode,
  responses: {
    200: {
      description: 'The access token.',
      schema: agentCredentialsSchema,
    },
  },
  errors: { 400: ['INVALID_INPUT'], ...notFound, 429: ['RATE_LIMITED'], 500: ['INTERNAL_ERROR'] },
} as const satisfies Operation;
