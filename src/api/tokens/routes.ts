import type { ReadDb } from '../../../projections/database.ts';
import { findApiToken, listApiTokens } from '../../../projections/kept/api-tokens.ts';
import { grantedBy } from '../../domain/tokens/grant.ts';
import { idOf, newSecret } from '../../kernel/ids.ts';
import { newClientId, type Tokens, tokenNotFound } from '../../use-cases/tokens/tokens.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import { createToken, deleteToken, getToken, listTokens, renderToken } from './operations.ts';

type Deps = { readonly readDb: ReadDb; readonly tokens: Tokens; readonly now: () => Date };

export function tokenRoutes({ readDb, tokens, now }: Deps): readonly Route[] {
  const find = async ({ principal, params }: Pick<Request<typeof getToken>, 'principal' | 'params'>) => {
    const row = await findApiToken(readDb, principal, params.tokenId);
    if (!row) throw tokenNotFound();
    return row;
  };

  return [
    route(listTokens, async ({ principal, query }) => {
      const { limit, cursor, ...filters } = query;
      const page = await listApiTokens(readDb, principal, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderToken) };
    }),

    route(createToken, async ({ principal, body, uuidFor }) => {
      const { platformId, environment } = principal;
      const permissions = [...grantedBy(principal.permissions, body.permissions)];
      const id = idOf('Token', uuidFor('token'));
      const { name } = body;
      const clientId = newClientId();
      const secret = newSecret();
      const at = now();
      const token = { id, platformId, environment, name, permissions, clientId, secret, at };
      await tokens.create(token, principal);
      const row = { id, name, permissions, client_id: clientId, created_at: at, updated_at: at };
      return { status: 201, body: { ...renderToken(row), clientSecret: secret } };
    }),

    routeOn(getToken, find, async (_request, row) => ({ status: 200, body: renderToken(row) })),

    routeOn(deleteToken, find, async ({ principal }, { id }) => {
      await tokens.remove(id, principal, now());
      return { status: 204 };
    }),
  ];
}
