/** API tokens: who may act for a platform. Secrets are 256 random bits and are stored as SHA-256 only. */
import { LRUCache } from 'lru-cache';
import { type FindToken, hashSecret } from '../infrastructure/http/authenticate.ts';
import type { Permission, Principal } from '../infrastructure/http/operation.ts';
import type { PlatformId, TokenId } from '../infrastructure/ids.ts';
import type { Pool } from '../infrastructure/postgres.ts';
import type { Environment } from '../platforms/events.ts';

/** A deleted token stops working within one second everywhere (completion 14); half of that is remembered here. */
const rememberedMs = 500;
const rememberedMax = 10_000;

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

type Row = {
  id: TokenId;
  platform_id: PlatformId;
  secret_hash: Buffer;
  permissions: Permission[];
  environment: Environment;
};

export type Tokens = {
  /** By client id, or by the token's own id. */
  readonly find: FindToken;
  /** Stores a token. A token with this client id that is there already takes the new secret. */
  readonly save: (token: NewToken) => Promise<void>;
};

export function createTokens(pool: Pool): Tokens {
  const remembered = new LRUCache<string, { readonly row: Row | undefined }>({
    max: rememberedMax,
    ttl: rememberedMs,
  });

  const findRow = async (clientId: string): Promise<Row | undefined> => {
    const known = remembered.get(clientId);
    if (known) return known.row;
    const { rows } = await pool.query<Row>(
      `select id, platform_id, secret_hash, permissions, environment from api_tokens where client_id = $1 or id = $1`,
      [clientId],
    );
    remembered.set(clientId, { row: rows[0] });
    return rows[0];
  };

  return {
    async find(clientId) {
      const row = await findRow(clientId);
      return row && { secretHash: row.secret_hash, principal: principalOf(row) };
    },
    async save({ id, platformId, name, clientId, secret, permissions, environment, at }) {
      await pool.query(
        `insert into api_tokens
           (id, platform_id, name, client_id, secret_hash, permissions, environment, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         on conflict (client_id) do update set secret_hash = excluded.secret_hash, updated_at = excluded.updated_at`,
        [id, platformId, name, clientId, hashSecret(secret), permissions, environment, at],
      );
      remembered.delete(clientId);
    },
  };
}

const principalOf = ({ id, platform_id, permissions, environment }: Row): Principal => ({
  platformId: platform_id,
  environment,
  permissions,
  actor: `token:${id}`,
});
