/**
 * A wallet's recovery phrase (BIP-39): made with the wallet, kept sealed beside the log, and unsealed for an export
 * only. The wallet's stream has its fingerprint, so that a phrase that was lost is never replaced by another one.
 */
import { generateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { type InternalAccountId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import { sha256Hex } from './crypto/stamp.ts';

/** 24 words. */
const entropyBits = 256;

export type WalletRef = { readonly platformId: PlatformId; readonly accountId: InternalAccountId };

export type RecoveryPhrases = {
  /** Makes the phrase of a wallet unless it has had one. Safe to repeat. */
  readonly create: (wallet: WalletRef) => Promise<void>;
  /** Throws when the phrase is not the one that the wallet was made with. */
  readonly open: (wallet: WalletRef) => Promise<string>;
};

type Deps = {
  readonly pool: Pool;
  readonly sealer: Sealer;
  readonly commands: Commands;
  readonly now: () => Date;
};

export function createRecoveryPhrases({ pool, sealer, commands, now }: Deps): RecoveryPhrases {
  const read = async (accountId: InternalAccountId): Promise<string | undefined> => {
    const { rows } = await pool.query<{ sealed: Buffer; master_key_id: string }>(
      'select sealed, master_key_id from wallet_phrases where id = $1',
      [accountId],
    );
    const [row] = rows;
    return (
      row && sealer.unseal({ masterKeyId: row.master_key_id, sealed: row.sealed }, phraseContext(accountId))
    );
  };
  const fingerprintOf = async (accountId: InternalAccountId) =>
    (await commands.load('wallet', uuidOf(accountId))).phraseFingerprint;
  /** Of several that are made at once the first counts. */
  const make = async (accountId: InternalAccountId): Promise<string> => {
    const { sealed, masterKeyId } = sealer.seal(
      generateMnemonic(wordlist, entropyBits),
      phraseContext(accountId),
    );
    await pool.query(
      `insert into wallet_phrases (id, sealed, master_key_id, created_at) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [accountId, sealed, masterKeyId, now()],
    );
    const phrase = await read(accountId);
    invariant(phrase, `the recovery phrase of ${accountId} was not kept`);
    return phrase;
  };
  const create = async ({ platformId, accountId }: WalletRef) => {
    if ((await fingerprintOf(accountId)) !== undefined) return;
    const fingerprint = sha256Hex(await make(accountId));
    const cause = { platformId, correlationId: accountId, causationId: accountId, actor: 'wallets' };
    const command = { type: 'RecordRecoveryPhrase', platformId, accountId, fingerprint, at: now() } as const;
    await commands.run('wallet', uuidOf(accountId), command, cause);
  };

  return {
    create,
    async open(wallet) {
      const { accountId } = wallet;
      // A wallet that was opened a moment ago may not have been seen by the worker.
      await create(wallet);
      const phrase = await read(accountId);
      const isIt = phrase !== undefined && sha256Hex(phrase) === (await fingerprintOf(accountId));
      invariant(isIt, `the recovery phrase of ${accountId} is lost: restore the table wallet_phrases`);
      return phrase ?? '';
    },
  };
}

export const phraseContext = (wallet: string): string => `${wallet} recovery phrase`;
