import type { ReadDb } from '../../../projections/database.ts';
import { findApiToken, listApiTokens } from '../../../projections/kept/api-tokens.ts';
import { idOf } from '../../kernel/ids.ts';
import { issueToken } from '../../use-cases/tokens/issue.ts';
import { type Tokens, tokenNotFound } from '../../use-cases/tokens/tokens.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import { createToken, deleteToken, getToken, listTokens } from './operations.ts';
import { renderCreatedToken, renderToken } from './render.ts';

type Deps = {
  readonly readDb: ReadDb;
  readonly listDb: ReadDb;
  readonly tokens: Tokens;
  readonly now: () => Date;
};

export function tokenRoutes({ readDb, listDb, tokens, now }: Deps): readonly Route[] {
  const find = async ({ principal, params }: Pick<Request<typeof getToken>, 'principal' | 'params'>) => {
    const row = await findApiToken(readDb, principal, params.tokenId);
    if (!row) throw tokenNotFound();
    return row;
  };

  return [
    route(listTokens, async ({ principal, query }) => {
      const { limit, cursor, ...filters } = query;
      const page = await listApiTokens(listDb, principal, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderToken) };
    }),
    route(createToken, async ({ principal, body, uuidFor, cause }) => {
      const wanted = { id: idOf('Token', uuidFor('token')), ...body, at: now() };
      return { status: 201, body: renderCreatedToken(await issueToken(tokens, principal, wanted, cause)) };
    }),
    routeOn(getToken, find, async (_request, row) => ({ status: 200, body: renderToken(row) })),
    routeOn(deleteToken, find, async ({ principal, cause }, { id }) => {
      await tokens.remove(id, principal, now(), cause);
      return { status: 204 };
    }),
  ];
}
