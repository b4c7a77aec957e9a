import { createECDH, webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { p256 } from '@noble/curves/nist.js';
import bs58check from 'bs58check';
import { describe, expect, it } from 'vitest';
import { isClientPublicKey, issueSessionKey, sealTo } from '../../../../src/use-cases/wallets/crypto/hpke.ts';
import { newClientKey, openBundle } from '../../../support/wallets/wallet-client.ts';
import vectors from './vectors.json' with { type: 'json' };

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

/** The key pair of a private scalar, as WebCrypto has it. */
async function keyPairOf(privateKey: string): Promise<webcrypto.CryptoKeyPair> {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey, 'hex');
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' };
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const d = Buffer.from(privateKey, 'hex').toString('base64url');
  return {
    publicKey: await webcrypto.subtle.importKey('jwk', jwk, curve, true, []),
    privateKey: await webcrypto.subtle.importKey('jwk', { ...jwk, d }, curve, true, ['deriveBits']),
  };
}

describe('sealing to a client key', () => {
  it.each(vectors.bundles)('gives the published text of $name', async (bundle) => {
    const ephemeral = await keyPairOf(bundle.ephemeralPrivateKey);
    const sealed = await sealTo(bundle.clientPublicKey, bytes(bundle.plaintext), ephemeral);
    expect(sealed).toBe(bundle.encryptedSessionSigningKey);
    expect(Buffer.from(bs58check.decode(sealed)).toString('hex')).toBe(bundle.payload);
  });

  it.each([...vectors.bundles, vectors.published.bundle])('is opened by the client key', async (bundle) => {
    const opened = await openBundle(bundle.encryptedSessionSigningKey, bundle.clientPrivateKey);
    expect(Buffer.from(opened).toString('hex')).toBe(bundle.plaintext);
  });

  it('uses a fresh key each time, so that no two bundles are alike', async () => {
    const { publicKey } = newClientKey();
    const sealed = await Promise.all(
      Array.from({ length: 20 }, () => sealTo(publicKey, bytes('00'.repeat(32)))),
    );
    expect(new Set(sealed.map((text) => text.slice(0, 20))).size).toBe(20);
  });

  it('takes a key in upper-case hex', async () => {
    const { publicKey, privateKey } = newClientKey();
    const sealed = await sealTo(publicKey.toUpperCase(), bytes('ab'.repeat(32)));
    expect(Buffer.from(await openBundle(sealed, privateKey)).toString('hex')).toBe('ab'.repeat(32));
  });
});

describe('a session key', () => {
  it('has the private half of its public key inside, with its leading zeros', async () => {
    const { publicKey: clientPublicKey, privateKey } = newClientKey();
    for (let n = 0; n < 20; n++) {
      const issued = await issueSessionKey(clientPublicKey);
      expect(bs58check.decode(issued.encryptedSessionSigningKey)).toHaveLength(81);
      const secret = await openBundle(issued.encryptedSessionSigningKey, privateKey);
      expect(secret).toHaveLength(32);
      expect(Buffer.from(p256.getPublicKey(secret, true)).toString('hex')).toBe(issued.publicKey);
    }
  });
});

describe('a bundle', () => {
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });
  const info = bytes('7475726e6b65795f68706b65');
  const client = newClientKey();
  type Variant = { info?: Uint8Array; aad?: (enc: Uint8Array, recipient: Uint8Array) => Uint8Array };
  const sealedOtherwise = async ({ info: other = info, aad }: Variant, uncompressed = false) => {
    const recipient = bytes(client.publicKey);
    const recipientPublicKey = await suite.kem.deserializePublicKey(recipient);
    const sender = await suite.createSenderContext({ recipientPublicKey, info: new Uint8Array(other) });
    const enc = new Uint8Array(sender.enc);
    const associated = aad ? aad(enc, recipient) : Uint8Array.of(...enc, ...recipient);
    const text = new Uint8Array(await sender.seal(new Uint8Array(32).fill(7), new Uint8Array(associated)));
    const wire = uncompressed ? enc : p256.Point.fromBytes(enc).toBytes(true);
    return bs58check.encode(Uint8Array.of(...wire, ...text));
  };
  const compressed = (enc: Uint8Array) => p256.Point.fromBytes(enc).toBytes(true);
  const flipped = (text: string, at: number, bit: number) => {
    const payload = Uint8Array.from(bs58check.decode(text));
    payload[at] = (payload[at] ?? 0) ^ bit;
    return bs58check.encode(payload);
  };

  it('opens when it is sealed as it should be', async () => {
    expect(await openBundle(await sealedOtherwise({}), client.privateKey)).toHaveLength(32);
  });

  it.each<[string, () => Promise<string>]>([
    ['an empty info', () => sealedOtherwise({ info: new Uint8Array() })],
    ['an empty AAD', () => sealedOtherwise({ aad: () => new Uint8Array() })],
    [
      'an AAD with the compressed key',
      () => sealedOtherwise({ aad: (e, r) => Uint8Array.of(...compressed(e), ...r) }),
    ],
    ['an AAD with the keys swapped', () => sealedOtherwise({ aad: (e, r) => Uint8Array.of(...r, ...e) })],
    ['an AAD of the encapsulated key alone', () => sealedOtherwise({ aad: (e) => e })],
    ['an uncompressed key on the wire', () => sealedOtherwise({}, true)],
    ['one flipped bit', async () => flipped(await sealTo(client.publicKey, new Uint8Array(32)), 50, 1)],
    [
      'the other half of the curve',
      async () => flipped(await sealTo(client.publicKey, new Uint8Array(32)), 0, 1),
    ],
    [
      'a broken checksum',
      async () => {
        const text = await sealTo(client.publicKey, new Uint8Array(32));
        return text.slice(0, -1) + (text.endsWith('1') ? '2' : '1');
      },
    ],
    ['another client key', () => sealTo(newClientKey().publicKey, new Uint8Array(32))],
  ])('does not open with %s', async (_what, make) => {
    const text = await make();
    await expect(openBundle(text, client.privateKey)).rejects.toThrow();
  });
});

describe('a client public key', () => {
  const { publicKey } = newClientKey();
  it('is uncompressed hex of a point on the curve', () => {
    expect(isClientPublicKey(publicKey)).toBe(true);
    expect(isClientPublicKey(`04${publicKey.slice(2).toUpperCase()}`)).toBe(true);
  });

  it.each([
    ['compressed', Buffer.from(p256.Point.fromHex(publicKey).toBytes(true)).toString('hex')],
    ['one digit short', publicKey.slice(0, -1)],
    ['one digit long', `${publicKey}0`],
    ['all zero', `04${'0'.repeat(128)}`],
    ['off the curve', `${publicKey.slice(0, -1)}${publicKey.endsWith('0') ? '1' : '0'}`],
    ['with a coordinate of the field size', `04${'f'.repeat(64)}${publicKey.slice(66)}`],
    ['not hex', `04${'g'.repeat(128)}`],
    ['empty', ''],
  ])('is not one that is %s', (_what, text) => expect(isClientPublicKey(text)).toBe(false));
});
