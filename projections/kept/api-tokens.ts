/** API tokens as their platform sees them. Nothing here reads the hash of a secret. */

import { type Selectable, sql } from 'kysely';
import type { Environment } from '../../src/domain/platforms/events.ts';
import type { PlatformId, TokenId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type ChangedWithin, within } from '../dates.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { ApiTokensTable } from '../tables/api-tokens.ts';

const shown = ['id', 'name', 'client_id', 'permissions', 'created_at', 'updated_at'] as const;
export type ApiTokenRow = Pick<Selectable<ApiTokensTable>, (typeof shown)[number]>;

/** Whose tokens: those of sandbox and production are apart. */
export type TokenScope = { readonly platformId: PlatformId; readonly environment: Environment };

/** Every platform that has ever had a token, the oldest first, with the environment of its first one. */
export async function platformsWithTokens(db: ReadDb): Promise<readonly TokenScope[]> {
  const firsts = await db
    .selectFrom('api_tokens')
    .distinctOn('platform_id')
    .select(['platform_id', 'environment', 'created_at'])
    .orderBy('platform_id')
    .orderBy('created_at')
    .execute();
  return firsts
    .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
    .map(({ platform_id: platformId, environment }) => ({ platformId, environment }));
}

/** What sandbox made of the tokens of a platform of production. */
export const moveTokensToProduction = (db: ReadDb, platformId: PlatformId) =>
  db
    .updateTable('api_tokens')
    .set({ environment: 'production' })
    .where('platform_id', '=', platformId)
    .where('environment', '=', 'sandbox')
    .execute();

/** Tokens whose last change the log does not have: one of them, or the oldest of all. */
export function unrecordedTokens(db: ReadDb, id?: TokenId): Promise<readonly Selectable<ApiTokensTable>[]> {
  const query = db
    .selectFrom('api_tokens')
    .selectAll()
    .where(({ eb, or, ref }) =>
      or([eb('recorded_at', 'is', null), eb('recorded_at', '<', ref('updated_at'))]),
    );
  return (id ? query.where('id', '=', id) : query).orderBy('updated_at').limit(unrecordedMax).execute();
}

/** From now on the log has the change of that moment. A later one still waits. */
export const markRecorded = (db: ReadDb, id: TokenId, updatedAt: Date) =>
  db
    .updateTable('api_tokens')
    .set({ recorded_at: updatedAt })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('recorded_at', 'is', null), eb('recorded_at', '<', updatedAt)]))
    .execute();

/**
 * Of a row of `api_tokens`: whether the token works. One that a backup has brought back was deleted in the log since.
 */
export const isLiving = sql<boolean>`api_tokens.deleted_at is null and not exists (
  select from deleted_tokens d where d.token_id = api_tokens.id and d.deleted_at > api_tokens.updated_at
)`;

const unrecordedMax = 100;

const tokensOf = (db: ReadDb, { platformId, environment }: TokenScope) =>
  db
    .selectFrom('api_tokens')
    .select(shown)
    .where('platform_id', '=', platformId)
    .where('environment', '=', environment)
    .where(isLiving);

/** The token that has or had a client id, of whatever platform: a deleted one keeps it. */
export const tokenNamed = async (db: ReadDb, clientId: string): Promise<TokenId | undefined> =>
  (await db.selectFrom('api_tokens').select('id').where('client_id', '=', clientId).executeTakeFirst())?.id;

export const findApiToken = (db: ReadDb, scope: TokenScope, id: TokenId): Promise<ApiTokenRow | undefined> =>
  tokensOf(db, scope).where('id', '=', id).executeTakeFirst();

export type ApiTokenFilters = ChangedWithin & { readonly name?: string | undefined };

export function listApiTokens(
  db: ReadDb,
  scope: TokenScope,
  filters: ApiTokenFilters,
  page: PageRequest,
): Promise<Page<ApiTokenRow>> {
  const { name } = filters;
  let query = tokensOf(db, scope).where(within(filters));
  if (name !== undefined) query = query.where('name', '=', name);
  return paginate(query, page, { ...filters, list: 'tokens' });
}
