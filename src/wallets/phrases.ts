/** A wallet's recovery phrase (BIP-39): made with the wallet, kept sealed, and unsealed for an export only. */
import { generateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { InternalAccountId } from '../infrastructure/ids.ts';
import { invariant } from '../infrastructure/invariant.ts';
import type { Pool } from '../infrastructure/postgres.ts';
import type { Sealer } from '../infrastructure/sealing.ts';

/** 24 words. */
const entropyBits = 256;

export type RecoveryPhrases = {
  /** Makes the phrase of a wallet unless it has one. */
  readonly create: (wallet: InternalAccountId) => Promise<void>;
  readonly open: (wallet: InternalAccountId) => Promise<string>;
};

type Deps = { readonly pool: Pool; readonly sealer: Sealer; readonly now: () => Date };

export function createRecoveryPhrases({ pool, sealer, now }: Deps): RecoveryPhrases {
  const create = async (wallet: InternalAccountId) => {
    const phrase = generateMnemonic(wordlist, entropyBits);
    const { sealed, masterKeyId } = sealer.seal(phrase, phraseContext(wallet));
    await pool.query(
      `insert into wallet_phrases (id, sealed, master_key_id, created_at) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [wallet, sealed, masterKeyId, now()],
    );
  };
  return {
    create,
    async open(wallet) {
      // A wallet that was opened a moment ago may not have been seen by the worker.
      await create(wallet);
      const { rows } = await pool.query<{ sealed: Buffer; master_key_id: string }>(
        'select sealed, master_key_id from wallet_phrases where id = $1',
        [wallet],
      );
      const [row] = rows;
      invariant(row, `${wallet} has no phrase`);
      return sealer.unseal({ masterKeyId: row.master_key_id, sealed: row.sealed }, phraseContext(wallet));
    },
  };
}

export const phraseContext = (wallet: string): string => `${wallet} recovery phrase`;
