import { z } from 'zod';
import { internalAccountNotFound } from '../../../domain/accounts/account.ts';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import { internalAccountSchema } from '../../accounts/render.ts';
import type { Operation } from '../../operation.ts';
import { keyRequest } from '../requests.ts';
import { challenged, notFound, signed, signedErrors, tag } from '../signed.ts';

const byWallet = { params: z.object({ id: idSchema('InternalAccount') }), notFound: internalAccountNotFound };

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
