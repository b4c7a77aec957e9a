/** What a customer's device does: client keys, opening sealed bundles, and stamps by a session key. */
import { createECDH, createHash, createPrivateKey, sign } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { p256 } from '@noble/curves/nist.js';
import bs58check from 'bs58check';

const info = Uint8Array.from(Buffer.from('7475726e6b65795f68706b65', 'hex'));
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

export type ClientKey = { readonly publicKey: string; readonly privateKey: string };

/** Hex: the public half uncompressed, the private half its scalar. */
export function newClientKey(): ClientKey {
  const secret = p256.utils.randomSecretKey();
  return {
    publicKey: Buffer.from(p256.getPublicKey(secret, false)).toString('hex'),
    privateKey: Buffer.from(secret).toString('hex'),
  };
}

/** Opens a bundle as a client does: decompresses the encapsulated key first. Throws when it does not open. */
export async function openBundle(bundle: string, privateKey: string): Promise<Uint8Array> {
  const payload = bs58check.decode(bundle);
  const enc = p256.Point.fromBytes(payload.slice(0, 33)).toBytes(false);
  const own = p256.getPublicKey(Uint8Array.from(Buffer.from(privateKey, 'hex')), false);
  const recipient = await suite.createRecipientContext({
    recipientKey: await suite.kem.importKey('raw', Uint8Array.from(Buffer.from(privateKey, 'hex')), false),
    enc: new Uint8Array(enc),
    info,
  });
  return new Uint8Array(
    await recipient.open(new Uint8Array(payload.slice(33)), Uint8Array.of(...enc, ...own)),
  );
}

export const stampScheme = 'SIGNATURE_SCHEME_TK_API_P256';

export const encodeStamp = (members: object): string =>
  Buffer.from(JSON.stringify(members)).toString('base64url');

/** An honest stamp, by Node's signer, whose s is high half of the time. */
export function stampOf(privateKey: string, payloadToSign: string): string {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey, 'hex');
  const publicKey = ecdh.getPublicKey('hex', 'compressed');
  const point = ecdh.getPublicKey();
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: Buffer.from(privateKey, 'hex').toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signature = sign('sha256', Buffer.from(payloadToSign), key).toString('hex');
  return encodeStamp({ publicKey, scheme: stampScheme, signature });
}

/** The other valid signature over the same text: (r, n - s). */
export function twinOf(stamp: string): string {
  const members = JSON.parse(Buffer.from(stamp, 'base64url').toString());
  const { r, s } = p256.Signature.fromBytes(Uint8Array.from(Buffer.from(members.signature, 'hex')), 'der');
  const twin = new p256.Signature(r, p256.Point.Fn.ORDER - s);
  return encodeStamp({ ...members, signature: Buffer.from(twin.toBytes('der')).toString('hex') });
}

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
