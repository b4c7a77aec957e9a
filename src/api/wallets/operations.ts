import { z } from 'zod';
import { internalAccountNotFound } from '../../domain/accounts/account.ts';
import { credentialNotFound, sessionNotFound } from '../../domain/wallets/rules.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { internalAccountSchema } from '../accounts/render.ts';
import { challengeHeaders, type Operation, signatureHeaders } from '../operation.ts';
import {
  addCredentialRequest,
  authMethodSchema,
  challengeRequest,
  keyRequest,
  passkeyChallengeSchema,
  sessionSchema,
  signatureChallengeSchema,
  verifyRequest,
} from './render.ts';

const tag = 'Wallet authentication';
export const challenged = {
  description: 'A challenge: sign payloadToSign with a session key and send the same request again.',
  schema: signatureChallengeSchema,
};
const signatureErrors = [
  'UNAUTHORIZED',
  'WALLET_SIGNATURE_MISSING',
  'WALLET_SIGNATURE_MALFORMED',
  'WALLET_SIGNATURE_INVALID',
] as const;
const withoutBody = [...signatureErrors, 'REQUEST_ID_MISSING'];
export const signedErrors = [...signatureErrors, 'WALLET_SIGNATURE_BODY_MISMATCH', 'REQUEST_ID_MISSING'];
/** With what a lost race answers. */
const notFound = { 404: ['REFERENCE_NOT_FOUND'], 409: ['CONFLICT'], 410: ['CUSTOMER_DELETED'] };
const byAccount = z.object({ accountId: idSchema('InternalAccount') });
const byCredential = { params: z.object({ id: idSchema('AuthMethod') }), notFound: credentialNotFound };
const bySession = { params: z.object({ id: idSchema('Session') }), notFound: sessionNotFound };
const byWallet = { params: z.object({ id: idSchema('InternalAccount') }), notFound: internalAccountNotFound };
const signed = {
  permission: ['TRANSACT', 'MANAGE'],
  headers: signatureHeaders,
} as const;

export const listCredentials = {
  operationId: 'listAuthCredentials',
  method: 'get',
  path: '/auth/credentials',
  tag,
  summary: "List a wallet's credentials",
  permission: ['VIEW'],
  query: byAccount,
  responses: {
    200: { description: 'Oldest first.', schema: z.object({ data: z.array(authMethodSchema) }) },
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

export const challengeCredential = {
  operationId: 'challengeAuthCredential',
  method: 'post',
  path: '/auth/credentials/{id}/challenge',
  tag,
  summary: 'Send a code, or ask for a passkey challenge',
  description:
    'EMAIL_OTP: mails a new code, which voids the one before. PASSKEY: a challenge for an assertion, bound to clientPublicKey.',
  permission: ['TRANSACT', 'MANAGE'],
  rateLimit: 'challenge',
  ...byCredential,
  body: challengeRequest,
  bodyOptional: true,
  responses: {
    200: {
      description: 'The credential; for a PASSKEY with its challenge.',
      schema: z.union([passkeyChallengeSchema, authMethodSchema]),
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
  responses: { 200: { description: 'The session, with its key.', schema: sessionSchema } },
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    401: ['UNAUTHORIZED', 'REQUEST_ID_MISSING'],
    ...notFound,
    429: ['RATE_LIMITED'],
  }),
} as const satisfies Operation;

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
      schema: z.object({ data: z.array(sessionSchema) }),
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
    201: { description: 'The new session, with its key.', schema: sessionSchema },
    202: challenged,
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 401: signedErrors, ...notFound }),
} as const satisfies Operation;

export const updatePrivacy = {
  operationId: 'updateInternalAccount',
  method: 'patch',
  path: '/internal-accounts/{id}',
  tag,
  summary: "Change a wallet's privacy",
  ...signed,
  ...byWallet,
  body: z.object({ privateEnabled: z.boolean() }).meta({ id: 'InternalAccountUpdateRequest' }),
  responses: { 200: { description: 'The wallet.', schema: internalAccountSchema }, 202: challenged },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 401: signedErrors, ...notFound }),
} as const satisfies Operation;

export const exportWallet = {
  operationId: 'exportInternalAccount',
  method: 'post',
  path: '/internal-accounts/{id}/export',
  tag,
  summary: 'Export a wallet',
  description: 'Answers the recovery phrase (BIP-39), sealed to clientPublicKey. Use a fresh key.',
  ...signed,
  ...byWallet,
  body: keyRequest.meta({ id: 'InternalAccountExportRequest' }),
  responses: {
    200: {
      description: 'The sealed phrase.',
      schema: z
        .object({ id: z.string(), encryptedWalletCredentials: z.string() })
        .meta({ id: 'WalletExport' }),
    },
    202: challenged,
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 401: signedErrors, ...notFound }),
} as const satisfies Operation;
