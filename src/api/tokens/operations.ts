import { z } from 'zod';
import { permissions } from '../../domain/tokens/permissions.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { tokenNotFound } from '../../use-cases/tokens/tokens.ts';
import { changedWithin, listOf } from '../fields/lists.ts';
import type { Operation } from '../operation.ts';
import { createdTokenSchema, permissionList, tokenSchema } from './render.ts';

const name = z.string().min(1).max(100);
const createTokenRequest = z
  .object({
    name,
    permissions: permissionList.min(1).max(permissions.length).meta({
      description: 'VIEW is contained in the other two. A token grants what it has itself, and no more.',
    }),
  })
  .meta({ id: 'TokenCreateRequest' });

const tag = 'API tokens';
const byId = { params: z.object({ tokenId: idSchema('Token') }), notFound: tokenNotFound };

export const listTokens = {
  operationId: 'listTokens',
  path: '/tokens',
  tag,
  summary: 'List API tokens',
  ...listOf(tokenSchema, 'A page of tokens, newest first.', {
    name: name.optional(),
    ...changedWithin,
  }),
} as const satisfies Operation;

export const createToken = {
  operationId: 'createToken',
  method: 'post',
  path: '/tokens',
  tag,
  summary: 'Issue an API token',
  description: "For the environment of the caller's token. This answer is the only one with clientSecret.",
  permission: ['MANAGE'],
  body: createTokenRequest,
  responses: { 201: { description: 'The token with its secret.', schema: createdTokenSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const getToken = {
  operationId: 'getToken',
  method: 'get',
  path: '/tokens/{tokenId}',
  tag,
  summary: 'Read an API token',
  permission: ['VIEW'],
  ...byId,
  responses: { 200: { description: 'The token.', schema: tokenSchema } },
  errors: basicErrors({ 404: ['TOKEN_NOT_FOUND'] }),
} as const satisfies Operation;

export const deleteToken = {
  operationId: 'deleteToken',
  method: 'delete',
  path: '/tokens/{tokenId}',
  tag,
  summary: 'Delete an API token',
  description: 'It stops within one second. A token cannot delete itself, so one with MANAGE always remains.',
  permission: ['MANAGE'],
  ...byId,
  responses: { 204: { description: 'The token is deleted.' } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['TOKEN_NOT_FOUND'] }),
} as const satisfies Operation;
