/** What the operations have in common that a session of a wallet signs. */
import { z } from 'zod';
import { idSchema } from '../../kernel/ids.ts';
import { signatureHeaders } from '../operation.ts';
import { signatureChallengeSchema } from './render.ts';

export const tag = 'Wallet authentication';
export const byAccount = z.object({ accountId: idSchema('InternalAccount') });

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

export const withoutBody = [...signatureErrors, 'REQUEST_ID_MISSING'];

export const signedErrors = [...signatureErrors, 'WALLET_SIGNATURE_BODY_MISMATCH', 'REQUEST_ID_MISSING'];

export const signed = {
  permission: ['TRANSACT', 'MANAGE'],
  headers: signatureHeaders,
} as const;

/** With what a lost race answers. */
export const notFound = { 404: ['REFERENCE_NOT_FOUND'], 409: ['CONFLICT'], 410: ['CUSTOMER_DELETED'] };
