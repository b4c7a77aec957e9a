import { z } from 'zod';
import { sessionNotFound } from '../../../domain/wallets/rules.ts';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import type { Operation } from '../../operation.ts';
import { issuedSessionSchema, sessionSchema } from '../render.ts';
import { keyRequest } from '../requests.ts';
import { byAccount, challenged, notFound, signed, signedErrors, tag, withoutBody } from '../signed.ts';

const bySession = { params: z.object({ id: idSchema('Session') }), notFound: sessionNotFound };

export const listSessions = {
  operationId: 'listAuthSessions',
  method: 'get',
  path: '/auth/sessions',
  tag,
  summary: "List a wallet's active sessions",
  permission: ['VIEW'],
  query: byAccount,
  responses: {
    200: {
      description: 'Oldest first, without keys.',
      schema: z.object({ data: z.array(sessionSchema) }).meta({ id: 'AuthSessionList' }),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const revokeSession = {
  operationId: 'deleteAuthSession',
  method: 'delete',
  path: '/auth/sessions/{id}',
  tag,
  summary: 'Revoke a session',
  description: 'Any active session of the wallet may sign, the revoked one included.',
  ...signed,
  ...bySession,
  responses: { 202: challenged, 204: { description: 'It has ended.' } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 401: withoutBody, ...notFound }),
} as const satisfies Operation;

export const refreshSession = {
  operationId: 'refreshAuthSession',
  method: 'post',
  path: '/auth/sessions/{id}/refresh',
  tag,
  summary: 'Refresh a session',
  description:
    'Issues a further session; this one goes on until it expires. Its own key has to sign, and it has to be active on both calls.',
  ...signed,
  ...bySession,
  body: keyRequest.meta({ id: 'AuthSessionRefreshRequest' }),
  responses: {
    201: { description: 'The new session, with its key.', schema: issuedSessionSchema },
    202: challenged,
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 401: signedErrors, ...notFound }),
} as const satisfies Operation;
