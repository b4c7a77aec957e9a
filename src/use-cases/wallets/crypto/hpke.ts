/** Sealing to a client's key: what only the holder of the private half of `clientPublicKey` opens. */
import type { webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { p256 } from '@noble/curves/nist.js';
import bs58check from 'bs58check';

/** The 12 bytes that the existing client libraries use. */
const info = Uint8Array.from(Buffer.from('7475726e6b65795f68706b65', 'hex'));
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

/** For tests against vectors; HPKE makes a fresh key otherwise, and has to. */
type EphemeralKey = webcrypto.CryptoKeyPair;

/** Whether the text is an uncompressed P-256 key in hex whose point is on the curve. */
export function isClientPublicKey(text: string): boolean {
  if (!/^04[0-9a-fA-F]{128}$/.test(text)) return false;
  try {
    p256.Point.fromHex(text).assertValidity();
    return true;
  } catch {
    return false;
  }
}

/** Base58check of the compressed encapsulated key and the ciphertext with its tag. */
export async function sealTo(
  clientPublicKey: string,
  plaintext: Uint8Array,
  ephemeral?: EphemeralKey,
): Promise<string> {
  const recipient = new Uint8Array(Buffer.from(clientPublicKey, 'hex'));
  const sender = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(recipient),
    info,
    ...(ephemeral && { ekm: ephemeral }),
  });
  const encapsulated = new Uint8Array(sender.enc);
  const associated = Uint8Array.of(...encapsulated, ...recipient);
  const ciphertext = new Uint8Array(await sender.seal(new Uint8Array(plaintext), associated));
  return bs58check.encode(Uint8Array.of(...p256.Point.fromBytes(encapsulated).toBytes(true), ...ciphertext));
}

export type SessionKey = {
  /** Compressed SEC1 in lower-case hex: all that is kept. */
  readonly publicKey: string;
  /** The private scalar, sealed to the client. Answered once and not stored. */
  readonly encryptedSessionSigningKey: string;
};

/** A fresh key pair whose private half leaves this function sealed only. */
export async function issueSessionKey(clientPublicKey: string): Promise<SessionKey> {
  const secret = p256.utils.randomSecretKey();
  try {
    const publicKey = Buffer.from(p256.getPublicKey(secret, true)).toString('hex');
    return { publicKey, encryptedSessionSigningKey: await sealTo(clientPublicKey, secret) };
  } finally {
    secret.fill(0);
  }
}
