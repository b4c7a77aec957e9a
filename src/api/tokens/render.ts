import { z } from 'zod';
import type { ApiTokenRow } from '../../../projections/kept/api-tokens.ts';
import { idField } from '../../kernel/ids.ts';
import type { NewToken } from '../../use-cases/tokens/tokens.ts';
import { apiPermission } from '../fields/enumerations.ts';
import { timestamp } from '../fields/fields.ts';

export const permissionList = z.array(apiPermission);

export const tokenSchema = z
  .object({
    id: idField('Token'),
    name: z.string(),
    permissions: permissionList,
    clientId: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ApiToken' });

export const createdTokenSchema = tokenSchema
  .extend({
    clientSecret: z.string().meta({ description: 'Shown here and never again; the service keeps a hash.' }),
  })
  .meta({ id: 'CreatedApiToken' });

export const renderToken = (row: ApiTokenRow): z.input<typeof tokenSchema> => ({
  id: row.id,
  name: row.name,
  permissions: row.permissions,
  clientId: row.client_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

export function renderCreatedToken(token: NewToken): z.input<typeof createdTokenSchema> {
  const { id, name, permissions, clientId, secret, at } = token;
  const row = {
    id,
    name,
    permissions: [...permissions],
    client_id: clientId,
    created_at: at,
    updated_at: at,
  };
  return { ...renderToken(row), clientSecret: secret };
}
