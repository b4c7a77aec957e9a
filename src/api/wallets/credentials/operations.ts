import { z } from 'zod';
import { credentialNotFound } from '../../../domain/wallets/rules.ts';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import type { Operation } from '../../operation.ts';
import { authMethodSchema } from '../render.ts';
import { addCredentialRequest } from '../requests.ts';
import { byAccount, challenged, notFound, signed, signedErrors, tag, withoutBody } from '../signed.ts';

export const byCredential = {
  params: z.object({ id: idSchema('AuthMethod') }),
  notFound: credentialNotFound,
};

export const listCredentials = {
  operationId: 'listAuthCredentials',
  method: 'get',
  path: '/auth/credentials',
  tag,
  summary: "List a wallet's credentials",
  permission: ['VIEW'],
  query: byAccount,
  responses: {
    200: {
      description: 'Oldest first.',
      schema: z.object({ data: z.array(authMethodSchema) }).meta({ id: 'AuthMethodList' }),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const addCredential = {
  operationId: 'createAuthCredential',
  method: 'post',
  path: '/auth/credentials',
  tag,
  summary: 'Register a credential',
  description:
    'The first credential of a wallet is registered at once. Any other needs the signature of a session: the first call answers a challenge. EMAIL_OTP sends its code when the credential is registered.',
  ...signed,
  body: addCredentialRequest,
  responses: {
    201: { description: 'The credential. No session is issued.', schema: authMethodSchema },
    202: challenged,
  },
  errors: basicErrors({
    400: ['INVALID_INPUT', 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS', 'PASSKEY_CREDENTIAL_ALREADY_EXISTS'],
    401: signedErrors,
    ...notFound,
    501: ['NOT_IMPLEMENTED'],
  }),
} as const satisfies Operation;

export const revokeCredential = {
  operationId: 'deleteAuthCredential',
  method: 'delete',
  path: '/auth/credentials/{id}',
  tag,
  summary: 'Revoke a credential',
  description:
    'Ends the sessions that it issued. A session of another credential has to sign, and the last credential stays.',
  ...signed,
  ...byCredential,
  responses: { 202: challenged, 204: { description: 'It is revoked.' } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 401: withoutBody, ...notFound }),
} as const satisfies Operation;
