/** Checkpoints as C2SP signed notes (c2sp.org/signed-note, c2sp.org/tlog-checkpoint), signed with Ed25519. */
import { createPublicKey, hash, type KeyObject, sign } from 'node:crypto';

const ed25519 = 1;

export type Checkpoint = {
  /** Names the log; the key has the same name. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
};

/** The text that is signed: it ends with a line break. */
export const textOf = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;

/** The 32 bytes of an Ed25519 key. */
export const rawPublicKey = (key: KeyObject): Buffer =>
  Buffer.from(String(createPublicKey(key).export({ format: 'jwk' }).x), 'base64url');

/** The first four bytes of SHA-256 over the name, a line break, the kind of signature, and the key. */
export const keyIdOf = (name: string, publicKey: Uint8Array): Buffer =>
  hash(
    'sha256',
    Buffer.concat([Buffer.from(`${name}\n`), Uint8Array.of(ed25519), publicKey]),
    'buffer',
  ).subarray(0, 4);

/** How a key is published, so that signatures by it can be checked: `<name>+<id>+<base64>`. */
export const verifierKey = (name: string, publicKey: Uint8Array): string =>
  `${name}+${keyIdOf(name, publicKey).toString('hex')}+${Buffer.concat([Uint8Array.of(ed25519), publicKey]).toString('base64')}`;

/** The checkpoint with its signature. Others may add lines with theirs. */
export function signedNote(checkpoint: Checkpoint, privateKey: KeyObject): string {
  const text = textOf(checkpoint);
  const id = keyIdOf(checkpoint.origin, rawPublicKey(privateKey));
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]).toString('base64');
  return `${text}\n\u2014 ${checkpoint.origin} ${signature}\n`;
}
