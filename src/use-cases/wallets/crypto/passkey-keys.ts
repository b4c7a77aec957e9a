/** Public keys of passkeys, as they come: a key that verifies nothing would lock the wallet that it is the only way into. */
import type { cose as keys } from '@simplewebauthn/server/helpers';

/** Of a modulus: RFC 8230 wants no less, and OpenSSL verifies by no more. */
const modulusBits = { least: 2_048, most: 16_384 };
/** OpenSSL verifies by no longer exponent where the modulus is a long one. */
const exponentBitsMax = 64;

/** In DER, with 1 for `r` and for `s`. No key has made it. */
const anySignature = new Uint8Array([0x30, 6, 2, 1, 1, 2, 1, 1]);

/** Throws, in errors of many kinds, unless the library will verify signatures by the COSE key. */
export async function requireUsable(publicKey: Uint8Array<ArrayBuffer>): Promise<void> {
  const { decodeCredentialPublicKey, isoCrypto } = await import('@simplewebauthn/server/helpers');
  const cosePublicKey = decodeCredentialPublicKey(publicKey);
  if (!(await isOfItsAlgorithm(cosePublicKey))) throw new Error('the key is not of the kind that alg says');
  // Verifying reads the key in the only way in which it is read later.
  await isoCrypto.verify({ cosePublicKey, signature: anySignature, data: new Uint8Array() });
}

/** The library goes by the kind of the key alone, whatever its algorithm is, and asks of no point or number what it is. */
async function isOfItsAlgorithm(key: keys.COSEPublicKey): Promise<boolean> {
  const { COSEALG, cose } = await import('@simplewebauthn/server/helpers');
  const { COSECRV, COSEKEYS } = cose;
  switch (key.get(COSEKEYS.alg)) {
    case COSEALG.ES256:
      return cose.isCOSEPublicKeyEC2(key) && key.get(COSEKEYS.crv) === COSECRV.P256;
    case COSEALG.EdDSA:
      return (
        cose.isCOSEPublicKeyOKP(key) &&
        key.get(COSEKEYS.crv) === COSECRV.ED25519 &&
        (await isPoint(key.get(COSEKEYS.x)))
      );
    case COSEALG.RS256:
      return cose.isCOSEPublicKeyRSA(key) && isRsa(key.get(COSEKEYS.n), key.get(COSEKEYS.e));
    default:
      return false;
  }
}

async function isPoint(x: Uint8Array | undefined): Promise<boolean> {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  return x !== undefined && !ed25519.Point.fromBytes(x).isSmallOrder();
}

function isRsa(n: Uint8Array | undefined, e: Uint8Array | undefined): boolean {
  if (!n || !e) return false;
  const [modulus, exponent] = [integerOf(n), integerOf(e)];
  const bits = bitsOf(modulus);
  const isModulus = bits >= modulusBits.least && bits <= modulusBits.most && isOdd(modulus);
  return isModulus && exponent > 1n && isOdd(exponent) && bitsOf(exponent) <= exponentBitsMax;
}

const integerOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const bitsOf = (integer: bigint): number => integer.toString(2).length;
const isOdd = (integer: bigint): boolean => integer % 2n === 1n;
