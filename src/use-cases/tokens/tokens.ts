/** API tokens: who may act for a platform. Secrets are 256 random bits and are stored as SHA-256 only. */
import type { ReadDb, WriteDb } from '../../../projections/database.ts';
import { isLiving } from '../../../projections/kept/api-tokens.ts';
import type { ApiTokensTable } from '../../../projections/tables/api-tokens.ts';
import type { Environment } from '../../domain/platforms/events.ts';
import type { Permission } from '../../domain/tokens/permissions.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { rememberedLookup } from '../../infrastructure/remembered/lookup.ts';
import { hashSecret } from '../../infrastructure/secrets/hash.ts';
import { isId, type PlatformId, type TokenId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { FindToken, Principal } from '../caller.ts';
import { actorOf, type Caller, lockLiving } from './living.ts';
import type { TokenRecords } from './records.ts';

/** A deleted token stops working within one second everywhere; half of that is remembered here. */
export const rememberedMs = 500;
export const rememberedMax = 10_000;

export type NewToken = {
  readonly id: TokenId;
  readonly platformId: PlatformId;
  readonly name: string;
  readonly clientId: string;
  readonly secret: string;
  readonly permissions: readonly Permission[];
  readonly environment: Environment;
  readonly at: Date;
};

type Row = Pick<ApiTokensTable, 'id' | 'platform_id' | 'secret_hash' | 'permissions' | 'environment'>;
export type Tokens = {
  /** By client id, or by the token's own id. */
  readonly find: FindToken;
  /**
   * Stores a token of the operator's. If it is there already it takes the new secret; a deleted one stays deleted unless
   * the secret is another. Another token with this client id stays as it is, and this one is not stored.
   */
  readonly save: (token: NewToken, cause: Cause) => Promise<void>;
  /**
   * A token that the log has. Throws `Rejected` with UNAUTHORIZED when the caller's own token was deleted meanwhile.
   */
  readonly create: (token: NewToken, caller: Caller, cause: Cause) => Promise<void>;
  /**
   * A token deletes others only, and only while it is there itself. So of tokens that delete each other at the same
   * moment one stays, and a platform always has one with MANAGE. It stops whether the log takes the deletion now or later.
   */
  readonly remove: (id: TokenId, caller: Caller, at: Date, cause: Cause) => Promise<void>;
  /** All are read again: some have been replaced in the table. */
  readonly forget: () => void;
};

/** Writes what is a platform's: not while it goes back to a snapshot. */
type Beside = <Result>(platformId: PlatformId, write: () => Promise<Result>) => Promise<Result>;
const always: Beside = (_platformId, write) => write();

export function createTokens(
  db: ReadDb,
  records: Pick<TokenRecords, 'record' | 'recordLater'>,
  beside = always,
): Tokens {
  const lookup = rememberedLookup({ max: rememberedMax, ttlMs: rememberedMs }, (clientId) =>
    db
      .selectFrom('api_tokens')
      .select(['id', 'platform_id', 'secret_hash', 'permissions', 'environment'])
      .where(isId('Token', clientId) ? 'id' : 'client_id', '=', clientId)
      .where(isLiving)
      .executeTakeFirst(),
  );

  return {
    forget: lookup.clear,
    async find(clientId) {
      const row = await lookup.find(clientId);
      return row && { secretHash: row.secret_hash, principal: principalOf(row) };
    },
    async save(token, cause) {
      await db
        .insertInto('api_tokens')
        .values({ ...toRow(token), changed_by: cause.actor })
        .onConflict((conflict) =>
          conflict
            .column('client_id')
            .doUpdateSet(({ ref }) => ({
              secret_hash: ref('excluded.secret_hash'),
              updated_at: ref('excluded.updated_at'),
              deleted_at: null,
              changed_by: ref('excluded.changed_by'),
            }))
            .whereRef('api_tokens.id', '=', 'excluded.id')
            .whereRef('api_tokens.secret_hash', '<>', 'excluded.secret_hash'),
        )
        .execute();
      lookup.forget(token.clientId);
      await records.record(db, token.id, cause);
    },
    async create(token, caller, cause) {
      const make = async (transaction: WriteDb) => {
        await lockLiving(transaction, caller);
        await transaction
          .insertInto('api_tokens')
          .values({ ...toRow(token), changed_by: caller.actor })
          .execute();
        await records.record(transaction, token.id, cause);
      };
      // Whoever puts the rows back would wait for these, which would wait for the log.
      await beside(token.platformId, () => db.transaction().execute(make));
    },
    async remove(id, caller, at, cause) {
      if (caller.actor === actorOf(id)) throw inUse();
      const names = await db.transaction().execute(async (transaction) => {
        const [target] = await lockLiving(transaction, caller, id);
        if (!target) throw tokenNotFound();
        await transaction
          .updateTable('api_tokens')
          .set({ deleted_at: at, updated_at: at, changed_by: caller.actor })
          .where('id', '=', id)
          .execute();
        return [target.id, target.client_id];
      });
      for (const name of names) lookup.forget(name);
      await records.recordLater(db, id, cause);
    },
  };
}

const toRow = ({ id, platformId, name, clientId, secret, permissions, environment, at }: NewToken) => ({
  id,
  name,
  environment,
  platform_id: platformId,
  client_id: clientId,
  secret_hash: hashSecret(secret),
  permissions: [...permissions],
  created_at: at,
  updated_at: at,
  deleted_at: null,
  recorded_at: null,
});

const principalOf = ({ id, platform_id, permissions, environment }: Row): Principal => ({
  platformId: platform_id,
  environment,
  permissions,
  actor: actorOf(id),
});

export const tokenNotFound = () => new Rejected('TOKEN_NOT_FOUND', 'There is no such API token.');

function inUse(): Rejected {
  const message = 'A token cannot delete itself. Use another one with MANAGE.';
  const errors = [{ field: 'tokenId', message: 'is the token of this request: use another one with MANAGE' }];
  return new Rejected('INVALID_INPUT', message, { errors });
}
