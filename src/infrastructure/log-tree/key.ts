/** The Ed25519 key that signs checkpoints: made once, and sealed under the master key. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { systemIds } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Pool } from '../postgres/pool.ts';
import type { Sealer } from '../secrets/sealing.ts';
import { rawPublicKey, verifierKey } from './note.ts';

export const logKeyContext = (id: string): string => `log key ${id}`;

export type LogKey = {
  /** Names the log, and the key: `daybook/` and a uuid. */
  readonly origin: string;
  readonly privateKey: KeyObject;
};

type Row = { readonly id: string; readonly sealed: Buffer; readonly master_key_id: string };

/** How signatures are checked; `undefined` until the key was made. */
export async function publishedKey(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string; public_key: Buffer }>(
    'select id, public_key from log_keys',
  );
  const [row] = rows;
  return row && verifierKey(row.id, row.public_key);
}

/** Of several processes that make the key at once, the first one's counts. */
export async function openLogKey(pool: Pool, sealer: Sealer, now: () => Date): Promise<LogKey> {
  const read = async () => (await pool.query<Row>('select id, sealed, master_key_id from log_keys')).rows[0];
  const known = (await read()) ?? (await make(pool, sealer, now()).then(read));
  invariant(known, 'a key that was just made is not there');
  const { id, sealed, master_key_id: masterKeyId } = known;
  const pem = sealer.unseal({ masterKeyId, sealed }, logKeyContext(id));
  return { origin: id, privateKey: createPrivateKey(pem) };
}

async function make(pool: Pool, sealer: Sealer, at: Date): Promise<void> {
  const id = `daybook/${systemIds.uuid()}`;
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const { sealed, masterKeyId } = sealer.seal(pem, logKeyContext(id));
  await pool.query(
    `insert into log_keys (id, public_key, sealed, master_key_id, created_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [id, rawPublicKey(privateKey), sealed, masterKeyId, at],
  );
}
