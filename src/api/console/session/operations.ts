import { z } from 'zod';
import { idField } from '../../../kernel/ids.ts';
import { credentialLengthMax } from '../../callers/authenticate.ts';
import { consoleHeader } from '../../callers/console-session.ts';
import { timestamp } from '../../fields/fields.ts';
import type { Operation } from '../../operation.ts';
import { permissionList } from '../../tokens/render.ts';

const own = {
  tag: 'Console',
  path: '/console/session',
  authentication: 'none',
  permission: [],
} as const;

const headers = z.object({
  [consoleHeader]: z.enum(['1']).optional().meta({ description: 'Without it the cookie does not count.' }),
});

const sessionSchema = z
  .object({
    platformId: idField('Platform'),
    platformName: z.string().meta({ description: 'The domain of the platform.' }),
    tokenId: idField('Token'),
    tokenName: z.string(),
    permissions: permissionList,
    environment: z.enum(['SANDBOX', 'PRODUCTION']),
    expiresAt: timestamp,
  })
  .meta({ id: 'ConsoleSession' });

export const createConsoleSession = {
  ...own,
  operationId: 'createConsoleSession',
  method: 'post',
  summary: 'Sign in at the console',
  description: `An extension of the interface. Answers with a cookie, which scripts cannot read. With it and the header ${consoleHeader}: 1 every operation takes the caller as this token, for 12 hours at most.`,
  guessed: { refusal: 'UNAUTHORIZED' },
  body: z
    .object({
      clientId: z.string().min(1).max(credentialLengthMax),
      clientSecret: z.string().min(1).max(1_024).meta({ format: 'password' }),
    })
    .meta({ id: 'ConsoleSessionCreateRequest' }),
  responses: { 201: { description: 'The session.', schema: sessionSchema } },
  errors: {
    400: ['INVALID_INPUT'],
    401: ['UNAUTHORIZED'],
    403: ['FORBIDDEN'],
    429: ['RATE_LIMITED'],
    500: ['INTERNAL_ERROR'],
  },
} as const satisfies Operation;

const ofSession = { 401: ['UNAUTHORIZED'], 403: ['FORBIDDEN'], 500: ['INTERNAL_ERROR'] } as const;

export const getConsoleSession = {
  ...own,
  operationId: 'getConsoleSession',
  method: 'get',
  summary: 'Read who is signed in at the console',
  description: 'An extension of the interface.',
  headers,
  responses: { 200: { description: 'The session.', schema: sessionSchema } },
  errors: ofSession,
} as const satisfies Operation;

export const deleteConsoleSession = {
  ...own,
  operationId: 'deleteConsoleSession',
  method: 'delete',
  summary: 'Sign out of the console',
  description: 'An extension of the interface. The cookie is worth nothing from then on.',
  headers,
  responses: { 204: { description: 'Nobody is signed in by this cookie.' } },
  errors: { 401: ['UNAUTHORIZED'], 403: ['FORBIDDEN'], 500: ['INTERNAL_ERROR'] },
} as const satisfies Operation;
