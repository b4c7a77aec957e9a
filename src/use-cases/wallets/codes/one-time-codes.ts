/** One-time codes: drawn here, kept as a keyed hash, and checked in constant time. */

import type { Pool } from '../../../infrastructure/postgres/pool.ts';
import { forgetInSteps } from '../../../infrastructure/scheduling/steps.ts';
import type { Sealer } from '../../../infrastructure/secrets/sealing.ts';
import { legibleCharacters, randomText } from '../../../kernel/ids.ts';

const digits = '0123456789';

/** As the platform's embeddedWalletConfig has it. */
export type CodeForm = { readonly otpLength: number; readonly alphanumeric: boolean };

export const drawCode = ({ otpLength, alphanumeric }: CodeForm): string =>
  randomText(otpLength, alphanumeric ? legibleCharacters : digits);

export type OneTimeCodes = {
  readonly keep: (codeId: string, code: string, lifetimeMs: number) => Promise<void>;
  readonly matches: (codeId: string, code: string) => Promise<boolean>;
  readonly forgetExpired: () => Promise<void>;
};

type Deps = {
  readonly pool: Pool;
  readonly sealer: Sealer;
  /** The installation's: codes are good by their platform's time, and are forgotten by this one. */
  readonly now: () => Date;
};

export function createOneTimeCodes({ pool, sealer, now }: Deps): OneTimeCodes {
  return {
    async keep(codeId, code, lifetimeMs) {
      const { mac, masterKeyId } = sealer.fingerprint(code, contextOf(codeId));
      await pool.query(
        'insert into one_time_codes (id, mac, master_key_id, expires_at) values ($1, $2, $3, $4)',
        [codeId, mac, masterKeyId, new Date(now().getTime() + lifetimeMs)],
      );
    },
    async matches(codeId, code) {
      const { rows } = await pool.query<{ mac: Buffer; master_key_id: string }>(
        'select mac, master_key_id from one_time_codes where id = $1',
        [codeId],
      );
      const [row] = rows;
      if (!row) return false;
      return sealer.matches(code, contextOf(codeId), { mac: row.mac, masterKeyId: row.master_key_id });
    },
    async forgetExpired() {
      await forgetInSteps(pool, forgetQuery, [now()]);
    },
  };
}

const forgetQuery = `
  delete from one_time_codes where id in (
    select id from one_time_codes where expires_at <= $1 limit $2 for update skip locked)`;

const contextOf = (codeId: string) => `one-time code ${codeId}`;
