/**
 * Who is signed in at the console. A session stands for an API token and has its permissions; it ends with the token,
 * with its secret, and where the token may less than it could. What the browser has is stored as SHA-256 only.
 */
import type { Permission } from '../../domain/tokens/permissions.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { rememberedLookup } from '../../infrastructure/remembered/lookup.ts';
import { forgetInSteps } from '../../infrastructure/scheduling/steps.ts';
import { hashSecret } from '../../infrastructure/secrets/hash.ts';
import { newSecret, type TokenId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { FindToken, Principal } from '../caller.ts';
import { tokenOfActor } from '../tokens/living.ts';
import { rememberedMax, rememberedMs } from '../tokens/tokens.ts';

export const sessionMaxMs = 12 * 3_600_000;
/** Of one token; the oldest give way. */
export const sessionsPerToken = 100;

/** Of a session's hash, where it is looked up. */
const keyEncoding = 'base64';

export type ConsoleSession = {
  readonly tokenId: TokenId;
  readonly principal: Principal;
  readonly expiresAt: Date;
};

type Token = NonNullable<Awaited<ReturnType<FindToken>>>;

export type ConsoleSessions = {
  /** What the browser is to keep, and the session that it stands for. */
  readonly begin: (token: Token) => Promise<ConsoleSession & { readonly secret: string }>;
  readonly find: (secret: string) => Promise<ConsoleSession | undefined>;
  readonly end: (secret: string) => Promise<void>;
  readonly forgetExpired: () => Promise<void>;
  /** All are read again: some have been ended in the table. */
  readonly forget: () => void;
};

type Row = {
  readonly token_id: TokenId;
  readonly token_mark: Buffer;
  readonly permissions: readonly Permission[];
  readonly expires_at: Date;
};
type Deps = { readonly pool: Pool; readonly findToken: FindToken; readonly now: () => Date };

export function createConsoleSessions({ pool, findToken, now }: Deps): ConsoleSessions {
  // As long as tokens are: one that ended elsewhere stops within a second.
  const lookup = rememberedLookup({ max: rememberedMax, ttlMs: rememberedMs }, async (key) => {
    const { rows } = await pool.query<Row>({
      name: 'find-console-session',
      text: 'select token_id, token_mark, permissions, expires_at from console_sessions where session_hash = $1',
      values: [Buffer.from(key, keyEncoding)],
    });
    return rows[0];
  });

  return {
    forget: lookup.clear,
    async begin({ secretHash, principal }) {
      const tokenId = tokenOfActor(principal.actor);
      invariant(tokenId, 'only API tokens sign in at the console');
      const secret = newSecret();
      const expiresAt = new Date(now().getTime() + sessionMaxMs);
      await pool.query(
        `insert into console_sessions (session_hash, token_id, token_mark, permissions, expires_at)
         values ($1, $2, $3, $4, $5)`,
        [hashSecret(secret), tokenId, markOf(secretHash), principal.permissions, expiresAt],
      );
      await pool.query(
        `delete from console_sessions where session_hash in (
           select session_hash from console_sessions where token_id = $1 order by expires_at desc offset $2)`,
        [tokenId, sessionsPerToken],
      );
      return { secret, tokenId, principal, expiresAt };
    },
    async find(secret) {
      const row = await lookup.find(hashSecret(secret).toString(keyEncoding));
      if (!row || row.expires_at <= now()) return undefined;
      const token = await findToken(row.token_id);
      if (!token || !markOf(token.secretHash).equals(row.token_mark)) return undefined;
      const { principal } = token;
      if (!row.permissions.every((one) => principal.permissions.includes(one))) return undefined;
      return { tokenId: row.token_id, principal, expiresAt: row.expires_at };
    },
    async end(secret) {
      const hash = hashSecret(secret);
      await pool.query('delete from console_sessions where session_hash = $1', [hash]);
      lookup.forget(hash.toString(keyEncoding));
    },
    async forgetExpired() {
      await forgetInSteps(pool, forgetQuery, [now()]);
    },
  };
}

const forgetQuery = `
  delete from console_sessions where session_hash in (
    select session_hash from console_sessions where expires_at <= $1 order by expires_at limit $2
    for update skip locked)`;

/** Of the secret that a token had when the session began, without telling its hash. */
const markOf = (secretHash: Uint8Array): Buffer => hashSecret(Buffer.from(secretHash).toString('hex'));
