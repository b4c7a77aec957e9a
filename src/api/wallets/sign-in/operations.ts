import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { challengeHeaders, type Operation } from '../../operation.ts';
import { byCredential } from '../credentials/operations.ts';
import { authMethodSchema, issuedSessionSchema, passkeyChallengeSchema } from '../render.ts';
import { challengeRequest, verifyRequest } from '../requests.ts';
import { notFound, tag } from '../signed.ts';

export const challengeCredential = {
  operationId: 'challengeAuthCredential',
  method: 'post',
  path: '/auth/credentials/{id}/challenge',
  tag,
  summary: 'Send a code, or ask for a passkey challenge',
  description:
    'EMAIL_OTP: mails a new code, which voids the one before; the body is ignored. PASSKEY: a challenge for an assertion, bound to clientPublicKey.',
  permission: ['TRANSACT', 'MANAGE'],
  rateLimit: 'challenge',
  ...byCredential,
  body: challengeRequest,
  bodyOptional: true,
  bodyOnDemand: true,
  responses: {
    200: {
      description: 'The credential; for a PASSKEY with its challenge.',
      schema: z.union([passkeyChallengeSchema, authMethodSchema]).meta({ id: 'AuthChallenge' }),
    },
  },
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    ...notFound,
    429: ['RATE_LIMITED'],
    501: ['NOT_IMPLEMENTED'],
  }),
} as const satisfies Operation;

export const verifyCredential = {
  operationId: 'verifyAuthCredential',
  method: 'post',
  path: '/auth/credentials/{id}/verify',
  tag,
  summary: 'Start a session',
  description:
    'Proves the credential and answers a session with its private key sealed to clientPublicKey. PASSKEY takes the requestId of its challenge in the header Request-Id.',
  permission: ['TRANSACT', 'MANAGE'],
  rateLimit: 'verify',
  headers: challengeHeaders,
  ...byCredential,
  body: verifyRequest,
  responses: { 200: { description: 'The session, with its key.', schema: issuedSessionSchema } },
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    401: ['UNAUTHORIZED', 'REQUEST_ID_MISSING'],
    ...notFound,
    429: ['RATE_LIMITED'],
  }),
} as const satisfies Operation;
