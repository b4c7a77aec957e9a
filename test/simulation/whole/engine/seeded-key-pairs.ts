/**
 * Key pairs of ECDSA on P-256 that WebCrypto makes follow from what is drawn, and signatures by them from what is signed
 * (RFC 6979).
 */
import type { webcrypto } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';

// biome-ignore lint/suspicious/noExplicitAny: the methods of WebCrypto, whatever they are given
type Method = (...args: any[]) => Promise<any>;
type Methods = { generateKey: Method; importKey: Method; sign: Method };

const methods: Methods = crypto.subtle.constructor.prototype;
const { generateKey, importKey, sign } = methods;
const secrets = new WeakMap<webcrypto.CryptoKey, Uint8Array>();
let isSeeded = false;

const isOurs = ({ name, namedCurve }: { readonly name?: string; readonly namedCurve?: string }): boolean =>
  name === 'ECDSA' && namedCurve === 'P-256';
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

// Once for the process, and before those who hold up what WebCrypto is asked for.
Object.assign(methods, {
  async generateKey(this: webcrypto.SubtleCrypto, algorithm, isExtractable, usages) {
    if (!isSeeded || !isOurs(algorithm)) return generateKey.call(this, algorithm, isExtractable, usages);
    const secret = p256.utils.randomSecretKey(crypto.getRandomValues(new Uint8Array(48)));
    const point = p256.getPublicKey(secret, false);
    const [x, y] = [point.slice(1, 33), point.slice(33)].map(base64url);
    const publicJwk = { kty: 'EC', crv: 'P-256', x, y };
    const made = (jwk: object, canBeShown: boolean, usage: string) =>
      importKey.call(this, 'jwk', jwk, algorithm, canBeShown, [usage]);
    return {
      publicKey: await made(publicJwk, true, 'verify'),
      privateKey: await made({ ...publicJwk, d: base64url(secret) }, isExtractable, 'sign'),
    };
  },
  async importKey(this: webcrypto.SubtleCrypto, format, key, algorithm, ...others) {
    const imported = await importKey.call(this, format, key, algorithm, ...others);
    if (format === 'jwk' && key.d !== undefined && isOurs(algorithm))
      secrets.set(imported, Buffer.from(key.d, 'base64url'));
    return imported;
  },
  async sign(this: webcrypto.SubtleCrypto, algorithm, key, data) {
    const secret = isSeeded ? secrets.get(key) : undefined;
    if (!secret) return sign.call(this, algorithm, key, data);
    return p256.sign(Buffer.from(data), secret, { lowS: false }).slice().buffer;
  },
} satisfies Methods);

/** From now on, until it ends. */
export function seedKeyPairs(): { readonly end: () => void } {
  isSeeded = true;
  return {
    end() {
      isSeeded = false;
    },
  };
}
