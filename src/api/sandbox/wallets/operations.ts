/** What the sandbox adds for wallets: its identity provider, and the mails that it does not send. */

import { z } from 'zod';
import { bounds } from '../../../domain/values/bounds.ts';
import { email } from '../../../domain/values/text.ts';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { listOf } from '../../fields/lists.ts';
import type { Operation } from '../../operation.ts';
import { emailSchema } from './render.ts';

const tag = 'Sandbox';

export const issueOidcToken = {
  operationId: 'sandboxOidcToken',
  method: 'post',
  path: '/sandbox/oidc/token',
  tag,
  summary: 'Get an OIDC token',
  description: "Signed by the sandbox's identity provider, for whomever the test wants to be.",
  permission: ['TRANSACT', 'MANAGE'],
  sandboxOnly: true,
  body: z
    .object({
      subject: z.string().min(1).max(bounds.line),
      email: email.optional(),
      audience: z.string().min(1).max(bounds.line).default('daybook-sandbox'),
      nonce: z.string().min(1).max(bounds.line).optional(),
    })
    .meta({ id: 'SandboxOidcTokenRequest' }),
  responses: {
    201: {
      description: 'The token, good for 60 seconds.',
      schema: z.object({ oidcToken: z.string() }).meta({ id: 'SandboxOidcToken' }),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

const open = { authentication: 'none', permission: [], sandboxOnly: true } as const;

export const getOidcConfiguration = {
  operationId: 'sandboxOidcConfiguration',
  method: 'get',
  path: '/sandbox/oidc/.well-known/openid-configuration',
  tag,
  summary: "Describe the sandbox's identity provider",
  ...open,
  responses: {
    200: {
      description: 'As OpenID Connect Discovery has it.',
      schema: z
        .object({
          issuer: z.string(),
          jwks_uri: z.string(),
          token_endpoint: z.string(),
          response_types_supported: z.array(z.string()),
          subject_types_supported: z.array(z.string()),
          id_token_signing_alg_values_supported: z.array(z.string()),
        })
        .meta({ id: 'SandboxOidcConfiguration' }),
    },
  },
  errors: { 500: ['INTERNAL_ERROR'] },
} as const satisfies Operation;

export const getOidcKeys = {
  operationId: 'sandboxOidcKeys',
  method: 'get',
  path: '/sandbox/oidc/jwks',
  tag,
  summary: "The public keys of the sandbox's identity provider",
  ...open,
  responses: {
    200: {
      description: 'A JSON Web Key Set.',
      schema: z.object({ keys: z.array(z.record(z.string(), z.string())) }).meta({ id: 'SandboxOidcKeys' }),
    },
  },
  errors: { 500: ['INTERNAL_ERROR'] },
} as const satisfies Operation;

export const listEmailsOperation = {
  operationId: 'sandboxListEmails',
  path: '/sandbox/emails',
  tag,
  summary: 'List the mails of the last 24 hours',
  description: 'What wallets had mailed. The code 000000 is taken whatever a mail says.',
  sandboxOnly: true,
  ...listOf(emailSchema, 'A page of mails, newest first.', {}),
} as const satisfies Operation;
