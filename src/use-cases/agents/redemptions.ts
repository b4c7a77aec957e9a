/**
 * What a redemption has answered, for a client that never saw the answer: sealed, for a minute, and only for whoever
 * sends the code with the same key again.
 */
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { forgetInSteps } from '../../infrastructure/scheduling/steps.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';

const repeatableMs = 60_000;

export type Redemptions = {
  readonly keep: (tokenId: string, token: string, key: string, at: Date) => Promise<void>;
  /** The token, in time and for the same key only. */
  readonly again: (tokenId: string, key: string, at: Date) => Promise<string | undefined>;
  readonly drop: (tokenId: string) => Promise<void>;
  readonly forgetExpired: (at: Date) => Promise<void>;
};

type Row = { proof: Buffer; sealed: Buffer; master_key_id: string };

export function createRedemptions(pool: Pool, sealer: Sealer): Redemptions {
  return {
    async keep(tokenId, token, key, at) {
      const context = contextOf(tokenId);
      const { sealed, masterKeyId } = sealer.seal(token, context);
      const { mac } = sealer.fingerprint(key, context);
      const expiresAt = new Date(at.getTime() + repeatableMs);
      await pool.query(
        `insert into agent_redemptions (id, proof, sealed, master_key_id, expires_at) values ($1, $2, $3, $4, $5)`,
        [tokenId, mac, sealed, masterKeyId, expiresAt],
      );
    },
    async again(tokenId, key, at) {
      const { rows } = await pool.query<Row>(
        'select proof, sealed, master_key_id from agent_redemptions where id = $1 and expires_at > $2',
        [tokenId, at],
      );
      const [row] = rows;
      if (!row) return undefined;
      const context = contextOf(tokenId);
      const { master_key_id: masterKeyId, proof: mac, sealed } = row;
      if (!sealer.matches(key, context, { masterKeyId, mac })) return undefined;
      return sealer.unseal({ masterKeyId, sealed }, context);
    },
    async drop(tokenId) {
      await pool.query('delete from agent_redemptions where id = $1', [tokenId]);
    },
    async forgetExpired(at) {
      await forgetInSteps(pool, forgetQuery, [at]);
    },
  };
}

const forgetQuery = `
  delete from agent_redemptions where id in (
    select id from agent_redemptions where expires_at <= $1 order by expires_at limit $2 for update skip locked)`;

const contextOf = (tokenId: string) => `agent token ${tokenId}`;
