import { z } from 'zod';
import { internalAccountNotFound } from '../../../domain/accounts/account.ts';
import { externalAccountNotFound } from '../../../domain/external-accounts/external-account.ts';
import { laterStatuses } from '../../../domain/external-accounts/status.ts';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../../kernel/ids.ts';
import { freezingStatuses } from '../../../use-cases/accounts/change-status.ts';
import { internalAccountSchema } from '../../accounts/render.ts';
import { externalAccountSchema } from '../../external-accounts/render.ts';
import { remark } from '../../fields/texts.ts';
import type { Operation } from '../../operation.ts';

const common = {
  method: 'post',
  tag: 'Sandbox',
  permission: ['MANAGE'],
  sandboxOnly: true,
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['REFERENCE_NOT_FOUND'], 409: ['CONFLICT'] }),
} as const;

export const setInternalAccountStatus = {
  ...common,
  operationId: 'sandboxSetInternalAccountStatus',
  path: '/sandbox/internal-accounts/{accountId}/status',
  summary: 'Freeze an internal account, or lift that',
  description:
    'An extension of the interface: what the operator of an installation does by the command line. Money that is on its way to a frozen account is held, and credited when it is ACTIVE again.',
  params: z.object({ accountId: idSchema('InternalAccount') }),
  notFound: internalAccountNotFound,
  body: z
    .object({ status: z.enum(freezingStatuses), reason: remark.optional() })
    .meta({ id: 'SandboxInternalAccountStatusRequest' }),
  responses: { 200: { description: 'The account.', schema: internalAccountSchema } },
} as const satisfies Operation;

export const setExternalAccountStatus = {
  ...common,
  operationId: 'sandboxSetExternalAccountStatus',
  path: '/sandbox/external-accounts/{externalAccountId}/status',
  summary: 'End the verification of an external account, or change what came of it',
  description:
    'An extension of the interface: what the operator of an installation does by the command line. Only an ACTIVE account can be paid or pulled from.',
  params: z.object({ externalAccountId: idSchema('ExternalAccount') }),
  notFound: externalAccountNotFound,
  body: z
    .object({ status: z.enum(laterStatuses), reason: remark.optional() })
    .meta({ id: 'SandboxExternalAccountStatusRequest' }),
  responses: { 200: { description: 'The account.', schema: externalAccountSchema } },
} as const satisfies Operation;
