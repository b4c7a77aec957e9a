import type { ReadDb } from '../../../../projections/database.ts';
import { findApiToken, type TokenScope } from '../../../../projections/kept/api-tokens.ts';
import { agentOfAction, isThere } from '../../../../projections/kept/named.ts';
import { findQuote } from '../../../../projections/models/transactions.ts';
import { type Id, idOf, isId } from '../../../kernel/ids.ts';
import { type Route, route } from '../../operation.ts';
import { kinds, nothingFound, searchById } from './operations.ts';

type Kind = keyof typeof kinds;
const types = Object.keys(kinds) as Kind[];
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const consoleSearchRoutes = ({ readDb }: { readonly readDb: ReadDb }): readonly Route[] => [
  route(searchById, async ({ principal, query }) => {
    const asked = query.id.trim();
    const tried = uuid.test(asked.toLowerCase())
      ? types.map((type) => [type, idOf(type, asked.toLowerCase())] as const)
      : types.filter((type) => isId(type, asked)).map((type) => [type, asked as Id<Kind>] as const);
    for (const [type, id] of tried) {
      const path = await pathOf(readDb, principal, type, id);
      if (path !== undefined) return { status: 200, body: { kind: kinds[type][0], id, path } };
    }
    throw nothingFound();
  }),
];

/** Nothing where the platform has nothing of this id, and where the interface tells no more of it. */
async function pathOf(db: ReadDb, scope: TokenScope, type: Kind, id: Id<Kind>): Promise<string | undefined> {
  const [, before, after = ''] = kinds[type];
  if (type === 'AgentAction') {
    const action = await agentOfAction(db, scope.platformId, id as Id<'AgentAction'>);
    return action && `${before}${action.agent_id}`;
  }
  return (await isFound(db, scope, type, id)) ? `${before}${id}${after}` : undefined;
}

async function isFound(db: ReadDb, scope: TokenScope, type: Exclude<Kind, 'AgentAction'>, id: Id<Kind>) {
  const { platformId } = scope;
  if (type === 'Quote') return (await findQuote(db, platformId, id as Id<'Quote'>))?.quote_id === id;
  if (type === 'Token') return (await findApiToken(db, scope, id as Id<'Token'>)) !== undefined;
  return isThere(db, platformId, type, id as Id<typeof type>);
}
