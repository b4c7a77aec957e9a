/**
 * Device codes and access tokens, as hashes; those of codes, which are short, are keyed. A row lets nobody in by itself:
 * the agent's stream says which code may be redeemed and which token is the agent's, so a deleted agent's token is dead
 * everywhere at once.
 */

import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { forgetInSteps } from '../../infrastructure/scheduling/steps.ts';
import { hashSecret } from '../../infrastructure/secrets/hash.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { daysAfter } from '../../kernel/clock.ts';
import type { AgentId, PlatformId, Seeded } from '../../kernel/ids.ts';
import { newDeviceCode, seededDeviceCode } from './secrets.ts';

/** So long it is known of a code that it was void, redeemed or late. */
export const codesKeptDays = 30;

export type KeptDeviceCode = {
  readonly id: string;
  readonly agentId: AgentId;
  readonly platformId: PlatformId;
};
export type KeptToken = { readonly id: string; readonly agentId: AgentId; readonly tokenHash: Buffer };

export type AgentCredentials = {
  /** A code that nobody knows yet, unless identifiers follow from a seed. */
  readonly drawCode: (deviceCodeId: string, draw: number) => string;
  /** Returns false when another agent has the same code. */
  readonly saveCode: (code: string, kept: KeptDeviceCode, at: Date) => Promise<boolean>;
  readonly findCode: (code: string) => Promise<KeptDeviceCode | undefined>;
  /** Of one that was drawn in vain. */
  readonly dropCode: (id: string) => Promise<void>;
  readonly saveToken: (token: string, kept: Omit<KeptToken, 'tokenHash'>, at: Date) => Promise<void>;
  readonly findToken: (tokenHash: Buffer) => Promise<KeptToken | undefined>;
  readonly dropToken: (id: string) => Promise<void>;
  /** Forgets all of a deleted agent's. */
  readonly forget: (agentId: AgentId) => Promise<void>;
  /** Forgets codes that were issued long ago. */
  readonly forgetOldCodes: (now: Date) => Promise<void>;
};

type CodeRow = { id: string; agent_id: AgentId; platform_id: PlatformId };
type TokenRow = { id: string; agent_id: AgentId; token_hash: Buffer };

export function agentCredentials(pool: Pool, sealer: Sealer, seeded?: Seeded): AgentCredentials {
  const macsOf = (code: string) => sealer.fingerprints(code, 'agent device code').map(({ mac }) => mac);
  return {
    drawCode: (deviceCodeId, draw) =>
      seeded ? seededDeviceCode(seeded, deviceCodeId, draw) : newDeviceCode(),
    async saveCode(code, { id, agentId, platformId }, at) {
      const macs = macsOf(code);
      const { rowCount } = await pool.query(
        `insert into agent_device_codes (id, code_mac, master_key_id, agent_id, platform_id, issued_at)
         select $1, $2, $3, $4, $5, $7 where not exists (select 1 from agent_device_codes where code_mac = any($6))
         on conflict (code_mac) do nothing`,
        [id, macs[0], sealer.masterKeyId, agentId, platformId, macs, at],
      );
      return rowCount === 1;
    },
    async findCode(code) {
      const { rows } = await pool.query<CodeRow>(
        'select id, agent_id, platform_id from agent_device_codes where code_mac = any($1)',
        [macsOf(code)],
      );
      const [row] = rows;
      return row && { id: row.id, agentId: row.agent_id, platformId: row.platform_id };
    },
    async dropCode(id) {
      await pool.query('delete from agent_device_codes where id = $1', [id]);
    },
    async saveToken(token, { id, agentId }, at) {
      await pool.query(
        'insert into agent_tokens (id, token_hash, agent_id, created_at) values ($1, $2, $3, $4)',
        [id, hashSecret(token), agentId, at],
      );
    },
    async findToken(tokenHash) {
      const { rows } = await pool.query<TokenRow>(
        'select id, agent_id, token_hash from agent_tokens where token_hash = $1',
        [tokenHash],
      );
      const [row] = rows;
      return row && { id: row.id, agentId: row.agent_id, tokenHash: row.token_hash };
    },
    async dropToken(id) {
      await pool.query('delete from agent_tokens where id = $1', [id]);
    },
    async forget(agentId) {
      await pool.query('delete from agent_tokens where agent_id = $1', [agentId]);
      await pool.query('delete from agent_device_codes where agent_id = $1', [agentId]);
    },
    async forgetOldCodes(now) {
      await forgetInSteps(pool, forgetQuery, [daysAfter(now, -codesKeptDays)]);
    },
  };
}

const forgetQuery = `
  delete from agent_device_codes where id in (
    select id from agent_device_codes where issued_at < $1 order by issued_at limit $2 for update skip locked)`;
