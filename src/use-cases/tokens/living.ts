import type { WriteDb } from '../../../projections/database.ts';
import { isLiving, type TokenScope } from '../../../projections/kept/api-tokens.ts';
import type { TokenId } from '../../kernel/ids.ts';
import { isId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Principal } from '../caller.ts';

/** Who creates or deletes, and whose tokens. */
export type Caller = TokenScope & Pick<Principal, 'actor'>;

/**
 * Holds the caller's token and, if it is there, another of the same scope until the transaction ends. Returns the
 * other. In the order of their ids, so that two that lock each other do not wait for ever.
 */
export async function lockLiving(
  transaction: WriteDb,
  { actor, platformId, environment }: Caller,
  ...others: readonly TokenId[]
): Promise<{ readonly id: TokenId; readonly client_id: string }[]> {
  const own = tokenOf(actor);
  const living = await transaction
    .selectFrom('api_tokens')
    .select(['id', 'client_id'])
    .where('id', 'in', [own, ...others])
    .where('platform_id', '=', platformId)
    .where('environment', '=', environment)
    .where(isLiving)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (!living.some(({ id }) => id === own)) {
    throw new Rejected('UNAUTHORIZED', 'The API token has been deleted.');
  }
  return living.filter(({ id }) => id !== own);
}

const actorPrefix = 'token:';

export const actorOf = (id: TokenId) => `${actorPrefix}${id}`;

/** The token that an actor is, if it is one. */
export function tokenOfActor(actor: string): TokenId | undefined {
  const id = actor.startsWith(actorPrefix) ? actor.slice(actorPrefix.length) : '';
  return isId('Token', id) ? id : undefined;
}

function tokenOf(actor: string): TokenId {
  const id = tokenOfActor(actor);
  invariant(id, 'only API tokens create and delete tokens');
  return id;
}
